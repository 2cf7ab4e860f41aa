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
 * Whose a template is: all OFFICIAL numbers of an account see one row in a tenant; on UNOFFICIAL each number has its
 * own.
 */
export type TemplateOwner =
  | { readonly kind: 'ACCOUNT'; readonly tenantId: TenantId; readonly accountId: string }
  | { readonly kind: 'NUMBER'; readonly tenantId: TenantId; readonly numberId: NumberId }

/** Kept files of a template: they live as long as it does. Null: none, or not fetched yet. */
export interface TemplateFileIds {
  readonly header: FileId | null
  /** One for each card. */
  readonly cards: readonly (FileId | null)[]
}

/** What a creation or an edit puts into a row. */
export interface TemplateWording extends Pick<Template, 'body' | 'examples' | 'unsupported'> {
  /** Null on LOCAL. */
  readonly parameters: TemplateParameters | null
  /** As upstream was sent it, to know it again; null on LOCAL, and where it was not submitted from here. */
  readonly submitted: readonly Fields[] | null
  readonly files: TemplateFileIds
}

/**
 * What upstream is being asked about a template. It is stored before the request leaves, so that a crash leaves the
 * doubt in the row: whoever finds one whose lease is over asks upstream what became of it.
 */
export type TemplateAsk =
  | { readonly kind: 'CREATE' }
  /** Becomes the row once upstream took it. */
  | { readonly kind: 'EDIT'; readonly wording: TemplateWording; readonly category: TemplateCategory }
  | { readonly kind: 'DELETE' }

/** A template with what clients are not shown. */
export interface StoredTemplate extends Template, TemplateWording {
  readonly owner: TemplateOwner
  readonly applied: AppliedTimes
  readonly ask: TemplateAsk | null
  /** Whoever asks, asks alone until then; null without an ask. */
  readonly askedUntil: Date | null
  /** Tries to settle the ask that came to nothing. */
  readonly askTries: number
}

/**
 * A template as it was found, with the version of its row, by which MessageStore.accept can tell whether it still is
 * so.
 */
export interface FoundTemplate extends StoredTemplate {
  readonly version: string
}

/** What may be written over a row; `updatedAt` is the store's. What is absent stays. */
export type TemplatePatch = Partial<
  Omit<
    StoredTemplate,
    'id' | 'owner' | 'name' | 'language' | 'source' | 'sendable' | 'variables' | 'createdAt' | 'updatedAt'
  >
>

/** A row to be; `sendable` and `variables` follow from the rest. */
export type NewTemplate = Omit<StoredTemplate, 'sendable' | 'variables' | 'updatedAt'>

/** What becomes of a row, decided while nobody else can write it. */
export type TemplateFate =
  | { readonly kind: 'KEEP' }
  | { readonly kind: 'CHANGE'; readonly patch: TemplatePatch }
  | { readonly kind: 'REMOVE' }

export type TemplateCreation =
  | { readonly kind: 'created'; readonly template: StoredTemplate }
  /** Name and language are taken by this row: nothing was stored. */
  | { readonly kind: 'taken'; readonly template: StoredTemplate }
  /** The number is gone, or the last one of the account. */
  | { readonly kind: 'gone' }

export interface TemplateQuery extends Page {
  /** Part of the name, literally. */
  readonly name: string | null
  readonly category: TemplateCategory | null
  /** Exact, `pt_BR` form. */
  readonly language: string | null
  readonly source: TemplateSource | null
  readonly officialStatus: TemplateStatus | null
  readonly sendable: boolean | null
}

/** One row of a listing of upstream's, as it is to be merged. */
export interface ListedTemplate {
  readonly externalId: string
  readonly name: string
  readonly language: string
}

/**
 * What a listed template becomes: `row` is the one by its id, else by name and language; null when the tenant has none.
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

/** Templates as rows. Reads are of one number: those of its account, or its own (contract 10). */
export interface TemplateStore {
  /** Null: the number is gone. */
  ownerOf(number: NumberRef): Promise<TemplateOwner | null>
  /** By id, else every language of the name, by language. Those that are asked for together share a statement. */
  find(number: NumberRef, idOrName: string): Promise<readonly FoundTemplate[]>
  /**
   * What `find` found here some time ago, for whoever has it compared when it is used; null: nothing that is
   * remembered.
   */
  recall(number: NumberRef, idOrName: string): readonly FoundTemplate[] | null
  /** Newest first. */
  list(number: NumberRef, query: TemplateQuery): Promise<Paged<Template>>
  /** Stores the row, its files taken over (FileStore) in the same transaction. */
  create(template: NewTemplate): Promise<TemplateCreation>
  /**
   * Decides and writes while the row is locked; null: it is gone. Files that the row does not name any more are let go
   * of, those it newly names are taken over. `decide` must be quick and may be called once only.
   */
  change(
    id: TemplateId,
    decide: (row: StoredTemplate) => TemplateFate,
  ): Promise<{ readonly template: StoredTemplate; readonly isRemoved: boolean } | null>
  /** Rows of an account in every tenant that has it, by upstream's id, else by name and language (`isSameLanguage`). */
  ofAccount(
    accountId: string,
    ref: TemplateRef,
  ): Promise<readonly { readonly id: TemplateId; readonly tenantId: TenantId }[]>
  /** Tenants that have a number of the account. */
  tenantsOf(accountId: string): Promise<readonly TenantId[]>
  /** Rows of an account that cannot be sent for a Flow that nobody knew when they were imported. */
  withUnknownFlows(owner: TemplateOwner & { readonly kind: 'ACCOUNT' }): Promise<readonly StoredTemplate[]>
  /** Rows whose ask nobody works on: the lease is over. Each is the caller's for `leaseMs`. */
  takeAsked(limit: number, leaseMs: number): Promise<readonly StoredTemplate[]>
  /**
   * Merges a page of a listing in one transaction; every row that is met counts as seen by `listing`, if there is one.
   */
  merge<T extends ListedTemplate>(
    owner: TemplateOwner & { readonly kind: 'ACCOUNT' },
    listing: string | null,
    listed: readonly T[],
    decide: MergeListed<T>,
  ): Promise<MergeCounts>
  /**
   * After a complete listing that began at `since`: removes rows that it has not seen, without an ask and not changed
   * since. A creation that was answered meanwhile may have come behind its page. Answers how many.
   */
  removeUnseen(owner: TemplateOwner & { readonly kind: 'ACCOUNT' }, listing: string, since: Date): Promise<number>
  /**
   * Accounts whose listing is due: `everyMs` after the last, `pendingMs` where a row is PENDING; at once when there was
   * none. Taken for this node alone for `leaseMs`.
   */
  takeDueListings(limit: number, everyMs: number, pendingMs: number, leaseMs: number): Promise<readonly DueListing[]>
  /** A complete listing of the account ended now. */
  listed(tenantId: TenantId, accountId: string): Promise<void>
}
