import test from 'ava'
import { createMediaClock } from '../../../media-host/clock.ts'
import { createLoopLoad } from '../../../media-host/realtime/loop-load.ts'
import { createAdmission } from '../../../media-host/realtime/admission.ts'
import { silentLog } from '../../helpers/silent.ts'

/** A thread with simulated time: work takes time, and timers fire only when the thread is free. */
class OneThread {
  nowMs = 0
  #timers: { readonly dueMs: number; readonly fire: () => void }[] = []
  #busyMs = 0

  monotonicMs(): number {
    return this.nowMs
  }

  after(delayMs: number, fire: () => void) {
    const timer = { dueMs: this.nowMs + delayMs, fire }
    this.#timers.push(timer)
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((other) => other !== timer)
      },
    }
  }

  work(ms: number): void {
    this.nowMs += ms
    this.#busyMs += ms
  }

  runUntil(endMs: number): void {
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.dueMs - b.dueMs)[0]
      if (!next || Math.max(next.dueMs, this.nowMs) > endMs) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.nowMs = Math.max(this.nowMs, next.dueMs)
      next.fire()
    }
    this.nowMs = Math.max(this.nowMs, endMs)
  }

  times() {
    return { active: this.#busyMs, idle: this.nowMs - this.#busyMs }
  }
}

/**
 * Adds calls one after another until one is refused. Each call takes `costMs` of the thread per slot, and other work of
 * `stallMs` comes every two seconds.
 */
function fill(costMs: number, stallMs: number) {
  const thread = new OneThread()
  const clock = createMediaClock(thread, silentLog)
  const loop = createLoopLoad(() => thread.times())
  const admission = createAdmission({
    latenessP99Ms: () => clock.latenessP99Ms(),
    lostSlots: () => clock.lostSlots(),
    busyShare: () => loop.busyShare(clock.size),
    get size() {
      return clock.size
    },
  })
  let lost = 0
  for (let turn = 1; turn <= 600; turn++) {
    thread.runUntil(turn * 200)
    if (turn % 5 === 0) loop.sample(clock.size)
    if (turn % 10 === 0) thread.work(stallMs)
    if (admission.isOpen) clock.add((slots) => thread.work(costMs * slots))
    lost = Math.max(lost, clock.lostSlots())
  }
  return { calls: clock.size, lost, latenessMs: clock.latenessP99Ms() }
}

test('a host lets calls in until it is full, and loses no frame of those it took', (t) => {
  for (const [costMs, stallMs] of [
    [0.2, 0],
    [0.25, 5],
    [0.3, 15],
    [1, 15],
    [0.25, 40],
  ] as const) {
    const { calls, lost, latenessMs } = fill(costMs, stallMs)
    t.is(lost, 0, `${costMs} ms a call, stalls of ${stallMs} ms`)
    t.true(latenessMs < 40, `${latenessMs} ms late`)
    t.true(calls >= 8 && calls * costMs < 20 * 0.95, `${calls} calls`)
    if (stallMs < 40) t.true(calls * costMs > 20 * 0.7, `${calls} calls of ${costMs} ms`)
  }
})

test('a lost frame shuts a host, lateness and a full thread too; with few calls it stays open', (t) => {
  const load = { lateMs: 0, lost: 0, share: 0, size: 8 }
  const admission = createAdmission({
    latenessP99Ms: () => load.lateMs,
    lostSlots: () => load.lost,
    busyShare: () => load.share,
    get size() {
      return load.size
    },
  })
  for (const [shut, between, open] of [
    [{ lateMs: 10.5 }, { lateMs: 8 }, { lateMs: 5.5 }],
    [{ share: 0.9 }, { share: 0.8 }, { share: 0.7 }],
    [{ lost: 1 }, { lost: 1 }, { lost: 0 }],
  ]) {
    t.true(admission.isOpen)
    Object.assign(load, shut)
    t.false(admission.isOpen)
    Object.assign(load, between)
    t.false(admission.isOpen)
    load.size = 7
    t.true(admission.isOpen)
    load.size = 8
    Object.assign(load, open)
    t.true(admission.isOpen)
  }
})

test('the guaranteed number of calls is accepted however late audio is', (t) => {
  const load = { size: 99 }
  const admission = createAdmission(
    {
      latenessP99Ms: () => 500,
      lostSlots: () => 9,
      busyShare: () => 1,
      get size() {
        return load.size
      },
    },
    100,
  )
  t.true(admission.isOpen)
  load.size = 100
  t.false(admission.isOpen)
})
