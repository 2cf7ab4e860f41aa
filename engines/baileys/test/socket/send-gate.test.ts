import test from 'ava'
import { gateSends, type Right, type Wire } from '../../socket/send-gate.ts'

const SURE: Right = { isSure: () => true, sure: async () => {} }

/** A wire that collects what is sent, and the errors of the gate before it. */
function world(right: Right = SURE) {
  const sent: unknown[] = []
  const failures: unknown[] = []
  const wire: Wire = { send: (...given) => void sent.push(given[0]) }
  const gate = gateSends(wire, right, (error) => failures.push(error))
  return { sent, failures, wire, gate }
}

test('nothing is sent until all that has to be kept is kept, then everything in its order', async (t) => {
  const { sent, wire, gate } = world()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  wire.send('a')
  gate.holdUntil(first.promise)
  wire.send('b')
  gate.holdUntil(second.promise)
  wire.send('c')
  first.resolve()
  await first.promise
  t.deepEqual(sent, ['a'])
  second.resolve()
  await second.promise
  t.deepEqual(sent, ['a', 'b', 'c'])
  wire.send('d')
  t.deepEqual(sent, ['a', 'b', 'c', 'd'])
})

test('when something could not be kept nothing is ever sent again, and every sender is told', async (t) => {
  const { sent, failures, wire, gate } = world()
  const lost = new Error('the disk is full')
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const told: unknown[] = []
  gate.holdUntil(first.promise)
  gate.holdUntil(second.promise)
  wire.send('a', (error: unknown) => told.push(error))
  first.reject(lost)
  await t.throwsAsync(first.promise)
  second.resolve()
  await second.promise
  wire.send('b', (error: unknown) => told.push(error))
  t.deepEqual(sent, [])
  t.deepEqual(failures, [lost])
  t.is(told.filter((error) => error instanceof Error).length, 2)
})

// [engine-fleet.store.4]
test('while another engine may hold the number nothing is sent, and what waited is sent once the hold is sure again', async (t) => {
  const sure = Promise.withResolvers<void>()
  let isSure = true
  const { sent, wire } = world({ isSure: () => isSure, sure: () => sure.promise })
  wire.send('a')
  isSure = false
  wire.send('b')
  wire.send('c')
  t.deepEqual(sent, ['a'])
  isSure = true
  sure.resolve()
  await sure.promise
  t.deepEqual(sent, ['a', 'b', 'c'])
})

// [engine-fleet.store.4]
test('once another engine holds the number nothing is ever sent again', async (t) => {
  const over = new Error('its lease is lost')
  const { sent, failures, wire } = world({ isSure: () => false, sure: () => Promise.reject(over) })
  const told = Promise.withResolvers<unknown>()
  wire.send('a', (error: unknown) => told.resolve(error))
  t.truthy(await told.promise)
  wire.send('b')
  t.deepEqual([sent, failures], [[], [over]])
})
