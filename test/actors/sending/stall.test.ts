import test from 'ava'
import { FAULT, head, SendingTable, SENT, UNKNOWN } from './table.ts'

const RECONCILE_MS = 20_000

/** An OFFICIAL number with one message in doubt for each address. */
function doubtful(...addresses: string[]): SendingTable {
  const table = new SendingTable('OFFICIAL').wake().find(...addresses.map((address) => head(address)))
  for (const address of addresses) table.begun(address).answer(address, UNKNOWN)
  return table.forget()
}

test('after a pause of the process a message in doubt waits for a status for its full time again', (t) => {
  const table = doubtful('1')
  table.nowMs += 60_000
  table.say({ type: 'TimerFired' })
  t.deepEqual(table.all('begin'), [], 'nothing is sent again by a process that upstream could not reach')
  table.pass(RECONCILE_MS - 1)
  t.deepEqual(table.all('begin'), [])
  table.pass(1)
  t.is(table.all('begin').length, 1)
})

test('after a pause whatever comes first finds the doubt waiting, a status ends it, and others go on at once', (t) => {
  const table = doubtful('1', '2')
  table.nowMs += 60_000
  table.say({ type: 'Named', messageId: table.hand('1').message.id })
  t.false(table.holds('1'))
  t.is(table.hand('2').phase.at, 'WAITING')
  table.find(head('3'))
  t.deepEqual(
    table.all('begin').map(({ message }) => message.to.address),
    ['3'],
  )
})

test('after a pause a message does not fail while a status may still tell that it arrived', (t) => {
  const table = doubtful('1').pass(RECONCILE_MS)
  table.begun('1').answer('1', { kind: 'refused', failure: FAULT }).forget()
  table.nowMs += 60_000
  table.say({ type: 'TimerFired' })
  t.deepEqual(table.all('settle'), [])
  table.pass(RECONCILE_MS)
  t.like(table.last('settle').settlement, { kind: 'failed', failure: FAULT })
})

test('a timer that is a little late, and a doubt that was over before the pause, wait no longer', (t) => {
  const late = doubtful('1')
  late.nowMs += RECONCILE_MS + 1_999
  late.say({ type: 'TimerFired' })
  t.is(late.all('begin').length, 1)

  const limit = { number: { atOnce: 1, everyMs: 30_000 }, pair: { atOnce: Infinity, everyMs: 0 } }
  const paced = new SendingTable('OFFICIAL', { paces: { OFFICIAL: limit }, lookMs: 50 }).wake().find(head('1'))
  paced.begun('1').answer('1', UNKNOWN).pass(RECONCILE_MS).forget()
  t.deepEqual(paced.all('begin'), [], 'its wait is over, its turn has not come')
  paced.nowMs += 60_000
  paced.say({ type: 'TimerFired' })
  t.is(paced.all('begin').length, 1)
})

test('where the upstream recognises repetitions a pause changes nothing', (t) => {
  const table = new SendingTable('UNOFFICIAL').wake().find(head('1')).begun('1').answer('1', UNKNOWN).forget()
  table.nowMs += 60_000
  table.say({ type: 'TimerFired' })
  t.is(table.all('begin').length, 1)
  table.tries('1', SENT)
  t.false(table.holds('1'))
})
