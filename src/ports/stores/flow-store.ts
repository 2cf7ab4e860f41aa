import type { FlowId, TenantId } from '../../domain/ids.ts'
import type { Flow, FlowCategory, FlowStatus } from '../../domain/flow.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { Page, Paged } from './message-store.ts'

/** The owner of a Flow: all OFFICIAL numbers of an account see one row in a tenant ([flows.scope.1]). */
export interface FlowOwner {
  readonly tenantId: TenantId
  readonly accountId: string
}

/**
 * A write that upstream is being asked for. It is stored before the request leaves, so that a crash leaves the doubt in
 * the row: a node that finds one whose lease is over asks upstream what became of it. CREATE stays until upstream took
 * the Flow or refused it.
 */
export type FlowAsk =
  | { readonly kind: 'CREATE' }
  | { readonly kind: 'UPDATE'; readonly name: string | null; readonly categories: readonly FlowCategory[] | null }
  | { readonly kind: 'DOCUMENT' }
  | { readonly kind: 'PUBLISH' }
  | { readonly kind: 'DEPRECATE'; readonly supersededByFlowId: FlowId | null }
  | { readonly kind: 'DELETE' }

/** A Flow with the fields that clients are not shown. */
export interface StoredFlow extends Flow {
  readonly owner: FlowOwner
  /** `entry.time` of the last event that set the status; null when none did. */
  readonly statusAt: Date | null
  readonly ask: FlowAsk | null
  /** Only the node that asks may ask until then; null without an ask. */
  readonly askedUntil: Date | null
  /** Failed tries to settle the ask. */
  readonly askTries: number
  /**
   * A creation whose answer was lost may still take effect, beside the one that made the Flow. The Flow keeps its name
   * reserved until then. Null when no such creation is left.
   */
  readonly nameHeldUntil: Date | null
  /** Whether upstream showed it before the service knew of it; one that a client created here is none. */
  readonly isImported: boolean
}

/** The fields that may be written over a row; absent ones stay. The store sets `updatedAt`. */
export type FlowPatch = Partial<Omit<StoredFlow, 'id' | 'owner' | 'createdAt' | 'updatedAt'>>

/** A row before it is stored. */
export type NewFlow = Omit<StoredFlow, 'updatedAt'>

/** What becomes of a row, decided while nobody else can write it. */
export type FlowFate =
  | { readonly kind: 'KEEP' }
  | { readonly kind: 'CHANGE'; readonly patch: FlowPatch }
  | { readonly kind: 'REMOVE' }

export type FlowCreation =
  | { readonly kind: 'created'; readonly flow: StoredFlow }
  /** Another Flow of this name waits to reach upstream: nothing was stored. */
  | { readonly kind: 'taken' }
  /** The last number of the account is gone. */
  | { readonly kind: 'gone' }

export interface FlowQuery extends Page {
  readonly officialStatus: FlowStatus | null
}

/** One Flow of upstream's listing, as it is to be merged. */
export interface ListedFlow {
  readonly externalId: string
  readonly name: string
}

/**
 * Decides what a listed Flow becomes. `row` is the one of its id, else the one of its name that upstream is being asked
 * for; null when the tenant has neither. A row that upstream refused no longer waits, so it is no row of that name.
 */
export type MergeListedFlow<T extends ListedFlow> = (
  listed: T,
  row: StoredFlow | null,
) => FlowFate | { readonly kind: 'CREATE'; readonly flow: NewFlow }

/** Flows as rows. Reads are of one number: those of its account. */
export interface FlowStore {
  /** Finds the account of a number; null when the number is gone, or has no account. */
  ownerOf(number: NumberRef): Promise<FlowOwner | null>
  find(number: NumberRef, id: string): Promise<StoredFlow | null>
  /** Lists Flows, newest first. */
  list(number: NumberRef, query: FlowQuery): Promise<Paged<Flow>>
  /** Finds Flows of an account by upstream's ids, for templates that name them so; unknown ones are left out. */
  byExternalIds(owner: FlowOwner, externalIds: readonly string[]): Promise<ReadonlyMap<string, FlowId>>
  create(flow: NewFlow): Promise<FlowCreation>
  /**
   * Decides and writes while the row is locked; null when it is gone. An `officialFlowId` that another row of the
   * tenant has is refused: the row stays as it is. `decide` must be quick and is called at most once. A removed Flow
   * takes its responses with it.
   */
  change(
    id: FlowId,
    decide: (row: StoredFlow) => FlowFate,
  ): Promise<{ readonly flow: StoredFlow; readonly isRemoved: boolean } | null>
  /** Lists the rows of an account in every tenant that has it, by upstream's id. */
  ofAccount(
    accountId: string,
    externalId: string,
  ): Promise<readonly { readonly id: FlowId; readonly tenantId: TenantId }[]>
  /**
   * Tells which of upstream's ids have a row in any tenant that was made by then, or by a client, or had one that was
   * removed a moment ago (REMOVED_STAYS_MS). Later imports do not count: a listing may have imported what a creation of
   * the service has just made.
   */
  known(accountId: string, externalIds: readonly string[], by: Date): Promise<ReadonlySet<string>>
  /** Lists tenants that have a number of the account. */
  tenantsOf(accountId: string): Promise<readonly TenantId[]>
  /** Takes rows whose ask nobody works on, since its lease is over. Each is the caller's for `leaseMs`. */
  takeAsked(limit: number, leaseMs: number): Promise<readonly StoredFlow[]>
  /**
   * Merges a page of a listing in one transaction; `listing`, when there is one, counts every row that is met as seen.
   */
  merge<T extends ListedFlow>(
    owner: FlowOwner,
    listing: string | null,
    listed: readonly T[],
    decide: MergeListedFlow<T>,
  ): Promise<{ readonly imported: number; readonly updated: number }>
  /**
   * Removes, after a complete listing that began at `since`, DRAFT rows with an upstream id that it has not seen,
   * without an ask and not changed since ([flows.upstream.8]). Gives their number. Published ones stay, with their
   * responses.
   */
  removeUnseen(owner: FlowOwner, listing: string, since: Date): Promise<number>
  /**
   * Takes accounts whose listing is due, `everyMs` after the last, or at once when there was none. They are this node's
   * alone for `leaseMs`.
   */
  takeDueListings(limit: number, everyMs: number, leaseMs: number): Promise<readonly FlowOwner[]>
  /** Notes that a complete listing of the account ended now. */
  listed(owner: FlowOwner): Promise<void>
}
