import type { NumberId, PairingToken, TenantId } from '../../domain/ids.ts'

/** A connect link (contract 3). The branding object is a snapshot, null when none was given. */
export interface PairingLink {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly branding: unknown
  readonly redirectUrl: string | null
  readonly expiresAt: Date
}

export interface PairingStore {
  /** Makes a link of 24 h and revokes the older ones of the number, in one transaction. */
  issue(link: PairingLink): Promise<PairingToken>
  /** Null when unknown, expired, revoked or used up. Stored as a hash only. */
  find(token: string): Promise<PairingLink | null>
  /** Dies on success (contract 3): kills every link of the number. */
  consume(numberId: NumberId): Promise<void>
}
