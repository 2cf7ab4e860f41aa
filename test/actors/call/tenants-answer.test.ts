import test from 'ava'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { answeredAhead, preAccepted, withBot } from './bridged-rig.ts'
import { sessionIs, type Table } from './decide-rig.ts'

// [bridged-calls.bridge.1] [bridged-calls.bridge.12]
test('accept with a description of the tenant leaves the audio to it, whatever the number has', (t) => {
  const table = withBot()
  table.send({ type: 'Accept', askId: 1, sdp: 'mine', media: null })
  t.like(table.last('accept'), { sdp: 'mine' })
  t.is(table.all('mediaClose').length, 0)
  table.send({ type: 'AcceptedUpstream', attempt: table.last('accept').attempt, outcome: succeed(null) })
  t.like(table.last('move').move, { patch: { media: 'own', sdpAnswer: 'mine' } })
  table.store()
  t.is(table.all('mediaClose').length, 1)
  table.send(sessionIs('CLOSED'))
  t.is(table.state.phase.at, 'ACCEPTED')
  t.is(table.last('startTimer').timer, 'silence')
})

/** The tenant's accept with its own answer, which the platform refuses after what comes `meanwhile`. */
function refusedOwn(table: Table, meanwhile: (table: Table) => void = () => {}): Table {
  table.forget().send({ type: 'Accept', askId: 1, sdp: 'mine', media: null })
  const { attempt } = table.last('accept')
  meanwhile(table)
  table.send({ type: 'AcceptedUpstream', attempt, outcome: fail(refuse('INVALID_SDP', 'not this one')) })
  return table
}

// [bridged-calls.bridge.12]
test('a call whose answer of the tenant the platform refused rings on for its bot, with the answer made ahead', (t) => {
  const table = refusedOwn(preAccepted(answeredAhead(withBot({ answer: 'ring' }))))
  t.like(table.replyTo(1), { ok: false, error: { code: 'INVALID_SDP' } })
  t.is(table.state.phase.at, 'INCOMING')
  t.deepEqual(table.all('mediaClose'), [])
  table.send({ type: 'Media', event: { type: 'accept', callId: 'call_1' } })
  t.is(table.last('accept').sdp, 'our answer')
  t.deepEqual(table.all('mediaAnswer'), [])
})

test('a bot that answers by itself does so once the platform refused the answer of the tenant', (t) => {
  const early = withBot()
  const { attempt } = early.last('mediaAnswer')
  const outcome = succeed({ sdp: 'too early', host: 'host-1' })
  refusedOwn(early, () => early.send({ type: 'MediaAnswered', attempt, outcome }))
  answeredAhead(early)
  t.is(early.last('accept').sdp, 'our answer')
  const left = refusedOwn(withBot(), (table) => table.send(sessionIs('CLOSED')))
  t.is(left.state.phase.at, 'INCOMING')
})

test('while the platform is asked to take the answer of the tenant, a bot ends nothing', (t) => {
  const reports = [
    { type: 'hangup', callId: 'call_1', reason: null },
    { type: 'lost', callId: 'call_1', reason: 'HOST_GONE' },
  ] as const
  for (const event of reports) {
    const ready = preAccepted(answeredAhead(withBot({ answer: 'ring' })))
    const table = refusedOwn(ready, () => ready.send({ type: 'Media', event }))
    t.deepEqual([table.state.phase.at, table.all('move')], ['INCOMING', []])
    table.send({ type: 'Accept', askId: 2, sdp: null, media: 'bridge' })
    t.is(table.all('mediaAnswer').length, event.type === 'lost' ? 1 : 0)
  }
})

test('a call that ends unanswered has the same media in its row as in its event', (t) => {
  const table = answeredAhead(withBot({ answer: 'ring' })).forget()
  table.send({ type: 'Terminate', askId: 1 })
  const { patch, events } = table.last('move').move
  t.is(patch.media, 'bridge')
  t.like(events[0]?.data, { media: 'bridge' })
})

test('an answer made ahead goes with its leg: the next accept asks for another', (t) => {
  const table = preAccepted(answeredAhead(withBot({ answer: 'ring' })))
  table.forget().send({ type: 'Media', event: { type: 'lost', callId: 'call_1', reason: 'HOST_GONE' } })
  t.is(table.all('readVoice').length, 1)
  table.send({ type: 'Accept', askId: 1, sdp: null, media: null })
  t.is(table.all('mediaAnswer').length, 1)
})
