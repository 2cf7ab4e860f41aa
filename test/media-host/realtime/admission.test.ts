import test from 'ava'
import { createMediaClock } from '../../../media-host/clock.ts'
import { mostShareOf } from '../../../media-host/legs/call-work.ts'
import type { CallWork } from '../../../media-host/legs/call-work.ts'
import { createLoopLoad, missingShare, YOUNG_MS } from '../../../media-host/realtime/loop-load.ts'
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

interface Filling {
  /** What a call takes of the thread per slot, by its age in ms. */
  readonly costMs: (ageMs: number) => number
  /** Other work that comes every two seconds, in ms. */
  readonly stallMs: number
  /** Between two calls, in ms. */
  readonly everyMs?: number
  /** What its handshake takes, in ms. */
  readonly handshakeMs?: number
  readonly work?: CallWork
}

/** Offers calls one after another for two minutes. */
function fill({ costMs, stallMs, everyMs = 200, handshakeMs = 0, work = 'coded' }: Filling) {
  const thread = new OneThread()
  const clock = createMediaClock(thread, silentLog)
  const loop = createLoopLoad(() => thread.times())
  const admission = createAdmission({
    latenessP99Ms: () => clock.latenessP99Ms(),
    lostSlots: () => clock.lostSlots(),
    busyShare: () => loop.busyShare(clock.weights(YOUNG_MS)),
    get size() {
      return clock.size
    },
  })
  let lost = 0
  let worstMs = 0
  for (let atMs = everyMs; atMs <= 120_000; atMs += everyMs) {
    thread.runUntil(atMs)
    if (atMs % 1_000 === 0) loop.sample(clock.weights(YOUNG_MS))
    if (atMs % 2_000 === 0) thread.work(stallMs)
    if (admission.isOpen) {
      thread.work(handshakeMs)
      const beganMs = thread.nowMs
      clock.add(
        (slots) => thread.work(costMs(thread.nowMs - beganMs) * slots),
        () => mostShareOf(work),
      )
    }
    lost = Math.max(lost, clock.lostSlots())
    worstMs = Math.max(worstMs, clock.latenessP99Ms())
  }
  return { calls: clock.size, lost, latenessMs: clock.latenessP99Ms(), worstMs }
}

test('a host lets calls in until it is full, and loses no frame of those it took', (t) => {
  for (const [costMs, stallMs] of [
    [0.2, 0],
    [0.25, 5],
    [0.3, 15],
    [1, 15],
    [0.25, 40],
  ] as const) {
    const { calls, lost, latenessMs } = fill({ costMs: () => costMs, stallMs })
    t.is(lost, 0, `${costMs} ms a call, stalls of ${stallMs} ms`)
    t.true(latenessMs < 40, `${latenessMs} ms late`)
    t.true(calls >= 8 && calls * costMs < 20 * 0.95, `${calls} calls`)
    if (stallMs < 40) t.true(calls * costMs > 20 * 0.7, `${calls} calls of ${costMs} ms`)
  }
})

test('a host whose calls begin quiet shuts before they talk: none of their audio is late', (t) => {
  for (const [talkingMs, quietForMs, everyMs] of [
    [0.2, 3_000, 200],
    [0.2, 3_000, 50],
    [0.2, 9_000, 50],
    [0.3, 3_000, 50],
    [0.3, 9_000, 100],
  ] as const) {
    const costMs = (ageMs: number) => (ageMs < quietForMs ? talkingMs / 4 : talkingMs)
    const { calls, lost, worstMs } = fill({ costMs, stallMs: 5, everyMs, handshakeMs: 7 })
    const what = `${talkingMs} ms a call after ${quietForMs} ms, one each ${everyMs} ms: ${calls} calls, ${worstMs} ms late`
    t.is(lost, 0, what)
    t.true(worstMs <= 10, what)
    t.true(calls * talkingMs > 20 * 0.65, what)
  }
})

test('a young call counts as what an old one takes at most, without old ones as if both sides talked', (t) => {
  const times = { active: 0, idle: 0 }
  const load = createLoopLoad(() => times)
  const coded = (calls: number, young: number) => ({ young: young * 0.015, old: (calls - young) * 0.015 })
  const second = (share: number, calls: number) => {
    times.active += share * 1_000
    times.idle += (1 - share) * 1_000
    load.sample(coded(calls, 0))
  }
  for (let n = 0; n < 3; n++) second(0.2, 40)
  const near = (found: number, wanted: number) => t.true(Math.abs(found - wanted) < 0.001, `${found}`)
  near(load.busyShare(coded(40, 0)), 0.2)
  near(load.busyShare(coded(40, 40)), 0.2 + 40 * 0.01)
  near(load.busyShare(coded(40, 20)), 0.2 + 20 * 0.005)
  near(load.busyShare(coded(40, 4)), 0.2 + 4 * (0.2 / 36 - 0.005))
  for (let n = 0; n < 3; n++) second(0.8, 40)
  near(load.busyShare(coded(40, 20)), 0.8)
})

test('what a young call misses is that of calls of its kind, and of the costliest kind while it is unknown', (t) => {
  t.deepEqual([mostShareOf('packets'), mostShareOf('coded'), mostShareOf('unknown')], [0.005, 0.015, 0.015])
  const near = (found: number, wanted: number) => t.true(Math.abs(found - wanted) < 0.0001, `${found}`)
  near(missingShare(0, { young: 0, old: 0 }), 0)
  near(missingShare(0.5, { young: 0, old: 1 }), 0)
  near(missingShare(0, { young: 50 * 0.005, old: 0 }), 0.25)
  // 150 calls of packets that take 0.33 % each, 50 of them young: the old ones take 0.495 % at most.
  near(missingShare(0.495, { young: 50 * 0.005, old: 100 * 0.005 }), 50 * (0.00495 - 0.0033))
  // 20 calls that talk join 200 of packets: they count for three of those.
  near(missingShare(0.6, { young: 20 * 0.015, old: 200 * 0.005 }), 20 * 0.015 * (0.6 - 0.6 / 1.3))
  // Old calls that take more than they should show that the machine is slow; more than their most none counts for.
  near(missingShare(0.8, { young: 20 * 0.005, old: 100 * 0.005 }), 0)
})

test('a host of calls of packets is filled by those that begin quiet, at any pace, and none of its audio is late', (t) => {
  for (const [sendingMs, quietForMs, everyMs] of [
    [0.066, 0, 200],
    [0.066, 3_000, 200],
    [0.066, 3_000, 50],
    [0.066, 9_000, 50],
    [0.1, 9_000, 50],
  ] as const) {
    const costMs = (ageMs: number) => (ageMs < quietForMs ? sendingMs / 4 : sendingMs)
    const { calls, lost, worstMs } = fill({ costMs, stallMs: 5, everyMs, handshakeMs: 5, work: 'packets' })
    const what = `${sendingMs} ms a call after ${quietForMs} ms, one each ${everyMs} ms: ${calls} calls, ${worstMs} ms late`
    t.is(lost, 0, what)
    t.true(worstMs <= 10, what)
    t.true(calls * sendingMs > 20 * 0.65, what)
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
    [{ lateMs: 8.5 }, { lateMs: 6 }, { lateMs: 4.5 }],
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
