import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { AdAccount, AdNames } from '../official/pages.ts'

/** An ad whose names a node asks for. */
export interface TakenAd {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  /** Digits. */
  readonly adId: string
  /** The Page of the lead that asked for it; null when no lead did. */
  readonly pageId: string | null
  readonly tries: number
  /** When it was to be asked for. If another token made it due again since then, it stays due. */
  readonly dueAt: Date
  /** Proves that the ad is still this node's: nobody has taken it since. */
  readonly claim: Date
}

export interface AdAccess {
  readonly adAccounts: readonly AdAccount[]
  readonly checkedAt: Date
}

/**
 * Ads as a number knows them, and the token that its advertiser shared. The statement that records a referral or a lead
 * asks for its ad as well.
 */
export interface AdStore {
  /**
   * Takes ads to be asked for, so many that at most `perNumber` of each number are under way on all nodes
   * ([referrals.names.11]). Nobody else gets them for `leaseMs`.
   */
  take(limit: number, perNumber: number, leaseMs: number): Promise<readonly TakenAd[]>
  /** Writes the names into every row of the ad, at once ([referrals.names.4]). */
  resolved(ad: TakenAd, names: AdNames): Promise<void>
  /** Notes that no token may read the ad: final, with the names it has ([referrals.names.5]). */
  refused(ad: TakenAd): Promise<void>
  postpone(ad: TakenAd, dueAt: Date): Promise<void>
  /** Gives up for now: the next click asks again. */
  giveUp(ad: TakenAd): Promise<void>
  access(tenantId: TenantId, numberId: NumberId): Promise<AdAccess | null>
  /** Reads the token for asking. */
  accessToken(numberId: NumberId): Promise<string | null>
  /**
   * Seals and stores the token. Ads of 90 days that were refused, or have no names yet, are due again
   * ([referrals.names.6]). Null when the number is gone.
   */
  share(
    tenantId: TenantId,
    numberId: NumberId,
    accessToken: string,
    adAccounts: readonly AdAccount[],
  ): Promise<AdAccess | null>
  /** Removes the token; names already found stay ([referrals.routes.5]). False when none was shared. */
  unshare(tenantId: TenantId, numberId: NumberId): Promise<boolean>
}
