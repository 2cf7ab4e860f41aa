import type { Call } from '../../domain/call.ts'
import type { CallId, NumberId, TenantId } from '../../domain/ids.ts'
import type { EventPlace, PlacedEvent, StandingNumber } from '../tenant-feed.ts'

/** The result of one look. */
export interface LookedFor {
  /** Every event before this place could be read; all that are stored later come behind it. */
  readonly horizon: EventPlace
  /** The events of each account behind its place, oldest first; none for an account without one. */
  readonly events: ReadonlyMap<TenantId, readonly PlacedEvent[]>
}

/** What a feed of accounts reads. Every query is of the accounts that it names, and of no others. */
export interface TenantFeedReads {
  /** Looks at many accounts in one statement. `most` bounds the events of each. Privacy applies as in EventStore. */
  look(after: ReadonlyMap<TenantId, EventPlace | null>, most: number): Promise<LookedFor>
  /** Reads how all numbers and live calls of accounts stand. */
  standing(
    tenantIds: readonly TenantId[],
  ): Promise<{ readonly numbers: readonly StandingNumber[]; readonly calls: readonly Call[] }>
  /** Reads those of the numbers that the accounts have. */
  numbersOf(tenantIds: readonly TenantId[], numberIds: readonly NumberId[]): Promise<readonly StandingNumber[]>
  /** Reads those of the calls that the accounts have. */
  callsOf(tenantIds: readonly TenantId[], callIds: readonly CallId[]): Promise<readonly Call[]>
  /** As `TenantFeed.missed` says. */
  between(
    tenantId: TenantId,
    after: EventPlace,
    until: EventPlace,
    most: number,
  ): Promise<readonly PlacedEvent[] | null>
}
