import type { FileId, NumberId, TemplateId, TenantId } from '../../domain/ids.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { AppliedTimes, TemplateRef } from '../../domain/template-events.ts'
import type {
  Template,
  TemplateCategory,
  TemplateParameters,
  TemplateSource,
  TemplateStatus,
} from '../../domain/template.ts'
import type { Page, Paged } from './message-store.ts'

/**
 * The owner of a template: all OFFICIAL numbers of an account see one row in a tenant; each UNOFFICIAL number has its
 * own ([templates.scope.1]).
 */
export type TemplateOwner =
  | { readonly kind: 'ACCOUNT'; readonly tenantId: TenantId; readonly accountId: string }
  | { readonly kind: 'NUMBER'; readonly tenantId: TenantId; readonly numberId: NumberId }

/** Kept files of a template, which live as long as it does. Null for none, or for one not fetched yet. */
export interface TemplateFileIds {
  readonly header: FileId | null
  /** One for each card. */
  readonly cards: readonly (FileId | null)[]
}

/** What a creation or an edit writes into a row. */
export interface TemplateWording extends Pick<Template, 'body' | 'examples' | 'unsupported'> {
  /** Null on LOCAL. */
  readonly parameters: TemplateParameters | null
  /**
   * The components as upstream was sent them, for comparison; null on LOCAL, and when the service did not submit them.
   */
  readonly submitted: readonly Fields[] | null
  readonly files: TemplateFileIds
}

/**
 * A write that upstream is being asked for. It is stored before the request leaves, so that a crash leaves the doubt in
 * the row: a node that finds one whose lease is over asks upstream what became of it.
 */
export type TemplateAsk =
  | { readonly kind: 'CREATE' }
  /** The wording becomes the row's once upstream took it. */
  | { readonly kind: 'EDIT'; readonly wording: TemplateWording; readonly category: TemplateCategory }
  | { readonly kind: 'DELETE' }

/** A template with the fields that clients are not shown. */
export interface StoredTemplate extends Template, TemplateWording {
  readonly owner: TemplateOwner
  readonly applied: AppliedTimes
  readonly ask: TemplateAsk | null
  /** Only the node that asks may ask until then; null without an ask. */
  readonly askedUntil: Date | null
  /** Failed tries to settle the ask. */
  readonly askTries: number
}

/**
 * A template as it was found, with the version of its row, by which MessageStore.accept can tell whether it has
 * changed.
 */
export interface FoundTemplate extends StoredTemplate {
  readonly version: string
}

/** The fields that may be written over a row; absent ones stay. The store sets `updatedAt`. */
export type TemplatePatch = Partial<
  Omit<
    StoredTemplate,
    'id' | 'owner' | 'name' | 'language' | 'source' | 'sendable' | 'variables' | 'createdAt' | 'updatedAt'
  >
>

/** A row before it is stored; `sendable` and `variables` follow from the rest. */
export type NewTemplate = Omit<StoredTemplate, 'sendable' | 'variables' | 'updatedAt'>

/** What becomes of a row, decided while nobody else can write it. */
export type TemplateFate =
  | { readonly kind: 'KEEP' }
  | { readonly kind: 'CHANGE'; readonly patch: TemplatePatch }
  | { readonly kind: 'REMOVE' }

export type TemplateCreation =
  | { readonly kind: 'created'; readonly template: StoredTemplate }
  /** This row has the name and language already: nothing was stored. */
  | { readonly kind: 'taken'; readonly template: StoredTemplate }
  /** The number is gone, or the last one of the account. */
  | { readonly kind: 'gone' }

export interface TemplateQuery extends Page {
  /** A part of the name, literally. */
  readonly name: string | null
  readonly category: TemplateCategory | null
  /** Exact, in the form `pt_BR`. */
  readonly language: string | null
  readonly source: TemplateSource | null
  readonly officialStatus: TemplateStatus | null
  readonly sendable: boolean | null
}

