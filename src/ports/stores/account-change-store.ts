import type { TenantId } from '../../domain/ids.ts'

/** A change of a whole account that waits to be worked off. */
export interface AccountChange {
  /** Rises within the account. */
  readonly position: number
  readonly field: string
  /** JSON text of the change's `value`, upstream's own bytes. */
  readonly value: string
  /** When it was, as upstream says (`entry.time`); null when it does not say. */
  readonly at: Date | null
  readonly receivedAt: Date
}

/** The changes that wait for one account of a tenant, oldest first. */
export interface AccountLane {
  readonly tenantId: TenantId
  readonly accountId: string
  readonly changes: readonly AccountChange[]
}

/**
 * Changes of accounts, stored once each by `InboundStore.accept`, however many numbers the account has. The node that
 * works one off may be killed or be slow: a change may then be worked off twice, and must do no harm by that.
 */
export interface AccountChangeStore {
  /**
   * Takes up to `limit` changes of the account that waits longest. The account is the caller's for `leaseMs`: no other
   * take gives it until then, unless everything taken is settled before. Null when nothing is free.
   */
  take(limit: number, leaseMs: number): Promise<AccountLane | null>
  /**
   * Tells that the change could not be worked off: its account is free again in `waitMs`. Gives how often that
   * happened; 0 when the change no longer exists.
   */
  failed(position: number, waitMs: number): Promise<number>
  /** Forgets a change that was worked off. Idempotent. */
  settle(position: number): Promise<void>
}
