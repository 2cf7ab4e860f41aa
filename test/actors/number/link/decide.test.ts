import test from 'ava'
import { succeed } from '../../../../src/domain/errors.ts'
import { NumberTable } from '../table.ts'

test('an event that this version does not use is settled, and one of a session that was closed is not', (t) => {
  const table = new NumberTable('UNOFFICIAL')
  table.connect()
  t.deepEqual(table.hear({ type: 'unused', seq: 4 }), [{ type: 'settle', seq: 4 }])
  t.deepEqual(table.hear({ type: 'linkUp' }), [])
  const sessionId = table.last('openSession').sessionId - 1
  t.deepEqual(table.say({ type: 'Session', sessionId, event: { type: 'unused', seq: 5 }, callId: null }), [])
  table.say({ type: 'Drain' })
  t.deepEqual(table.hear({ type: 'unused', seq: 6 }), [], 'it has left')
})

test('nothing is sent before the session itself said that it is connected, whatever the row says', (t) => {
  const table = new NumberTable('OFFICIAL')
  table.say({ type: 'Send' })
  table.hear({ type: 'linkUp' })
  t.deepEqual(table.all('wakeSending'), [])
  t.false(table.ready.sending.isOpen)
  table.hear({ type: 'state', seq: 1, state: 'OPEN', reason: null })
  t.is(table.all('wakeSending').length, 1)
  table.hear({ type: 'linkUp' })
  t.true(table.ready.sending.isOpen, 'it was heard once')
  const closed = new NumberTable('OFFICIAL')
  closed.hear({ type: 'state', seq: 1, state: 'CLOSE', reason: 'logged_out' as never })
  t.false(closed.ready.link.at === 'UP' && closed.ready.link.isHeard)
})

test('new settings go to the session, and without one they are answered at once', (t) => {
  const table = new NumberTable('UNOFFICIAL')
  table.connect()
  const settings = { ...table.ready.number.settings, rejectCall: true }
  t.deepEqual(table.say({ type: 'ApplySettings', askId: 3, settings, piiMode: 'RELAY_ONLY' }), [
    { type: 'applySettings', askId: 3, settings },
  ])
  t.is(table.reply(3), undefined)
  t.like(table.ready.number, { settings, piiMode: 'RELAY_ONLY' })
  const alone = new NumberTable('UNOFFICIAL', { state: 'CLOSE' })
  alone.saved()
  alone.hear({ type: 'state', seq: 1, state: 'CLOSE', reason: 'logged_out' as never })
  if (alone.ready.write) alone.saved()
  t.is(alone.ready.link.at, 'NONE')
  t.deepEqual(
    alone.say({ type: 'ApplySettings', askId: 4, settings }).filter(({ type }) => type !== 'startTimer'),
    [],
  )
  t.deepEqual(alone.reply(4)?.outcome, succeed(null))
  t.is(alone.ready.number.piiMode, 'STORE_INDEFINITE')
})
