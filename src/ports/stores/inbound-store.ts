import type { NewEvent } from '../../domain/events.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { Fence } from '../leases.ts'
import type { OfficialChange } from '../official/changes.ts'
import type { WriteResult } from './call-store.ts'

/** Where an upstream webhook is addressed to. */
export interface InboundTarget {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly accountId: string
  /** Verifies signatures; null refuses every post. */
  readonly appSecret: string | null
  readonly verifyToken: string
}

/** A stored change that its number has not worked off yet. */
export interface PendingChange {
  /** Rises within the number. */
  readonly position: number
  readonly field: string
  /** JSON text of the change's `value`, upstream's own bytes. */
  readonly value: string
  readonly receivedAt: Date
}

/** What became of a post. */
export interface AcceptedChanges {
  /** New changes, counted once for each number they are of. */
  readonly stored: number
  /** Numbers that have something to work off. */
  readonly numbers: readonly NumberId[]
  /** Upstream ids of accounts that may have. */
  readonly accounts: readonly string[]
}

/** Changes of upstream webhooks: stored once before upstream hears 200, worked off by the owner of the number. */
export interface InboundStore {
  /** By what stands in the path: a number id, or an account id. Null when unknown. */
  findTarget(numberOrAccountId: string): Promise<InboundTarget | null>
  /**
   * Stores what is new in one statement, deduplicated by `key` within the account, together with the native event of
   * each number concerned: the one with the change's phone id, or all of the account's when it has none (contract 5),
   * always within the tenant of `target`: its secret proves nothing about numbers of others.
   * Changes of fields that numbers read wait as pending for each number they are of; those of fields that are read for
   * the account wait once for it (AccountChangeStore).
   */
  accept(target: InboundTarget, changes: readonly OfficialChange[]): Promise<AcceptedChanges>
  /** Oldest first. */
  pending(numberId: NumberId, afterPosition: number, limit: number): Promise<PendingChange[]>
  /** The change at `position` is worked off; its events (call.permission_updated) go with it. */
  settle(fence: Fence, position: number, events: readonly NewEvent[]): Promise<WriteResult>
  /** Numbers with pending changes, for start-up and as a net under lost wake-ups. */
  listPending(limit: number): Promise<NumberId[]>
}
