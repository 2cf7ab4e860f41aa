import type { Hold } from './hold.ts'

/** our choice: most bytes of all numbers together, counted as they are stored. */
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Values that were read or written last, so that a chat's session is not opened and parsed for each message. When there
 * are too many, the least recently used go.
 */
export interface ValueCache {
  /** The value; undefined when it is not cached. */
  get(name: string): unknown
  /** `bytes` is the stored size of the value. */
  set(name: string, value: unknown, bytes: number): void
  delete(name: string): void
  clear(): void
}

export function createValueCache(maxBytes: number = MAX_BYTES): ValueCache {
  const kept = new Map<string, { readonly value: unknown; readonly bytes: number }>()
  let total = 0

  function remove(name: string): void {
    total -= kept.get(name)?.bytes ?? 0
    kept.delete(name)
  }

  return {
    get(name) {
      const found = kept.get(name)
      if (!found) return undefined
      // The newest value is last.
      kept.delete(name)
      kept.set(name, found)
      return found.value
    },
    set(name, value, bytes) {
      remove(name)
      kept.set(name, { value, bytes })
      total += bytes
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) return
        remove(oldest)
      }
    },
    delete: remove,
    clear() {
      kept.clear()
      total = 0
    },
  }
}

/**
 * The part of a cache that belongs to one number while it is held: what this engine read or wrote under this hold. It
 * gives nothing while another engine may hold the number; the store is asked then, which checks the fence.
 */
export function heldCacheOf(cache: ValueCache, hold: Hold): ValueCache {
  // What was cached under an earlier hold may be out of date.
  const nameOf = (name: string): string => `${hold.numberId} ${hold.token} ${name}`
  return {
    get: (name) => (hold.isSure() ? cache.get(nameOf(name)) : undefined),
    set: (name, value, bytes) => cache.set(nameOf(name), value, bytes),
    delete: (name) => cache.delete(nameOf(name)),
    clear: () => cache.clear(),
  }
}
