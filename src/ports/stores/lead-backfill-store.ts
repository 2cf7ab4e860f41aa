import type { LeadBackfillId, NumberId, TenantId } from '../../domain/ids.ts'

export const BACKFILL_STATUSES = ['RUNNING', 'DONE', 'FAILED'] as const
export type BackfillStatus = (typeof BACKFILL_STATUSES)[number]

/** An import of the leads of a form (contract 12, Backfill). */
export interface LeadBackfill {
  readonly id: LeadBackfillId
  readonly pageId: string
  readonly formId: string
  readonly status: BackfillStatus
  readonly since: Date
  readonly until: Date
  /** Leads of the pages read so far. */
  readonly read: number
  readonly imported: number
  readonly duplicates: number
  /** Upstream throttles: it goes on then. */
  readonly waitingUntil: Date | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly startedAt: Date
  readonly finishedAt: Date | null
}

export interface NewLeadBackfill extends Pick<LeadBackfill, 'pageId' | 'formId' | 'since' | 'until'> {
  readonly tenantId: TenantId
  readonly numberId: NumberId
}

/** One that a node works on for a while. */
export interface TakenBackfill extends LeadBackfill {
  /** Where upstream's listing goes on; null: at its beginning. */
  readonly cursor: string | null
  readonly tries: number
  readonly claim: Date
}

/** What a page of leads came to. */
export interface BackfillStep {
  readonly read: number
  readonly imported: number
  readonly duplicates: number
  /** Null: it was the last page. */
  readonly cursor: string | null
}

/** Imports of leads, one running a form. They go with their number. */
export interface LeadBackfillStore {
  start(
    backfill: NewLeadBackfill,
  ): Promise<
    | { readonly kind: 'started'; readonly backfill: LeadBackfill }
    | { readonly kind: 'running'; readonly id: LeadBackfillId }
    | { readonly kind: 'gone' }
  >
  /** The tenant's newest of a form: the Page may have been another tenant's before. */
  newest(tenantId: TenantId, pageId: string, formId: string): Promise<LeadBackfill | null>
  /** Forms of a Page that the tenant had one for. */
  formsWith(tenantId: TenantId, pageId: string): Promise<ReadonlySet<string>>
  take(limit: number, leaseMs: number): Promise<readonly TakenBackfill[]>
  /**
   * Stores progress and cursor, or the end; false: the claim was lost, somebody else goes on. A new claim is answered
   * to go on with.
   */
  advance(taken: TakenBackfill, step: BackfillStep, leaseMs: number): Promise<TakenBackfill | null>
  /** Goes on at `dueAt`; `isThrottled`: shown as `waitingUntil`. */
  postpone(taken: TakenBackfill, dueAt: Date, isThrottled: boolean): Promise<void>
  fail(taken: TakenBackfill, errorCode: string, errorMessage: string): Promise<void>
}
