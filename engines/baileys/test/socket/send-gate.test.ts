import test from 'ava'
import { gateSends, type Wire } from '../../socket/send-gate.ts'

/** A wire that collects what is sent, and the errors of the gate before it. */
function world() {
  const sent: unknown[] = []
  const failures: unknown[] = []
  const wire: Wire = { send: (...given) => void sent.push(given[0]) }
  const gate = gateSends(wire, (error) => failures.push(error))
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
