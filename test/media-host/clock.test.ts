import test from 'ava'
import { createMediaClock } from '../../media-host/clock.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'

test('30,000 slots take exactly ten minutes of the monotonic clock', (t) => {
  const time = new FakeClock()
  const clock = createMediaClock(time, silentLog)
  let slots = 0
  clock.add((passed) => {
    slots += passed
  })
  time.advance(600_000)
  t.is(slots, 30_000)
})

test('timers that fire late by different amounts lose no slot', (t) => {
  const time = new FakeClock()
  let late = 0
  const clock = createMediaClock(
    {
      monotonicMs: () => time.monotonicMs(),
      after: (delayMs, fire) => time.after(delayMs + (late++ % 7), fire),
    },
    silentLog,
  )
  let slots = 0
  clock.add((passed) => {
    slots += passed
  })
  for (let i = 0; i < 3; i++) clock.add(() => {})
  time.advance(60_010)
  t.is(slots, 3_000)
  t.true(clock.latenessP99Ms() >= 5 && clock.latenessP99Ms() <= 7)
})

test('a stall hands over the number of slots that passed, once', (t) => {
  const time = new FakeClock()
  let extraMs = 0
  const clock = createMediaClock(
    {
      monotonicMs: () => time.monotonicMs() + extraMs,
      after: (delayMs, fire) => time.after(delayMs, fire),
    },
    silentLog,
  )
  const seen: number[] = []
  clock.add((slots) => {
    seen.push(slots)
  })
  time.advance(60)
  extraMs += 500
  time.advance(60)
  t.is(seen.filter((slots) => slots > 1).length, 1)
  t.deepEqual(
    seen.find((slots) => slots > 1),
    26,
  )
  t.is(
    seen.reduce((a, b) => a + b, 0),
    31,
  )
})

test('calls are spread over four phases of the slot', (t) => {
  const time = new FakeClock()
  const clock = createMediaClock(time, silentLog)
  const phases = Array.from({ length: 8 }, () => new Set<number>())
  for (const seen of phases) clock.add(() => void seen.add(time.monotonicMs() % 20))
  time.advance(200)
  for (const seen of phases) t.is(seen.size, 1)
  t.deepEqual(
    phases.map((seen) => [...seen][0]).toSorted((a, b) => Number(a) - Number(b)),
    [0, 0, 5, 5, 10, 10, 15, 15],
  )
})

test('a call that throws disturbs neither itself nor the others', (t) => {
  const time = new FakeClock()
  const clock = createMediaClock(time, silentLog)
  let other = 0
  let own = 0
  clock.add(() => {
    own++
    throw new Error('broken')
  })
  for (let i = 0; i < 4; i++) clock.add(() => void other++)
  time.advance(100)
  t.is(own, 5)
  t.true(other >= 19)
})

test('a removed call is not called again, and a clock that is closed stops its timer', (t) => {
  const time = new FakeClock()
  let armed = 0
  const clock = createMediaClock(
    {
      monotonicMs: () => time.monotonicMs(),
      after: (delayMs, fire) => {
        armed++
        return time.after(delayMs, fire)
      },
    },
    silentLog,
  )
  let count = 0
  const remove = clock.add(() => void count++)
  t.is(clock.size, 1)
  time.advance(40)
  remove()
  t.is(clock.size, 0)
  time.advance(1_000)
  t.is(count, 2)
  clock.close()
  const before = armed
  time.advance(1_000)
  t.is(armed, before)
})

test('lateness is forgotten after ten seconds, so that a busy minute does not refuse calls for ever', (t) => {
  const time = new FakeClock()
  let lateMs = 15
  const clock = createMediaClock(
    {
      monotonicMs: () => time.monotonicMs(),
      after: (delayMs, fire) => time.after(delayMs + lateMs, fire),
    },
    silentLog,
  )
  for (let i = 0; i < 4; i++) clock.add(() => {})
  time.advance(5_000)
  t.true(clock.latenessP99Ms() > 10)
  lateMs = 0
  time.advance(12_000)
  t.true(clock.latenessP99Ms() < 1)
})

test('the few late slots of a host that just started are no percentile yet', (t) => {
  const time = new FakeClock()
  let lateMs = 15
  const clock = createMediaClock(
    {
      monotonicMs: () => time.monotonicMs(),
      after: (delayMs, fire) => time.after(delayMs + lateMs, fire),
    },
    silentLog,
  )
  clock.add(() => {})
  time.advance(1_000)
  t.is(clock.latenessP99Ms(), 0)
  lateMs = 0
  time.advance(12_000)
  t.true(clock.latenessP99Ms() < 1)
})

