import type { TenantId } from '../../domain/ids.ts'

/** A change of a whole account that waits to be worked off. */
export interface AccountChange {
  /** Rises within the account. */
  readonly position: number
  readonly field: string
  /** JSON text of the change's `value`, upstream's own bytes. */
  readonly value: string
  /** When upstream says that it was: `entry.time`. Null where it does not say. */
  readonly at: Date | null
  readonly receivedAt: Date
}

/** What waits for one account of a tenant, oldest first. */
export interface AccountLane {
  readonly tenantId: TenantId
  readonly accountId: string
  readonly changes: readonly AccountChange[]
}

/**
 * Changes of accounts, stored once each by `InboundStore.accept`, however many numbers the account has. Whoever works
 * them off may be killed or be slow: a change may then be worked off twice, and must do no harm by that.
 */
export interface AccountChangeStore {
  /**
   * Takes up to `limit` changes of the account that waits longest. The account is the caller's for `leaseMs`: until
   * then no other take gives it, unless everything that was taken is settled before. Null: nothing is free.
   */
  take(limit: number, leaseMs: number): Promise<AccountLane | null>
  /**
   * The change could not be worked off: its account is free again in `waitMs`. Answers how often that was; 0: it is not
   * there any more.
   */
  failed(position: number, waitMs: number): Promise<number>
  /** The change is worked off and forgotten. Idempotent. */
  settle(position: number): Promise<void>
}
