import type { TenantId } from '../../../src/domain/ids.ts'
import { REMOVED_STAYS_MS } from '../../../src/domain/limits.ts'
import type { NumberRef } from '../../../src/domain/number.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { FlowOwner } from '../../../src/ports/stores/flow-store.ts'
import type { MemoryRows } from './rows.ts'

interface Schedule {
  readonly listedMs: number | null
  readonly leasedMs: number
  /** How many numbers the account had when it was listed; more of them make it due. */
  readonly numbers: number
}

const NEVER: Schedule = { listedMs: null, leasedMs: 0, numbers: 0 }

function keyOf({ tenantId, accountId }: FlowOwner): string {
  return `${tenantId} ${accountId}`
}

/** Accounts in memory; an account exists as long as it has a number. */
export class MemoryAccounts {
  readonly #tables: MemoryRows
  readonly #clock: Clock
  readonly #schedules = new Map<string, Schedule>()
  /** When what was removed, by account and upstream's id. */
  readonly #removals = new Map<string, number>()

  constructor(tables: MemoryRows, clock: Clock) {
    this.#tables = tables
    this.#clock = clock
  }

  ofNumber({ id, tenantId }: Pick<NumberRef, 'id' | 'tenantId'>): FlowOwner | null {
    const number = this.#tables.numbers.get(id)
    return number?.tenantId === tenantId && number.official ? { tenantId, accountId: number.official.accountId } : null
  }

  /** Notes what was removed of an account; nothing that never reached upstream. */
  removed(owner: FlowOwner, externalId: string | null): void {
    if (externalId !== null) this.#removals.set(`${keyOf(owner)} ${externalId}`, this.#clock.now())
  }

  isJustRemoved(owner: FlowOwner, externalId: string): boolean {
    const removedMs = this.#removals.get(`${keyOf(owner)} ${externalId}`)
    return removedMs !== undefined && removedMs > this.#clock.now() - REMOVED_STAYS_MS
  }

  has(owner: FlowOwner): boolean {
    return this.#all().has(keyOf(owner))
  }

  tenantsOf(accountId: string): TenantId[] {
    return [...this.#all().values()].flatMap((owner) => (owner.accountId === accountId ? [owner.tenantId] : []))
  }

  /** Takes accounts that are due; `everyMs` is the interval of each account. */
  takeDue(limit: number, everyMs: (owner: FlowOwner) => number, leaseMs: number): FlowOwner[] {
    const nowMs = this.#clock.now()
    const due = [...this.#all()]
      .filter(([key, owner]) => {
        const { listedMs, leasedMs, numbers } = this.#schedules.get(key) ?? NEVER
        return (
          leasedMs <= nowMs
          && (listedMs === null || listedMs <= nowMs - everyMs(owner) || numbers < this.#numbersOf(owner))
        )
      })
      .slice(0, limit)
    for (const [key] of due)
      this.#schedules.set(key, { ...(this.#schedules.get(key) ?? NEVER), leasedMs: nowMs + leaseMs })
    return due.map(([, owner]) => owner)
  }

  listed(owner: FlowOwner): void {
    this.#schedules.set(keyOf(owner), { listedMs: this.#clock.now(), leasedMs: 0, numbers: this.#numbersOf(owner) })
  }

  #numbersOf(owner: FlowOwner): number {
    return [...this.#tables.numbers.values()].filter(
      (number) => keyOf(this.ofNumber(number) ?? { ...owner, accountId: '' }) === keyOf(owner),
    ).length
  }

  #all(): Map<string, FlowOwner> {
    const owners = [...this.#tables.numbers.values()].flatMap((number) => this.ofNumber(number) ?? [])
    return new Map(owners.map((owner) => [keyOf(owner), owner]))
  }
}
