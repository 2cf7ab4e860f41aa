import test from 'ava'
import { createMessageUpkeep } from '../src/message-upkeep.ts'
import { FakeClock } from './helpers/fake-clock.ts'
import { silentLog } from './helpers/silent.ts'

/** A queue that ends as many as it is scripted to, and counts the looks. */
function scripted(answers: (number | Error)[]) {
  const asked: { limit: number, doubtMs: number }[] = []
  return {
    asked,
    async expire(limit: number, doubtMs: number): Promise<number> {
      asked.push({ limit, doubtMs })
      const answer = answers.shift() ?? 0
      if (answer instanceof Error) throw answer
      return answer
    },
  }
}

async function pass(clock: FakeClock, ms: number): Promise<void> {
  clock.advance(ms)
  await new Promise((resolve) => setImmediate(resolve))
}

test('what waited too long is looked for every two seconds, sparing what upstream was asked for within a minute', async (t) => {
  const clock = new FakeClock()
  const queue = scripted([3, 0])
  const upkeep = createMessageUpkeep({ queue, clock, log: silentLog })
  upkeep.start()
  await pass(clock, 1_999)
  t.is(queue.asked.length, 0)
  await pass(clock, 1)
  await pass(clock, 2_000)
  t.is(queue.asked.length, 2)
  t.true(queue.asked.every(({ doubtMs }) => doubtMs >= 60_000))
  await upkeep.stop()
})

test('a full round is followed by the next at once', async (t) => {
  const clock = new FakeClock()
  const queue = scripted([500, 500, 1])
  const upkeep = createMessageUpkeep({ queue, clock, log: silentLog })
  upkeep.start()
  await pass(clock, 2_000)
  await pass(clock, 0)
  await pass(clock, 0)
  await pass(clock, 0)
  t.is(queue.asked.length, 3)
  await upkeep.stop()
})

test('a store that fails is asked again in the next round, and nothing is asked after the stop', async (t) => {
  const clock = new FakeClock()
  const queue = scripted([new Error('down'), 0])
  const upkeep = createMessageUpkeep({ queue, clock, log: silentLog })
  upkeep.start()
  await pass(clock, 2_000)
  await pass(clock, 2_000)
  t.is(queue.asked.length, 2)
  await upkeep.stop()
  await pass(clock, 10_000)
  t.is(queue.asked.length, 2)
})
