import type { NumberId } from '../../src/domain/ids.ts'
import type { LeaseTimes } from '../../src/domain/lease-times.ts'
import { Turns } from '../../src/domain/turns.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Fence } from '../../src/ports/leases.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Census, Placement } from '../../src/ports/placement.ts'
import { warnOf } from '../../src/leases/ownership.ts'

/** [nodes.placement.2]: every 10 s a node above its share by more than 10 % gives numbers back, at most 20 a second. */
const BALANCE_MS = 10_000
const TOLERANCE = 1.1
const HAND_OVER_MS = 1_000
const HAND_OVERS = 20
/**
 * our choice: numbers taken by one statement. They are started before more are taken, so a node that starts slowly
 * takes fewer.
 */
const BATCH = 100
/** our choice: a number that no node below its share took within this many looks may be taken by any node. */
const PATIENT_LOOKS = 3
/** our choice: paired numbers in one page of the walk, which finds numbers that no index names. */
const PAGE = 1_000
/** our choice: the ms from the end of a walk that found every number held to the next walk. */
const WALK_REST_MS = 10_000
/** our choice: numbers that are handed over within this many ms share a look. */
const GATHER_MS = 50

export interface PlacingDeps {
  readonly placement: Placement
  readonly times: LeaseTimes
  readonly clock: Clock
  readonly log: Log
  /** Starts a number that was taken; resolves when it is loaded. Never rejects. */
  host(fence: Fence, sentMs: number): Promise<void>
  /** Takes and starts a number that no node seems to hold. Never rejects. */
  wake(numberId: NumberId): Promise<void>
  /** Gives back up to `count` numbers with nothing under way, for other nodes; answers how many. Never rejects. */
  handOver(count: number): Promise<number>
}

/** Decides which numbers this node takes and gives back ([nodes.placement.1] [nodes.placement.2]). */
export interface Placing {
  /** Takes this node's part of the numbers, then goes on looking and balancing; resolves once each number was tried. */
  start(): Promise<void>
  /** Takes, soon, this node's part of numbers that were handed over. Calling it often costs little. */
  wake(): void
  /** Stops taking numbers and giving them back. */
  stop(): void
}

/** Creates the placing of a node. */
export function createPlacing(deps: PlacingDeps): Placing {
  return new Spread(deps)
}

/** How many numbers this node may take: what it lacks to its share. Never negative. */
export function roomOf({ nodes, numbers, mine }: Census): number {
  return Math.max(0, Math.ceil(numbers / Math.max(1, nodes)) - mine)
}

/** How many numbers a node gives back: none up to a tenth above its share. */
export function surplusOf({ nodes, numbers, mine }: Census): number {
  const share = numbers / Math.max(1, nodes)
  return mine > share * TOLERANCE ? Math.max(0, mine - Math.ceil(share)) : 0
}

class Spread implements Placing {
  readonly #deps: PlacingDeps
  readonly #timers = new Set<Timer>()
  #cursor: NumberId | null = null
  #isStarted = false
  #isStopped = false
  #isWoken = false
  /** Only one taking runs at a time, because two would each count the same share. */
  readonly #taking = new Turns()
  /** Looks in a row that found numbers without an owner. */
  #looks = 0

  constructor(deps: PlacingDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    await this.#tried('numbers could not be taken', () => this.#take())
    do await this.#walk()
    while (this.#cursor !== null && !this.#isStopped)
    this.#isStarted = true
    this.#after(this.#deps.times.lookMs, () => void this.#watch())
    this.#after(this.#deps.times.renewMs, () => void this.#stroll())
    this.#every(BALANCE_MS, () => this.#tried('numbers could not be balanced', () => this.#balance()))
  }

  wake(): void {
    if (this.#isWoken || !this.#isStarted) return
    this.#isWoken = true
    this.#after(GATHER_MS, () => {
      this.#isWoken = false
      void this.#tried('numbers could not be taken', () => this.#take())
    })
  }

  stop(): void {
    this.#isStopped = true
    for (const timer of this.#timers) timer.cancel()
  }

  /**
   * Looks for ever: often while a number needs an owner, else when the next node can be dead at the earliest, because
   * handed-over numbers are announced.
   */
  async #watch(): Promise<void> {
    const { lookMs, ttlMs, graceMs } = this.#deps.times
    let restMs = lookMs
    await this.#tried('numbers could not be taken', async () => {
      const { isWanted, deathInMs } = await this.#deps.placement.look()
      this.#looks = isWanted ? this.#looks + 1 : 0
      if (isWanted) await this.#take()
      // A node that joins meanwhile lives at least that long.
      else restMs = Math.max(lookMs, Math.min(deathInMs ?? Infinity, ttlMs + graceMs))
    })
    this.#after(restMs, () => void this.#watch())
  }

  #take(): Promise<void> {
    return this.#taking.run(() => this.#takeBatches())
  }

  /** Takes numbers, a batch at a time, until this node has its share or nothing is left. */
  async #takeBatches(): Promise<void> {
    const { placement, clock } = this.#deps
    while (!this.#isStopped) {
      const room = this.#looks > PATIENT_LOOKS ? BATCH : Math.min(BATCH, roomOf(await placement.census()))
      if (room === 0 || this.#isStopped) return
      const sentMs = clock.monotonicMs()
      const fences = await placement.claim(room)
      await Promise.all(fences.map((fence) => this.#deps.host(fence, sentMs)))
      if (fences.length < room) return
    }
  }

  /** Walks for ever, one page per renewal, and pauses after a walk that found nothing. */
  async #stroll(): Promise<void> {
    const isCalm = await this.#walk()
    this.#after(isCalm && this.#cursor === null ? WALK_REST_MS : this.#deps.times.renewMs, () => void this.#stroll())
  }

  /** Looks at the next page; answers whether every number on it is held. */
  async #walk(): Promise<boolean> {
    let found = 0
    const isDone = await this.#tried('paired numbers could not be listed', async () => {
      const { free, next } = await this.#deps.placement.listFree(this.#cursor, PAGE)
      found = free.length
      await Promise.all(free.map((numberId) => this.#deps.wake(numberId)))
      this.#cursor = next
    })
    if (!isDone) this.#cursor = null
    return isDone && found === 0
  }

  async #balance(): Promise<void> {
    let surplus = surplusOf(await this.#deps.placement.census())
    for (let left = BALANCE_MS / HAND_OVER_MS - 1; surplus > 0 && left > 0 && !this.#isStopped; left--) {
      surplus -= await this.#deps.handOver(Math.min(HAND_OVERS, surplus))
      if (surplus > 0) await new Promise<void>((resolve) => this.#after(HAND_OVER_MS, resolve))
    }
  }

  async #tried(trouble: string, run: () => Promise<void>): Promise<boolean> {
    try {
      await run()
      return true
    } catch (error) {
      warnOf(this.#deps.log, error, trouble)
      return false
    }
  }

  #every(delayMs: number, run: () => Promise<unknown>): void {
    this.#after(delayMs, () => void run().finally(() => this.#every(delayMs, run)))
  }

  #after(delayMs: number, fire: () => void): void {
    if (this.#isStopped) return
    const timer = this.#deps.clock.after(delayMs, () => {
      this.#timers.delete(timer)
      fire()
    })
    this.#timers.add(timer)
  }
}
