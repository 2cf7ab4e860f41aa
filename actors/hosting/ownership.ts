import type { NumberId } from '../../src/domain/ids.ts'
import { unlessAway } from '../../src/domain/store-away.ts'
import type { Clock, Timer } from '../../src/ports/clock.ts'
import type { Fence, Leases } from '../../src/ports/leases.ts'
import type { Log } from '../../src/ports/log.ts'

/**
 * our choice: after a stall the rows have so many checks to say whose the numbers are, in which this process did run;
 * an ask that fails is repeated with each. Together with the safety and the grace of a lease a short stall still ends
 * before another node may begin.
 */
const ASK_CHECKS = 3

interface Held {
  readonly fence: Fence
  /** Monotonic ms at which the statement that last confirmed the lease was sent. */
  confirmedMs: number
  /** Monotonic ms at which the lease was known to be ours: a renewal sent before it says nothing about it. */
  readonly heldSinceMs: number
}

export interface OwnershipDeps {
  readonly leases: Leases
  readonly clock: Clock
  readonly log: Log
  /** The number is not ours any more: close what it holds, write nothing. */
  lost(numberId: NumberId): void
  /** The rows name this node, and nothing here holds the numbers: they were given up, and nobody else took them. */
  found(numberIds: readonly NumberId[]): void
  /** Another process has this node's name now; all that was held is lost already. Told once. */
  replaced(): void
}

/** The rows are being asked whose the numbers are; until they said so, no deadline counts. */
interface Asking {
  checksLeft: number
  isSent: boolean
}

/**
 * The leases this node holds ([configuration.variables.30]): one renewal for all, and a deadline of its own for each. A
 * process that did not run for a while asks the rows before it gives anything up: time that passed without it took
 * nothing from it, only another node can.
 */
export interface Ownership {
  /** Null while another node holds the number; throws when the database does. */
  acquire(numberId: NumberId): Promise<Fence | null>
  /** Holds what was taken by other means than `acquire`, by a statement sent at `sentMs` of the monotonic clock. */
  hold(fences: readonly Fence[], sentMs: number): void
  /** Whether this very lease is held still. */
  holds(fence: Fence): boolean
  /** Gives the number back; `isWanted`: for another node to take at once. */
  release(numberId: NumberId, isWanted?: boolean): Promise<void>
  /** Forgets a lease that was lost. */
  forget(numberId: NumberId): void
  start(): void
  stop(): void
}

/**
 * Creates the holder of leases. It trusts only its own monotonic clock, counted from when a renewal was sent, and its
 * rows after a stall.
 */
export function createOwnership(deps: OwnershipDeps): Ownership {
  return new LeaseHolder(deps)
}

class LeaseHolder implements Ownership {
  readonly #deps: OwnershipDeps
  readonly #held = new Map<NumberId, Held>()
  /** Given back, or about to be: a renewal under way may still name them. */
  readonly #releasing = new Set<NumberId>()
  readonly #released = new Set<NumberId>()
  #timers: Timer[] = []
  #isRunning = false
  #isRenewing = false
  /** The last renewal failed: it is tried again with the next look, not only with the next turn. */
  #isRenewalDue = false
  /** Monotonic ms at which the process was last seen to run. */
  #ranMs = 0
  #stalls = 0
  #asking: Asking | null = null
  #isReplaced = false

  constructor(deps: OwnershipDeps) {
    this.#deps = deps
  }

  async acquire(numberId: NumberId): Promise<Fence | null> {
    const { leases, clock } = this.#deps
    const sentMs = clock.monotonicMs()
    const stalls = this.#stalls
    const fence = await leases.acquire(numberId)
    this.#noticeStall()
    if (!fence) return null
    this.#held.set(numberId, { fence, confirmedMs: sentMs, heldSinceMs: clock.monotonicMs() })
    if (stalls !== this.#stalls) this.#beginAsking()
    return fence
  }

  hold(fences: readonly Fence[], sentMs: number): void {
    const heldSinceMs = this.#deps.clock.monotonicMs()
    for (const fence of fences) this.#held.set(fence.numberId, { fence, confirmedMs: sentMs, heldSinceMs })
    // Taken across a stall: the rows know.
    if (heldSinceMs - sentMs >= this.#deps.leases.times.stallMs) this.#beginAsking()
  }

  holds({ numberId, token }: Fence): boolean {
    return this.#held.get(numberId)?.fence.token === token
  }

  async release(numberId: NumberId, isWanted = false): Promise<void> {
    const lease = this.#held.get(numberId)
    this.#held.delete(numberId)
    if (!lease) return
    this.#releasing.add(numberId)
    await this.#deps.leases.release(lease.fence, isWanted).catch((error: unknown) => {
      this.#deps.log.warn({ numberId, errorName: nameOf(error) }, 'lease could not be released')
    })
    if (this.#isRenewing) this.#released.add(numberId)
    else this.#releasing.delete(numberId)
  }

  forget(numberId: NumberId): void {
    this.#held.delete(numberId)
  }

  start(): void {
    this.#isRunning = true
    this.#ranMs = this.#deps.clock.monotonicMs()
    const { renewMs, checkMs } = this.#deps.leases.times
    this.#every(0, renewMs, () => void this.#renew())
    this.#every(1, checkMs, () => this.#check())
  }

  stop(): void {
    this.#isRunning = false
    for (const timer of this.#timers) timer.cancel()
    this.#timers = []
  }

  #every(index: number, delayMs: number, run: () => void): void {
    if (!this.#isRunning) return
    this.#timers[index] = this.#deps.clock.after(delayMs, () => {
      run()
      this.#every(index, delayMs, run)
    })
  }

