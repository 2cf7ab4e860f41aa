import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { MarketingWay } from '../../domain/official.ts'

/** An account in a tenant, whose number's token upstream is asked with. */
export interface MarketingAccount {
  readonly tenantId: TenantId
  readonly accountId: string
}

/** What decides which way a number's MARKETING templates go. */
export interface MarketingFacts {
  readonly account: MarketingAccount
  readonly way: MarketingWay
  /** Upstream lets the account in at its endpoint for them, as far as is known. */
  readonly isOpen: boolean
  /** When upstream is asked for that again; null for at once. */
  readonly askAt: Date | null
}

/** Whether upstream lets accounts in at its endpoint for MARKETING templates, and when it is asked again. */
export interface MarketingStore {
  /** Null when the number is gone, or has no account. */
  read(numberId: NumberId): Promise<MarketingFacts | null>
  /**
   * Takes the question of an account for this node, for `leaseMs`. Answers the lease, which its answer is stored by;
   * null when the question is not due, or another node has it.
   */
  take(account: MarketingAccount, leaseMs: number): Promise<Date | null>
  /** Stores an answer, with the time until the next question in ms. Nothing is stored when the lease was lost. */
  answered(account: MarketingAccount, lease: Date, isOpen: boolean, nextMs: number): Promise<void>
  /** Notes that upstream does not let the account in. The time of the next question stays. */
  shut(account: MarketingAccount): Promise<void>
  /** Makes the question due at once; an answer that is under way counts for nothing. */
  askAnew(account: MarketingAccount): Promise<void>
}
