import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { AdAccount, AdNames } from '../official/pages.ts'

/** An ad whose names a node asks for. */
export interface TakenAd {
  readonly numberId: NumberId
  /** Digits. */
  readonly adId: string
  /** The Page of the lead that asked; null: no lead did. */
  readonly pageId: string | null
  readonly tries: number
  readonly claim: Date
}

export interface AdAccess {
  readonly adAccounts: readonly AdAccount[]
  readonly checkedAt: Date
}

/** Ads as a number knows them, and the token its advertiser shared. Who records a referral or a lead asks for its ad in the same statement. */
export interface AdStore {
  /** Ads to be asked for, at most `perNumber` of each number; nobody else gets them for `leaseMs`. */
  take(limit: number, perNumber: number, leaseMs: number): Promise<readonly TakenAd[]>
  resolved(ad: TakenAd, names: AdNames): Promise<void>
  /** Nobody may know: final, with the names it has. */
  refused(ad: TakenAd): Promise<void>
  postpone(ad: TakenAd, dueAt: Date): Promise<void>
  /** Given up for now: the next click asks again. */
  giveUp(ad: TakenAd): Promise<void>
  access(tenantId: TenantId, numberId: NumberId): Promise<AdAccess | null>
  /** The token, for asking. */
  accessToken(numberId: NumberId): Promise<string | null>
  /** Stored sealed; ads of 90 days that were refused are due again. Null: the number is gone. */
  share(tenantId: TenantId, numberId: NumberId, accessToken: string, adAccounts: readonly AdAccount[]): Promise<AdAccess | null>
  /** Names already found stay. False: none was shared. */
  unshare(tenantId: TenantId, numberId: NumberId): Promise<boolean>
}
