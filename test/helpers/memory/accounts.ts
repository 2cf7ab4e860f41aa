import type { TenantId } from '../../../src/domain/ids.ts'
import type { NumberRef } from '../../../src/domain/number.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { FlowOwner } from '../../../src/ports/stores/flow-store.ts'
import type { MemoryRows } from './rows.ts'

interface Schedule {
  readonly listedMs: number | null
  readonly leasedMs: number
}

function keyOf({ tenantId, accountId }: FlowOwner): string {
  return `${tenantId} ${accountId}`
}

/** Accounts in memory: they are there as long as a number of theirs is. */
export class MemoryAccounts {
  readonly #tables: MemoryRows
  readonly #clock: Clock
  readonly #schedules = new Map<string, Schedule>()

  constructor(tables: MemoryRows, clock: Clock) {
    this.#tables = tables
    this.#clock = clock
  }

  ofNumber({ id, tenantId }: Pick<NumberRef, 'id' | 'tenantId'>): FlowOwner | null {
    const number = this.#tables.numbers.get(id)
    return number?.tenantId === tenantId && number.official ? { tenantId, accountId: number.official.accountId } : null
  }

  has(owner: FlowOwner): boolean {
    return this.#all().has(keyOf(owner))
  }

  tenantsOf(accountId: string): TenantId[] {
    return [...this.#all().values()].flatMap((owner) => owner.accountId === accountId ? [owner.tenantId] : [])
  }

  /** `everyMs`: of each account. */
  takeDue(limit: number, everyMs: (owner: FlowOwner) => number, leaseMs: number): FlowOwner[] {
    const nowMs = this.#clock.now()
    const due = [...this.#all()].filter(([key, owner]) => {
      const { listedMs, leasedMs } = this.#schedules.get(key) ?? { listedMs: null, leasedMs: 0 }
      return leasedMs <= nowMs && (listedMs === null || listedMs <= nowMs - everyMs(owner))
    }).slice(0, limit)
    for (const [key] of due) this.#schedules.set(key, { listedMs: this.#schedules.get(key)?.listedMs ?? null, leasedMs: nowMs + leaseMs })
    return due.map(([, owner]) => owner)
  }

  listed(owner: FlowOwner): void {
    this.#schedules.set(keyOf(owner), { listedMs: this.#clock.now(), leasedMs: 0 })
  }

  #all(): Map<string, FlowOwner> {
    const owners = [...this.#tables.numbers.values()].flatMap((number) => this.ofNumber(number) ?? [])
    return new Map(owners.map((owner) => [keyOf(owner), owner]))
  }
}
