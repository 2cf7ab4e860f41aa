import type { FlowId, TenantId } from '../../domain/ids.ts'
import type { Flow, FlowCategory, FlowStatus } from '../../domain/flow.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { Page, Paged } from './message-store.ts'

/** Whose a Flow is: all OFFICIAL numbers of an account see one row in a tenant. */
export interface FlowOwner {
  readonly tenantId: TenantId
  readonly accountId: string
}

/**
 * What upstream is being asked about a Flow. It is stored before the request leaves, so that a crash leaves the doubt
 * in the row: whoever finds one whose lease is over asks upstream what became of it. CREATE stays until upstream took
 * the Flow or refused it.
 */
export type FlowAsk =
  | { readonly kind: 'CREATE' }
  | { readonly kind: 'UPDATE'; readonly name: string | null; readonly categories: readonly FlowCategory[] | null }
  | { readonly kind: 'DOCUMENT' }
  | { readonly kind: 'PUBLISH' }
  | { readonly kind: 'DEPRECATE'; readonly supersededByFlowId: FlowId | null }
  | { readonly kind: 'DELETE' }

/** A Flow with what clients are not shown. */
export interface StoredFlow extends Flow {
  readonly owner: FlowOwner
  /** `entry.time` of the last event that set the status; null: none did. */
  readonly statusAt: Date | null
  readonly ask: FlowAsk | null
  /** Whoever asks, asks alone until then; null without an ask. */
  readonly askedUntil: Date | null
  /** Tries to settle the ask that came to nothing. */
  readonly askTries: number
  /**
   * A creation whose answer was lost may take effect beside the one that made it: until then the Flow keeps its name.
   * Null: none may.
   */
  readonly nameHeldUntil: Date | null
}

/** What may be written over a row; `updatedAt` is the store's. What is absent stays. */
export type FlowPatch = Partial<Omit<StoredFlow, 'id' | 'owner' | 'createdAt' | 'updatedAt'>>

/** A row to be. */
export type NewFlow = Omit<StoredFlow, 'updatedAt'>

/** What becomes of a row, decided while nobody else can write it. */
export type FlowFate =
  | { readonly kind: 'KEEP' }
  | { readonly kind: 'CHANGE'; readonly patch: FlowPatch }
  | { readonly kind: 'REMOVE' }

export type FlowCreation =
  | { readonly kind: 'created'; readonly flow: StoredFlow }
  /** Another one of this name waits to reach upstream: nothing was stored. */
  | { readonly kind: 'taken' }
  /** The last number of the account is gone. */
  | { readonly kind: 'gone' }

export interface FlowQuery extends Page {
  readonly officialStatus: FlowStatus | null
}

/** One Flow of a listing of upstream's, as it is to be merged. */
export interface ListedFlow {
  readonly externalId: string
  readonly name: string
}

/**
 * What a listed Flow becomes: `row` is the one by its id, else the one of its name that upstream is asked for; null
 * when the tenant has neither. One that upstream refused waits no more, and is no row of what has the name.
 */
export type MergeListedFlow<T extends ListedFlow> = (
  listed: T,
  row: StoredFlow | null,
) => FlowFate | { readonly kind: 'CREATE'; readonly flow: NewFlow }

/** Flows as rows. Reads are of one number: those of its account. */
export interface FlowStore {
  /** Null: the number is gone, or has no account. */
  ownerOf(number: NumberRef): Promise<FlowOwner | null>
  find(number: NumberRef, id: string): Promise<StoredFlow | null>
  /** Newest first. */
  list(number: NumberRef, query: FlowQuery): Promise<Paged<Flow>>
  /** Flows of an account by upstream's ids, for templates that name them so; unknown ones are left out. */
  byExternalIds(owner: FlowOwner, externalIds: readonly string[]): Promise<ReadonlyMap<string, FlowId>>
  create(flow: NewFlow): Promise<FlowCreation>
  /**
   * Decides and writes while the row is locked; null: it is gone. An `officialFlowId` that another row of the tenant
   * has is not taken: the row stays as it is. `decide` must be quick and may be called once only. With the row of a
   * removed Flow its responses go.
   */
  change(
    id: FlowId,
    decide: (row: StoredFlow) => FlowFate,
  ): Promise<{ readonly flow: StoredFlow; readonly isRemoved: boolean } | null>
  /** Rows of an account in every tenant that has it, by upstream's id. */
  ofAccount(
    accountId: string,
    externalId: string,
  ): Promise<readonly { readonly id: FlowId; readonly tenantId: TenantId }[]>
  /**
   * Those of upstream's ids that any tenant has a row for which was made by then: a listing may import what a creation
   * of ours has just made.
   */
  known(accountId: string, externalIds: readonly string[], by: Date): Promise<ReadonlySet<string>>
  /** Tenants that have a number of the account. */
  tenantsOf(accountId: string): Promise<readonly TenantId[]>
  /** Rows whose ask nobody works on: the lease is over. Each is the caller's for `leaseMs`. */
  takeAsked(limit: number, leaseMs: number): Promise<readonly StoredFlow[]>
  /**
   * Merges a page of a listing in one transaction; every row that is met counts as seen by `listing`, if there is one.
   */
  merge<T extends ListedFlow>(
    owner: FlowOwner,
    listing: string | null,
    listed: readonly T[],
    decide: MergeListedFlow<T>,
  ): Promise<{ readonly imported: number; readonly updated: number }>
  /**
   * After a complete listing that began at `since`: removes DRAFT rows with an upstream id that it has not seen,
   * without an ask and not changed since. Answers how many. What was published stays, with its responses.
   */
  removeUnseen(owner: FlowOwner, listing: string, since: Date): Promise<number>
  /**
   * Accounts whose listing is due: `everyMs` after the last; at once when there was none. Taken for this node alone for
   * `leaseMs`.
   */
  takeDueListings(limit: number, everyMs: number, leaseMs: number): Promise<readonly FlowOwner[]>
  /** A complete listing of the account ended now. */
  listed(owner: FlowOwner): Promise<void>
}