  #lose(numberId: NumberId, why: string): void {
    this.#held.delete(numberId)
    this.#deps.log.warn({ numberId, why }, 'lease lost')
    this.#deps.lost(numberId)
  }

  /** Looked at wherever time or an answer is judged: which of them comes first after a stall is chance. */
  #noticeStall(): void {
    if (!this.#isRunning) return
    const nowMs = this.#deps.clock.monotonicMs()
    const { checkMs, stallMs } = this.#deps.leases.times
    const stalledMs = nowMs - this.#ranMs - checkMs
    this.#ranMs = nowMs
    if (stalledMs < stallMs) return
    this.#stalls++
    this.#deps.log.warn(
      { stalledMs: Math.round(stalledMs), numbers: this.#held.size },
      'the process did not run for a while; the lease rows are asked',
    )
    this.#beginAsking()
  }

  #beginAsking(): void {
    if (this.#held.size === 0) return
    this.#asking = { checksLeft: ASK_CHECKS, isSent: false }
    void this.#ask(this.#asking)
  }

  async #ask(asking: Asking): Promise<void> {
    asking.isSent = true
    const sentMs = this.#deps.clock.monotonicMs()
    const asked = [...this.#held.values()]
    try {
      const kept = new Set(await this.#deps.leases.reclaim(asked.map(({ fence }) => fence)))
      this.#noticeStall()
      // Too late, or overtaken by another stall and its own ask.
      if (this.#asking !== asking) return
      this.#asking = null
      for (const lease of asked) {
        const { numberId } = lease.fence
        if (kept.has(numberId)) lease.confirmedMs = sentMs
        else if (this.#held.get(numberId) === lease) this.#lose(numberId, 'taken')
      }
    } catch (error) {
      asking.isSent = false
      this.#deps.log.warn({ errorName: nameOf(error) }, 'the lease rows could not be asked')
    }
  }

  async #renew(): Promise<void> {
    this.#noticeStall()
    if (this.#isRenewing || this.#asking) return
    this.#isRenewing = true
    this.#isRenewalDue = false
    const sentMs = this.#deps.clock.monotonicMs()
    const stalls = this.#stalls
    try {
      const renewal = await this.#deps.leases.renew()
      const kept = new Set(renewal.kept)
      this.#noticeStall()
      // It may have reached the database only when leases had run out: what it leaves out was not taken for that.
      if (stalls !== this.#stalls) return
      for (const [numberId, lease] of this.#held) {
        if (kept.has(numberId)) lease.confirmedMs = Math.max(lease.confirmedMs, sentMs)
        else if (lease.heldSinceMs < sentMs) this.#lose(numberId, 'taken')
      }
      if (renewal.isReplaced && !this.#isReplaced) {
        this.#isReplaced = true
        this.#deps.replaced()
      }
      this.#tellFound([...renewal.kept, ...renewal.over])
    } catch (error) {
      this.#isRenewalDue = true
      warnOf(this.#deps.log, error, 'leases could not be renewed')
    } finally {
      this.#isRenewing = false
      for (const numberId of this.#released) this.#releasing.delete(numberId)
      this.#released.clear()
    }
  }

  #tellFound(named: readonly NumberId[]): void {
    const found = named.filter((numberId) => !this.#held.has(numberId) && !this.#releasing.has(numberId))
    if (found.length > 0 && this.#isRunning) this.#deps.found(found)
  }

  #check(): void {
    this.#noticeStall()
    if (this.#isRenewalDue) void this.#renew()
    const asking = this.#asking
    if (asking && asking.checksLeft > 0) {
      asking.checksLeft--
      if (!asking.isSent) void this.#ask(asking)
      return
    }
    this.#asking = null
    const nowMs = this.#deps.clock.monotonicMs()
    const { ttlMs, safetyMs } = this.#deps.leases.times
    for (const [numberId, lease] of this.#held) {
      if (nowMs - lease.confirmedMs >= ttlMs - safetyMs) this.#lose(numberId, 'deadline')
    }
  }
}

/** Warns of a fault of the rows; of a database that is away whoever notices tells once. */
export function warnOf(log: Log, error: unknown, message: string, fields: object = {}): void {
  unlessAway(error, () => log.warn({ ...fields, errorName: nameOf(error) }, message))
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
