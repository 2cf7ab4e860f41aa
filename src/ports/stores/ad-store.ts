import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { AdAccount, AdNames } from '../official/pages.ts'

/** An ad whose names a node asks for. */
export interface TakenAd {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  /** Digits. */
  readonly adId: string
  /** The Page of the lead that asked; null: no lead did. */
  readonly pageId: string | null
  readonly tries: number
  /** When it was to be asked for; one that is due again since then, as after another token was shared, stays due. */
  readonly dueAt: Date
  /** Proves that it is still ours: nobody has taken it since. */
  readonly claim: Date
}

export interface AdAccess {
  readonly adAccounts: readonly AdAccount[]
  readonly checkedAt: Date
}

/**
 * Ads as a number knows them, and the token its advertiser shared. Who records a referral or a lead asks for its ad in
 * the same statement.
 */
export interface AdStore {
  /**
   * Ads to be asked for, so many that at most `perNumber` of each number are under way on all nodes; nobody else gets
   * them for `leaseMs`.
   */
  take(limit: number, perNumber: number, leaseMs: number): Promise<readonly TakenAd[]>
  /** Names in every row of the ad, at once. */
  resolved(ad: TakenAd, names: AdNames): Promise<void>
  /** Nobody may tell: final, with the names it has. */
  refused(ad: TakenAd): Promise<void>
  postpone(ad: TakenAd, dueAt: Date): Promise<void>
  /** Given up for now: the next click asks again. */
  giveUp(ad: TakenAd): Promise<void>
  access(tenantId: TenantId, numberId: NumberId): Promise<AdAccess | null>
  /** The token, for asking. */
  accessToken(numberId: NumberId): Promise<string | null>
  /** Stored sealed; ads of 90 days that were refused, or have no names yet, are due again. Null: the number is gone. */
  share(
    tenantId: TenantId,
    numberId: NumberId,
    accessToken: string,
    adAccounts: readonly AdAccount[],
  ): Promise<AdAccess | null>
  /** Names already found stay. False: none was shared. */
  unshare(tenantId: TenantId, numberId: NumberId): Promise<boolean>
}
