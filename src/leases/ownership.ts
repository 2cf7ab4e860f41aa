import type { NumberId } from '../domain/ids.ts'
import { unlessAway } from '../domain/store-away.ts'
import type { Clock, Timer } from '../ports/clock.ts'
import type { Fence, Leases } from '../ports/leases.ts'
import type { Log } from '../ports/log.ts'

/**
 * our choice: after a stall the lease rows must say within this many checks, during which this process runs, whose the
 * numbers are; an ask that fails is repeated with each check. With the safety and the grace of a lease, a short stall
 * ends before another node may begin.
 */
const ASK_CHECKS = 3

interface Held {
  readonly fence: Fence
  /** Monotonic ms at which the last statement that confirmed the lease was sent. */
  confirmedMs: number
  /** Monotonic ms since when the lease is known to be ours. A renewal sent before that says nothing about it. */
  readonly heldSinceMs: number
}

export interface OwnershipDeps {
  readonly leases: Leases
  readonly clock: Clock
  readonly log: Log
  /** Called when the number is no longer ours: whatever it holds is closed, nothing is written. */
  lost(numberId: NumberId): void
  /**
   * Called with numbers whose rows name this node while nothing here holds them: they were given up, and no other node
   * took them.
   */
  found(numberIds: readonly NumberId[]): void
  /** Called once, when another process took this node's name; every lease is lost already. */
  replaced(): void
}

/** A question to the lease rows whose the numbers are. Until it is answered, no deadline counts. */
interface Asking {
  checksLeft: number
  isSent: boolean
}

/**
 * The leases that this node holds ([configuration.variables.30]): one renewal for all, and a deadline for each. A
 * process that did not run for a while asks the rows before it gives anything up, because only another node, and not
 * the lost time, can take a number from it.
 */
export interface Ownership {
  /** Null while another node holds the number; throws when the database does. */
  acquire(numberId: NumberId): Promise<Fence | null>
  /** Holds leases that were taken otherwise than by `acquire`, with a statement sent at `sentMs` (monotonic). */
  hold(fences: readonly Fence[], sentMs: number): void
  /** Whether this very lease is still held. */
  holds(fence: Fence): boolean
  /**
   * Whether nobody else can hold the number now: the lease is confirmed, and its time is not about to end. False after
   * a stall until the rows have said whose it is.
   */
  isSure(fence: Fence): boolean
  /** Gives the number back. `isWanted` says that another node is to take it at once. */
  release(numberId: NumberId, isWanted?: boolean): Promise<void>
  /** Forgets a lease that is lost. */
  forget(numberId: NumberId): void
  start(): void
  stop(): void
}

/**
 * Creates the holder of leases. It trusts its own monotonic clock, counted from when a renewal was sent, and after a
 * stall the rows.
 */
export function createOwnership(deps: OwnershipDeps): Ownership {
  return new LeaseHolder(deps)
}

class LeaseHolder implements Ownership {
  readonly #deps: OwnershipDeps
  readonly #held = new Map<NumberId, Held>()
  /** Leases that are being given back: a renewal under way may still name them. */
  readonly #releasing = new Set<NumberId>()
  readonly #released = new Set<NumberId>()
  #timers: Timer[] = []
  #isRunning = false
  #isRenewing = false
  /** True when the last renewal failed: the next check tries it again, before the next regular turn. */
  #isRenewalDue = false
  /** Monotonic ms at which the process was last seen running. */
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
    // The lease was taken across a stall, so the rows are asked.
    if (heldSinceMs - sentMs >= this.#deps.leases.times.stallMs) this.#beginAsking()
  }

  holds({ numberId, token }: Fence): boolean {
    return this.#held.get(numberId)?.fence.token === token
  }

  isSure(fence: Fence): boolean {
    this.#noticeStall()
    const lease = this.#held.get(fence.numberId)
    return lease?.fence.token === fence.token && !this.#asking && !this.#isLate(lease)
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

  /** Notices a stall. Called wherever time or an answer is judged, because any of them may come first after a stall. */
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
      'the process stood still for a while; it reads its leases anew to learn which numbers it still holds',
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
      // The answer is too late, or another stall has begun its own ask.
      if (this.#asking !== asking) return
      this.#asking = null
      for (const lease of asked) {
        const { numberId } = lease.fence
        if (kept.has(numberId)) lease.confirmedMs = sentMs
        else if (this.#held.get(numberId) === lease) this.#lose(numberId, 'taken')
      }
    } catch (error) {
      asking.isSent = false
      this.#deps.log.warn({ errorName: nameOf(error) }, 'the leases of the numbers of this node could not be read')
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
      // The renewal may have reached the database after the leases ended, so a lease missing in its answer need not
      // have been taken.
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
    for (const [numberId, lease] of this.#held) if (this.#isLate(lease)) this.#lose(numberId, 'deadline')
  }

  #isLate({ confirmedMs }: Held): boolean {
    const { ttlMs, safetyMs } = this.#deps.leases.times
    return this.#deps.clock.monotonicMs() - confirmedMs >= ttlMs - safetyMs
  }
}

/** Warns of a fault of the rows. A database that is away is logged once, by whoever notices first. */
export function warnOf(log: Log, error: unknown, message: string, fields: object = {}): void {
  unlessAway(error, () => log.warn({ ...fields, errorName: nameOf(error) }, message))
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown'
}
