import { setImmediate } from 'node:timers/promises'
import test from 'ava'
import { createEnding, IMPATIENT_MS } from '../../media-host/ending.ts'
import { FakeClock } from '../helpers/fake-clock.ts'

function world(drainMs: number) {
  const clock = new FakeClock()
  const done: string[] = []
  const drained = Promise.withResolvers<void>()
  const ending = createEnding({
    clock,
    drainMs,
    drain() {
      done.push('drain')
      return drained.promise
    },
    async close() {
      done.push('close')
    },
    exit: () => void done.push('exit'),
  })
  return { clock, done, ending, drained }
}

test('asked to end, a host drains and closes when its last call has ended', async (t) => {
  const { done, ending, drained } = world(600_000)
  ending.asked()
  await setImmediate()
  t.deepEqual(done, ['drain'])
  drained.resolve()
  await setImmediate()
  t.deepEqual(done, ['drain', 'close', 'exit'])
})

// [media-hosts.sigterm.2]
test('calls that go on are waited for as long as is allowed, no longer', async (t) => {
  const { clock, done, ending } = world(600_000)
  ending.asked()
  clock.advance(599_999)
  await setImmediate()
  t.deepEqual(done, ['drain'])
  clock.advance(1)
  await setImmediate()
  t.deepEqual(done, ['drain', 'close', 'exit'])
})

// [media-hosts.sigterm.3]
test('a second signal after more than 2 s ends the host at once, an earlier one counts as the same signal', async (t) => {
  const { clock, done, ending } = world(600_000)
  ending.asked()
  clock.advance(IMPATIENT_MS)
  ending.asked()
  await setImmediate()
  t.deepEqual(done, ['drain'])
  clock.advance(1)
  ending.asked()
  ending.asked()
  await setImmediate()
  t.deepEqual(done, ['drain', 'close', 'exit'])
})

test('a host that loses its parent closes at once', async (t) => {
  const { done, ending } = world(600_000)
  ending.now()
  ending.asked()
  await setImmediate()
  t.is(done.filter((step) => step === 'close').length, 1)
  t.is(done[0], 'close')
})
