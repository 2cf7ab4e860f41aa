import { createHash } from 'node:crypto'
import { BoundedMemory } from '../../../domain/bounded-memory.ts'

/** Our choice: invalid tokens remembered; the oldest is forgotten first and learned again from its next answer. */
const REMEMBERED = 10_000

/** Remembers which access tokens upstream refused, by their hash, and tells watchers of changes. */
export class TokenBook {
  readonly #invalid = new BoundedMemory<true>({ most: REMEMBERED })
  readonly #watchers = new Map<string, Set<(isValid: boolean) => void>>()

  isInvalid(token: string): boolean {
    return this.#invalid.has(hashOf(token))
  }

  /** Notes that upstream refused or accepted a token. Watchers hear of changes only. */
  note(token: string, isValid: boolean): void {
    // The common case, which each answer passes.
    if (isValid && this.#invalid.size === 0) return
    const hash = hashOf(token)
    if (this.#invalid.has(hash) !== isValid) return
    if (isValid) this.#invalid.delete(hash)
    else this.#invalid.set(hash, true)
    for (const watcher of this.#watchers.get(hash) ?? []) watcher(isValid)
  }

  /** Calls `watcher` when a token becomes valid or invalid; answers the function that stops it. */
  watch(token: string, watcher: (isValid: boolean) => void): () => void {
    const hash = hashOf(token)
    const watchers = this.#watchers.get(hash) ?? new Set()
    this.#watchers.set(hash, watchers.add(watcher))
    return () => {
      watchers.delete(watcher)
      if (watchers.size === 0 && this.#watchers.get(hash) === watchers) this.#watchers.delete(hash)
    }
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64')
}
