import type { NumberId } from '../../domain/ids.ts'

/**
 * News for the owner of a number that may come late. `settings`: those of the number's row apply from now on. `reopen`:
 * so do its credentials. `read`: upstream ids of messages that were read.
 */
export type Errand =
  | { readonly kind: 'settings' }
  | { readonly kind: 'reopen' }
  | { readonly kind: 'read'; readonly externalMessageIds: readonly string[] }

export interface StoredErrand {
  readonly id: string
  readonly numberId: NumberId
  /** Null when what is stored cannot be read. */
  readonly errand: Errand | null
}

/**
 * News that is kept until the owner was told: a node that dies, or cannot reach the owner, leaves it to other nodes.
 */
export interface ErrandStore {
  /** Keeps an errand; other nodes may take it up in `heldMs`. Null when the number is gone. */
  note(numberId: NumberId, errand: Errand, heldMs: number): Promise<string | null>
  /** Forgets an errand: its owner was told, or there is nobody to tell any more. */
  done(id: string): Promise<void>
  /** Notes that it failed for a reason of its own. Gives how often it did; 0 when it is gone. */
  failed(id: string): Promise<number>
  /**
   * Takes up errands that nobody holds, oldest first, and holds them for `heldMs`. One node at a time takes up each.
   */
  takeDue(limit: number, heldMs: number): Promise<readonly StoredErrand[]>
  /** Deletes those noted longer than `keptMs` ago. Gives their number. */
  purge(keptMs: number): Promise<number>
}
