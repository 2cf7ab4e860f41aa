import type { NewEvent } from '../../domain/events.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { Traced } from '../../domain/trace.ts'
import type { Fence } from '../leases.ts'
import type { OfficialChange } from '../official/changes.ts'
import type { WriteResult } from './call-store.ts'

/** The number and account that an upstream webhook is addressed to. */
export interface InboundTarget {
  readonly tenantId: TenantId
  readonly numberId: NumberId
  readonly accountId: string
  /** The secret that verifies signatures; null refuses every post. */
  readonly appSecret: string | null
  readonly verifyToken: string
}

/** A stored change that its number has not worked off yet. */
export interface PendingChange extends Traced {
  /** Rises within the number. */
  readonly position: number
  readonly field: string
  /** JSON text of the change's `value`, upstream's own bytes. */
  readonly value: string
  readonly receivedAt: Date
}

/** What became of a post. */
export interface AcceptedChanges {
  /** New changes, counted once for each number that they concern. */
  readonly stored: number
  /** Numbers with a change to work off. */
  readonly numbers: readonly NumberId[]
  /** Upstream ids of accounts that may have a change to work off. */
  readonly accounts: readonly string[]
}

/** Changes of upstream webhooks: stored once before upstream is answered 200, worked off by the owner of the number. */
export interface InboundStore {
  /** Finds the target by the id in the path, of a number or an account. Null when unknown. */
  findTarget(numberOrAccountId: string): Promise<InboundTarget | null>
  /**
   * Stores new changes in one statement, deduplicated by `key` within the account, with the native event of each number
   * concerned: the one with the change's phone id, or all of the account's when it has none ([events.native.2],
   * [events.native.3]). All stay within the tenant of `target`, since its secret proves nothing about numbers of
   * others. Changes of fields that numbers read wait for each number that they concern; those of fields that are read
   * for the account wait once for it (AccountChangeStore).
   */
  accept(target: InboundTarget, changes: readonly OfficialChange[]): Promise<AcceptedChanges>
  /** Lists waiting changes, oldest first. */
  pending(numberId: NumberId, afterPosition: number, limit: number): Promise<PendingChange[]>
  /**
   * Settles the changes at these positions, which were worked off. Events (call.permission_updated) come with one
   * change alone, and are stored with it. `conflict`: all of them were settled before.
   */
  settle(fence: Fence, positions: readonly number[], events: readonly NewEvent[]): Promise<WriteResult>
  /** Lists numbers with pending changes, at start and for lost wake-ups. */
  listPending(limit: number): Promise<NumberId[]>
}