/** One template of upstream's listing, as it is to be merged. */
export interface ListedTemplate {
  readonly externalId: string
  readonly name: string
  readonly language: string
}

/**
 * Decides what a listed template becomes. `row` is the one of its id, else of its name and language; null when the
 * tenant has none.
 */
export type MergeListed<T extends ListedTemplate> = (
  listed: T,
  row: StoredTemplate | null,
) => TemplateFate | { readonly kind: 'CREATE'; readonly template: NewTemplate }

export interface MergeCounts {
  readonly imported: number
  /** Rows that changed. */
  readonly updated: number
}

/** An account whose templates are to be listed. */
export interface DueListing {
  readonly tenantId: TenantId
  readonly accountId: string
}

/** Templates as rows. Reads are of one number: those of its account, or its own ([templates.scope.1]). */
export interface TemplateStore {
  /** Finds the owner of a number's templates; null when the number is gone. */
  ownerOf(number: NumberRef): Promise<TemplateOwner | null>
  /** Finds by id, else every language of the name, by language. Concurrent look-ups share a statement. */
  find(number: NumberRef, idOrName: string): Promise<readonly FoundTemplate[]>
  /**
   * Recalls what `find` found here some time ago, for a caller that compares it when it uses it; null when nothing is
   * remembered.
   */
  recall(number: NumberRef, idOrName: string): readonly FoundTemplate[] | null
  /** Lists templates, newest first. */
  list(number: NumberRef, query: TemplateQuery): Promise<Paged<Template>>
  /** Stores the row, and takes over its files (FileStore) in the same transaction. */
  create(template: NewTemplate): Promise<TemplateCreation>
  /**
   * Decides and writes while the row is locked; null when it is gone. Files that the row no longer names are released,
   * those that it newly names are taken over. `decide` must be quick and is called at most once.
   */
  change(
    id: TemplateId,
    decide: (row: StoredTemplate) => TemplateFate,
  ): Promise<{ readonly template: StoredTemplate; readonly isRemoved: boolean } | null>
  /**
   * Lists rows of an account in every tenant that has it, by upstream's id, else by name and language
   * (`isSameLanguage`).
   */
  ofAccount(
    accountId: string,
    ref: TemplateRef,
  ): Promise<readonly { readonly id: TemplateId; readonly tenantId: TenantId }[]>
  /** Lists tenants that have a number of the account. */
  tenantsOf(accountId: string): Promise<readonly TenantId[]>
  /** Lists rows of an account that cannot be sent for a Flow that was unknown when they were imported. */
  withUnknownFlows(owner: TemplateOwner & { readonly kind: 'ACCOUNT' }): Promise<readonly StoredTemplate[]>
  /** Takes rows whose ask nobody works on, since its lease is over. Each is the caller's for `leaseMs`. */
  takeAsked(limit: number, leaseMs: number): Promise<readonly StoredTemplate[]>
  /**
   * Merges a page of a listing in one transaction; `listing`, when there is one, counts every row that is met as seen.
   */
  merge<T extends ListedTemplate>(
    owner: TemplateOwner & { readonly kind: 'ACCOUNT' },
    listing: string | null,
    listed: readonly T[],
    decide: MergeListed<T>,
  ): Promise<MergeCounts>
  /**
   * Removes, after a complete listing that began at `since`, rows that it has not seen, without an ask and not changed
   * since ([templates.import.3]): a creation answered meanwhile may have come behind its page. Gives their number.
   */
  removeUnseen(owner: TemplateOwner & { readonly kind: 'ACCOUNT' }, listing: string, since: Date): Promise<number>
  /**
   * Takes accounts whose listing is due, `everyMs` after the last, `pendingMs` when a row is PENDING, or at once when
   * there was none ([templates.import.1]). They are this node's alone for `leaseMs`.
   */
  takeDueListings(limit: number, everyMs: number, pendingMs: number, leaseMs: number): Promise<readonly DueListing[]>
  /** Notes that a complete listing of the account ended now. */
  listed(tenantId: TenantId, accountId: string): Promise<void>
}
