import fc from 'fast-check'
import test from 'ava'
import type { NodeId, NumberId } from '../../../../src/domain/ids.ts'
import { leaseTimesOf } from '../../../../src/domain/lease-times.ts'
import type { Clock } from '../../../../src/ports/clock.ts'
import type { Leases } from '../../../../src/ports/leases.ts'
import { FakeClock } from '../../../../test/helpers/fake-clock.ts'
import { createLog } from '../../process/log.ts'
import type { Hold, Holds } from '../../store/hold.ts'
import { leasedHolds } from '../../store/leased-holds.ts'

const TIMES = leaseTimesOf(9_000)
const ENGINES = 3
const NUMBERS = ['num_1', 'num_2']
/** Ms of a step of the world. */
const STEP_MS = 250

/** The rows of the leases as the database has them, by its own clock. */
class Rows {
  nowMs = 0
  readonly #rows = new Map<string, { owner: string | null; token: number; untilMs: number }>()

  leasesOf(engineId: string, reach: <T>(work: () => T) => Promise<T>): Leases {
    const own = (id: string) => this.#rows.get(id)?.owner === engineId
    const extend = (id: string) => this.#rows.set(id, { ...this.#rows.get(id)!, untilMs: this.nowMs + TIMES.ttlMs })
    return {
      nodeId: engineId as NodeId,
      times: TIMES,
      acquire: (numberId) =>
        reach(() => {
          const row = this.#rows.get(numberId)
          if (row && row.owner !== null && !own(numberId) && row.untilMs + TIMES.graceMs >= this.nowMs) return null
          const token = (row?.token ?? 0) + 1
          this.#rows.set(numberId, { owner: engineId, token, untilMs: this.nowMs + TIMES.ttlMs })
          return { numberId, token }
        }),
      renew: () =>
        reach(() => {
          const mine = [...this.#rows.keys()].filter(own) as NumberId[]
          const [kept, over] = [true, false].map((isLive) =>
            mine.filter((id) => this.#rows.get(id)!.untilMs > this.nowMs === isLive),
          ) as [NumberId[], NumberId[]]
          kept.forEach(extend)
          return { kept, over }
        }),
      reclaim: (fences) =>
        reach(() => {
          const mine = fences.filter(
            ({ numberId, token }) => own(numberId) && this.#rows.get(numberId)?.token === token,
          )
          mine.forEach(({ numberId }) => extend(numberId))
          return mine.map(({ numberId }) => numberId)
        }),
      release: ({ numberId, token }) =>
        reach(() => {
          const row = this.#rows.get(numberId)
          if (row?.token === token && own(numberId))
            this.#rows.set(numberId, { ...row, owner: null, untilMs: this.nowMs })
        }),
      ownerOf: () => reach(() => null),
    }
  }
}

/** An engine whose process can stand still, and whose way to the database can be cut or slow. */
class Engine {
  readonly #fake = new FakeClock(0)
  readonly #holds: Holds
  readonly #open = new Map<string, Hold>()
  readonly #due: { atMs: number; run: () => void }[] = []
  #behindMs = 0
  #pausedMs = 0
  isCut = false
  delayMs = 0

  constructor(rows: Rows, id: string) {
    const clock: Clock = {
      now: () => this.#fake.now(),
      monotonicMs: () => this.#fake.monotonicMs() + this.#behindMs,
      after: (delayMs, fire) => this.#fake.after(delayMs, fire),
    }
    const reach = <T>(work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        if (this.isCut) return reject(new Error('the database is away'))
        // It reaches the database at once, and its answer comes late.
        const result = work()
        this.#due.push({ atMs: rows.nowMs + this.delayMs, run: () => resolve(result) })
      })
    this.#holds = leasedHolds({ leases: rows.leasesOf(id, reach), clock, log: createLog('silent', () => {}) })
  }

  get isPaused(): boolean {
    return this.#pausedMs > 0
  }

  pause(ms: number): void {
    this.#pausedMs = Math.max(this.#pausedMs, ms)
  }

  take(numberId: string): void {
    if (this.isPaused || this.#open.has(numberId)) return
    this.#holds.take(numberId).then(
      (hold) => {
        this.#open.set(numberId, hold)
        hold.over.addEventListener('abort', () => this.#open.delete(numberId))
        if (hold.over.aborted) this.#open.delete(numberId)
      },
      () => {},
    )
  }

  giveBack(numberId: string): void {
    if (!this.isPaused) void this.#open.get(numberId)?.release()
  }

  /** Whether this engine would send for the number now. */
  sends(numberId: string): boolean {
    return !this.isPaused && this.#open.get(numberId)?.isSure() === true
  }

  /** Lets a step pass; `look` is called where a process that stood still runs again, before any of its timers. */
  step(nowMs: number, look: () => void): void {
    if (this.isPaused) {
      this.#behindMs += STEP_MS
      this.#pausedMs -= STEP_MS
      if (this.isPaused) return
      look()
      const stalledMs = this.#behindMs
      this.#behindMs = 0
      this.#fake.stall(stalledMs)
    } else {
      this.#fake.advance(STEP_MS)
    }
    for (const { run } of this.#due.splice(0, this.#due.filter(({ atMs }) => atMs <= nowMs).length)) run()
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const engine = fc.nat(ENGINES - 1)
const number = fc.constantFrom(...NUMBERS)
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('give' as const), engine, number }),
    fc.record({
      do: fc.constant('pause' as const),
      engine,
      ms: fc.integer({ min: 1, max: 80 }).map((n) => n * STEP_MS),
    }),
    fc.record({ do: fc.constant('cut' as const), engine, is: fc.boolean() }),
    fc.record({
      do: fc.constant('slow' as const),
      engine,
      ms: fc.integer({ min: 0, max: 16 }).map((n) => n * STEP_MS),
    }),
    fc.record({ do: fc.constant('wait' as const), steps: fc.integer({ min: 1, max: 60 }) }),
  ),
  { minLength: 5, maxLength: 40 },
)

// [engine-fleet.store.4]
test('two engines never send for one number at once, whatever pauses, however slow or cut off its database is', async (t) => {
  let sent = 0
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      const rows = new Rows()
      const engines = Array.from({ length: ENGINES }, (_, n) => new Engine(rows, `eng_${n}`))
      let asked = 0
      const look = (): void => {
        for (const id of NUMBERS) {
          const senders = engines.filter((one) => one.sends(id)).length
          sent += senders
          if (senders > 1) throw new Error(`${senders} engines send for ${id}`)
        }
      }
      for (const step of plan) {
        const one = 'engine' in step ? engines[step.engine]! : null
        if (step.do === 'give') one!.giveBack(step.number)
        if (step.do === 'pause') one!.pause(step.ms)
        if (step.do === 'cut') one!.isCut = step.is
        if (step.do === 'slow') one!.delayMs = step.ms
        for (let n = 0; n < (step.do === 'wait' ? step.steps : 1); n++) {
          rows.nowMs += STEP_MS
          for (const each of engines) each.step(rows.nowMs, look)
          // Gateways ask one engine after the other for a number that nobody has for them.
          for (const id of NUMBERS) if (!engines.some((each) => each.sends(id))) engines[asked++ % ENGINES]!.take(id)
          await turn()
          look()
        }
      }
    }),
    { numRuns: 200 },
  )
  t.true(sent > 1_000, 'numbers are held at all')
})
