import type { NumberId } from '../../domain/ids.ts'

/**
 * What the owner of a number is to be told, and may be told late. `settings`: those of its row apply from now on.
 * `reopen`: so do the credentials there. `read`: upstream ids of messages that were read.
 */
export type Errand =
  | { readonly kind: 'settings' }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'read'; readonly externalMessageIds: readonly string[] }

export interface StoredErrand {
  readonly id: string
  readonly numberId: NumberId
  /** Null: it cannot be read. */
  readonly errand: Errand | null
}

/** What was not told yet, kept until it was: a node that dies, or cannot reach the owner, leaves it to the others. */
export interface ErrandStore {
  /** Keeps it; others take it up in `heldMs`. Null when the number is gone. */
  note(numberId: NumberId, errand: Errand, heldMs: number): Promise<string | null>
  /** It was told, or there is nobody to tell any more. */
  done(id: string): Promise<void>
  /** It failed for a reason of its own. Answers how often it did; 0: it is gone. */
  failed(id: string): Promise<number>
  /** Takes up those nobody holds, oldest first; others do in `heldMs`. Each is taken up by one node at a time. */
  takeDue(limit: number, heldMs: number): Promise<readonly StoredErrand[]>
  /** Deletes those noted longer than `keptMs` ago. Answers how many. */
  purge(keptMs: number): Promise<number>
}
