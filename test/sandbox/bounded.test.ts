import test from 'ava'
import { createEventLog } from '../../sandbox/devices/event-log.ts'
import { createFaults, cutOf, faultSchema } from '../../sandbox/faults.ts'
import { createLedger } from '../../sandbox/ledger.ts'
import { ByteStore } from '../../sandbox/media/byte-store.ts'
import { Recent } from '../../sandbox/recent.ts'
import { Shelf } from '../../sandbox/shelf.ts'

test('a bounded shelf finds entries by key and by peer, and drops the oldest', (t) => {
  const shelf = new Shelf<string>(2)
  shelf.add('k1', ['a', 'room'], 'one')
  shelf.add('k2', ['b', 'room'], 'two')
  t.deepEqual(shelf.of('room'), ['one', 'two'])
  shelf.add('k3', ['b'], 'three')
  t.is(shelf.get('k1'), null)
  t.deepEqual(shelf.of('a'), [])
  t.deepEqual(shelf.of('room'), ['two'])
  t.deepEqual(shelf.of('b'), ['two', 'three'])
  t.is(shelf.get('k3'), 'three')
})

test('the latest things are listed oldest first, however many there were', (t) => {
  const recent = new Recent<number>(3)
  for (let number = 0; number < 100; number++) recent.add(number)
  t.deepEqual(recent.list(), [97, 98, 99])
})

test('bytes are kept up to a total, and the oldest go first', (t) => {
  const store = new ByteStore(10)
  store.keep('a', Buffer.alloc(4))
  store.keep('b', Buffer.alloc(4))
  store.keep('c', Buffer.alloc(4))
  t.is(store.get('a'), null)
  t.is(store.get('b')?.length, 4)
  store.keep('d', Buffer.alloc(11))
  t.is(store.get('d'), null)
  t.is(store.get('c')?.length, 4)
})

test('the ledger stays bounded, in number and in what it keeps of each request', (t) => {
  const ledger = createLedger()
  const entry = { atMs: 0, kind: 'device', method: null, path: '/p', op: 'x', numberId: null, number: '1' } as const
  for (let number = 0; number < 25_000; number++) ledger.add({ ...entry, fields: { number } })
  ledger.add({ ...entry, fields: { text: 'x'.repeat(20_000) } })
  const entries = ledger.list({ op: 'x' })
  t.is(entries.length, 10_000)
  t.deepEqual(entries.at(-2)?.fields, { number: 24_999 })
  t.deepEqual(entries.at(-1)?.fields, { isTooLarge: true })
})

test('a fault with a rate hits that share of what matches, as often as it may', (t) => {
  const draws = [0.1, 0.5, 0.19, 0.2, 0.05, 0]
  const faults = createFaults(() => draws.shift() ?? 1)
  faults.add(faultSchema.parse({ match: { op: 'x' }, times: 3, rate: 0.2, error: 'FAILED' }))
  const hits = Array.from({ length: 6 }, () => faults.take({ path: '/', op: 'x' }) !== null)
  t.deepEqual(hits, [true, false, true, false, true, false])
  t.deepEqual(faults.list(), [])
})

test('a fault cuts before the effect, behind it, or not at all', (t) => {
  const cut = (parts: object) => cutOf(faultSchema.parse(parts))
  t.is(cut({ drop: true }), 'before')
  t.is(cut({ drop: 'after' }), 'after')
  t.is(cut({ drop: true, after: true }), 'after')
  t.is(cut({ after: true }), 'after')
  t.is(cut({ after: true, status: 500 }), null)
  t.is(cut({ error: 'FAILED' }), null)
})

test('acknowledged events are forgotten, whatever number is acknowledged', (t) => {
  const log = createEventLog(10)
  for (let number = 0; number < 5; number++) log.add({ ev: 'call.ringing', callId: String(number) })
  log.acknowledge(9)
  t.is(log.unacknowledged().length, 5)
  log.acknowledge(12)
  t.deepEqual(
    log.unacknowledged().map(({ seq }) => seq),
    [13, 14],
  )
  log.acknowledge(99)
  t.deepEqual(log.unacknowledged(), [])
})
