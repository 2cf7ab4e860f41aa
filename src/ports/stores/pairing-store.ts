import type { NumberId, PairingToken, TenantId } from '../../domain/ids.ts'

/** A connect link (contract 3). The branding object is a snapshot, null when none was given. */
export interface PairingLink {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly branding: unknown
  readonly redirectUrl: string | null
  readonly expiresAt: Date
}

/** A link as found by its token. */
export interface FoundLink extends PairingLink {
  /** True once pairing by it succeeded: it pairs nothing any more, but its status may still be read. */
  readonly isUsed: boolean
}

export interface PairingStore {
  /** Makes a link of 24 h and revokes the older ones of the number, in one transaction. */
  issue(link: PairingLink): Promise<PairingToken>
  /** Null when unknown, expired or revoked. Stored as a hash only. */
  find(token: string): Promise<FoundLink | null>
  /** Dies on success (contract 3): marks the link of the number as used, if it has one. */
  consume(numberId: NumberId): Promise<void>
}
