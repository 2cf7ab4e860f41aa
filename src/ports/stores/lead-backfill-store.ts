import type { LeadBackfillId, NumberId, TenantId } from '../../domain/ids.ts'

export const BACKFILL_STATUSES = ['RUNNING', 'DONE', 'FAILED'] as const
export type BackfillStatus = (typeof BACKFILL_STATUSES)[number]

/** An import of the leads of a form ([leads.backfill.1]). */
export interface LeadBackfill {
  readonly id: LeadBackfillId
  readonly pageId: string
  readonly formId: string
  readonly status: BackfillStatus
  readonly since: Date
  readonly until: Date
  /** Leads of the pages that were read so far. */
  readonly read: number
  readonly imported: number
  readonly duplicates: number
  /** When it goes on while upstream throttles; null when it does not wait. */
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

/** An import that a node works on for a while. */
export interface TakenBackfill extends LeadBackfill {
  /** Where upstream's listing goes on; null for its beginning. */
  readonly cursor: string | null
  readonly tries: number
  readonly claim: Date
}

/** The counts of one page of leads. */
export interface BackfillStep {
  readonly read: number
  readonly imported: number
  readonly duplicates: number
  /** Null after the last page. */
  readonly cursor: string | null
}

/** Imports of leads, one running for each form. They are removed with their number. */
export interface LeadBackfillStore {
  start(
    backfill: NewLeadBackfill,
  ): Promise<
    | { readonly kind: 'started'; readonly backfill: LeadBackfill }
    | { readonly kind: 'running'; readonly id: LeadBackfillId }
    | { readonly kind: 'gone' }
  >
  /** Finds the tenant's newest import of a form: the Page may have been another tenant's before. */
  newest(tenantId: TenantId, pageId: string, formId: string): Promise<LeadBackfill | null>
  /** Lists forms of a Page that the tenant has imported. */
  formsWith(tenantId: TenantId, pageId: string): Promise<ReadonlySet<string>>
  take(limit: number, leaseMs: number): Promise<readonly TakenBackfill[]>
  /**
   * Stores progress and cursor, or the end, and gives a new claim to go on with; null when the claim was lost to
   * another node.
   */
  advance(taken: TakenBackfill, step: BackfillStep, leaseMs: number): Promise<TakenBackfill | null>
  /** Goes on at `dueAt`; `isThrottled` shows it as `waitingUntil`. */
  postpone(taken: TakenBackfill, dueAt: Date, isThrottled: boolean): Promise<void>
  fail(taken: TakenBackfill, errorCode: string, errorMessage: string): Promise<void>
}
