import type { OwnBranding } from '../../domain/branding.ts'
import type { NumberId, PairingToken, TenantId } from '../../domain/ids.ts'
import type { LinkOver } from '../../domain/pairing.ts'

/** A connect link (contract 3). The branding object is a snapshot, null when none was given. */
export interface PairingLink {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly branding: OwnBranding | null
  readonly redirectUrl: string | null
  readonly expiresAt: Date
}

/** A link as found by its token or its handle. */
export interface FoundLink extends PairingLink {
  /** Null while it can pair. Links that are over are told for 30 days (contract 16). */
  readonly over: LinkOver | null
}

export interface PairingStore {
  /**
   * Makes a link of 24 h and revokes the live one of the number, at once; what ended the last pairing of a closed
   * number is not told by the new one.
   */
  issue(link: PairingLink): Promise<PairingToken>
  /** Null when unknown, or over for more than 30 days. Stored as a hash only. */
  find(token: string): Promise<FoundLink | null>
  /** The same by `linkHandle(token)`, which has no power of its own (contract 16, `/connect?h=`). */
  findByHandle(handle: string): Promise<FoundLink | null>
  /** Dies on success (contract 3): marks the live link of the number as used, if it has one. */
  consume(numberId: NumberId): Promise<void>
  /** Removes links that have been over for 30 days. */
  purge(): Promise<number>
}