test('packets that arrived during a stall are read before the missed slots are handed over', (t) => {
  const time = new FakeClock()
  let extraMs = 0
  const waits: number[] = []
  const clock = createMediaClock(
    {
      monotonicMs: () => time.monotonicMs() + extraMs,
      after: (delayMs, fire) => {
        waits.push(delayMs)
        return time.after(delayMs, fire)
      },
    },
    silentLog,
  )
  clock.add(() => {})
  time.advance(60)
  const before = waits.length
  extraMs += 300
  time.advance(20)
  t.is(waits.slice(before).filter((delayMs) => delayMs === 0).length, 1)
})

/** An event loop that is always busy: each timer fires `everyMs` after the one before. */
function stalledLoop(everyMs: number) {
  const time = new FakeClock()
  const clock = createMediaClock(
    {
      monotonicMs: () => time.monotonicMs(),
      after: (delayMs, fire) => time.after(Math.max(delayMs, everyMs), fire),
    },
    silentLog,
  )
  return { time, clock }
}

test('a loop that turns every 100 ms says that its slots are late, whatever the calls', (t) => {
  for (const calls of [1, 2, 4, 75]) {
    const { time, clock } = stalledLoop(100)
    for (let i = 0; i < calls; i++) clock.add(() => {})
    time.advance(12_000)
    t.true(clock.latenessP99Ms() >= 75, `${calls} calls: ${clock.latenessP99Ms()}`)
    // 100 ms are five slots, and all of them are made up for.
    t.is(clock.lostSlots(), 0)
  }
})

test('a loop that turns every 100, 200 or 500 ms says so without a call, and one that is free says that it is (security case 4)', (t) => {
  for (const [everyMs, leastMs, mostMs] of [
    [100, 75, 101],
    [200, 155, 200],
    [500, 200, 200],
    [1, 0, 1.5],
  ] as const) {
    const time = new FakeClock()
    const clock = createMediaClock(
      {
        monotonicMs: () => time.monotonicMs(),
        after: (delayMs, fire) =>
          time.after(Math.ceil((time.monotonicMs() + delayMs) / everyMs) * everyMs - time.monotonicMs(), fire),
      },
      silentLog,
    )
    time.advance(12_000)
    const lateMs = clock.latenessP99Ms()
    t.true(lateMs >= leastMs && lateMs <= mostMs, `every ${everyMs} ms: ${lateMs}`)
  }
})

test('a host without calls knows how late it is, and how late it was is not made up for by its first call', (t) => {
  const time = new FakeClock()
  const clock = createMediaClock(time, silentLog)
  time.advance(10_000)
  t.true(clock.latenessP99Ms() < 1)
  for (let stalls = 0; stalls < 10; stalls++) {
    time.stall(90)
    time.advance(110)
  }
  t.true(clock.latenessP99Ms() >= 70, `${clock.latenessP99Ms()}`)
  t.is(clock.lostSlots(), 0)
  const seen: number[] = []
  // The host gets its first call together with work that takes long.
  time.after(0, () => clock.add((slots) => void seen.push(slots)))
  time.stall(90)
  time.advance(60)
  t.deepEqual(seen, [1, 1, 1])
})

test('slots that come too late to be caught up count as lost, for ten seconds', (t) => {
  const time = new FakeClock()
  const clock = createMediaClock(time, silentLog)
  for (let i = 0; i < 4; i++) clock.add(() => {})
  time.advance(2_000)
  t.is(clock.lostSlots(), 0)
  time.stall(500)
  time.advance(20)
  const lost = clock.lostSlots()
  // Each of the four calls missed 25 slots and sent one frame for them.
  t.true(lost >= 4 * 23 && lost <= 4 * 25, String(lost))
  time.advance(8_000)
  t.is(clock.lostSlots(), lost)
  time.advance(3_000)
  t.is(clock.lostSlots(), 0)
})

test('a process that stood still for minutes counts as late, and counts on', (t) => {
  const time = new FakeClock()
  const clock = createMediaClock(time, silentLog)
  clock.add(() => {})
  time.advance(10_000)
  time.stall(600_000)
  time.advance(200)
  t.is(clock.latenessP99Ms(), 200)
  time.advance(11_000)
  t.true(clock.latenessP99Ms() < 1)
})

test('young and old calls count for their weights while they last', (t) => {
  const time = new FakeClock()
  const clock = createMediaClock(time, silentLog)
  const ends = Array.from({ length: 6 }, () => clock.add(() => {}))
  time.advance(9_000)
  let weight = 3
  ends.push(
    clock.add(
      () => {},
      () => weight,
    ),
  )
  t.deepEqual(clock.weights(10_000), { young: 9, old: 0 })
  ends[0]?.()
  t.deepEqual(clock.weights(10_000), { young: 8, old: 0 })
  time.advance(1_000)
  t.deepEqual(clock.weights(10_000), { young: 3, old: 5 })
  weight = 0.5
  t.deepEqual(clock.weights(10_000), { young: 0.5, old: 5 })
  ends[6]?.()
  t.deepEqual(clock.weights(10_000), { young: 0, old: 5 })
  clock.close()
})
