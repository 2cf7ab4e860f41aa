import type { OwnBranding } from '../../domain/branding.ts'
import type { NumberId, PairingToken, TenantId } from '../../domain/ids.ts'
import type { LinkOver } from '../../domain/pairing.ts'

/** A connect link ([pairing.create.3], [pairing.create.7]). The branding is a snapshot, null when none was given. */
export interface PairingLink {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly branding: OwnBranding | null
  readonly redirectUrl: string | null
  readonly expiresAt: Date
}

/** A link as found by its token or its handle. */
export interface FoundLink extends PairingLink {
  /** Null while it can pair. Links that are over are found for 30 days more ([branding.precedence.8]). */
  readonly over: LinkOver | null
}

export interface PairingStore {
  /**
   * Makes a link of 24 h and revokes the live one of the number at once ([pairing.create.4]). The new link of a closed
   * number does not tell why the last pairing ended.
   */
  issue(link: PairingLink): Promise<PairingToken>
  /** Finds a link by its token, stored as a hash only; null when unknown, or over for more than 30 days. */
  find(token: string): Promise<FoundLink | null>
  /** Finds a link by `linkHandle(token)`, which grants nothing ([pages.addresses.4]). */
  findByHandle(handle: string): Promise<FoundLink | null>
  /** Marks the live link of the number as used, if it has one: a link dies on success ([pairing.create.3]). */
  consume(numberId: NumberId): Promise<void>
  /** Removes links that have been over for 30 days. */
  purge(): Promise<number>
}
