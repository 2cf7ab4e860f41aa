import { LRUCache } from 'lru-cache'

/** How much is kept: a number of values, or a number of bytes by what `bytesOf` says that each value takes. */
export type Bound<V> =
  | { readonly most: number }
  | { readonly mostBytes: number; readonly bytesOf: (value: V) => number }

/** How long a value is kept, and the clock that measures it. */
export interface Lifetime {
  /** The lifetime of a value that is set without one of its own; 0 keeps none. */
  readonly ms: number
  readonly clock: { monotonicMs(): number }
}

/** The lifetime of a single value, which only a memory with a lifetime takes. */
interface OwnLifetime {
  readonly ms?: number
  /** When the lifetime began, by the clock; now when it is left out. */
  readonly sinceMs?: number
}

/**
 * Remembers values for a while, within bounds: where there is too much, what was set longest ago goes first, or what
 * was used longest ago where it is read by `use`. It serves as a cache: whoever misses a value asks for it again.
 */
export class BoundedMemory<V extends NonNullable<unknown>> {
  readonly #kept: LRUCache<string, V>
  readonly #lifetime: Lifetime | null
  /** Rises with each call of `forget`: a look-up that began before it must not be kept after it. */
  #forgotten = 0

  /** `lifetime` is null when each value is kept for as long as there is room. */
  constructor(bound: Bound<V>, lifetime: Lifetime | null = null) {
    this.#lifetime = lifetime
    this.#kept = new LRUCache<string, V>({
      ...limitsOf(bound),
      // `get` alone decides when a lifetime is over; the library would say it a ms later.
      allowStale: true,
      // The library takes 0 for no time, and would remember what time it is for a ms by a timer of its own.
      ...(lifetime && { perf: { now: () => toStart(lifetime.clock.monotonicMs()) }, ttlResolution: 0 }),
    })
  }

  /** How many are held, those included whose lifetime is over. */
  get size(): number {
    return this.#kept.size
  }

  /** The bytes that the values take; only a memory bounded by bytes counts them. */
  get bytes(): number {
    return this.#kept.calculatedSize
  }

  /** Gives the value; null when it is not known, or no longer. Reading it does not extend its lifetime. */
  get(key: string): V | null {
    return this.#kept.getRemainingTTL(key) > 0 ? (this.#kept.peek(key) ?? null) : null
  }

  has(key: string): boolean {
    return this.get(key) !== null
  }

  /**
   * Reads as `get` does and counts the value as just used, for a memory that drops first what was not used for long.
   */
  use(key: string): V | null {
    return this.has(key) ? (this.#kept.get(key) ?? null) : null
  }

  /** Keeps a value as the newest of its key. A value that is larger than the whole bound is not kept. */
  set(key: string, value: V, { ms = this.#lifetime?.ms, sinceMs }: OwnLifetime = {}): void {
    if (ms !== undefined && ms <= 0) return this.delete(key)
    this.#kept.set(key, value, {
      ...(ms !== undefined && { ttl: ms }),
      ...(sinceMs !== undefined && { start: toStart(sinceMs) }),
    })
  }

  delete(key: string): void {
    this.#kept.delete(key)
  }

  /** Drops the values that are gone. A look-up under way may have read what is gone, so `find` keeps none of those. */
  forget(isGone: (value: V, key: string) => boolean): void {
    this.#forgotten++
    const gone: string[] = []
    for (const [key, value] of this.#kept.entries()) if (isGone(value, key)) gone.push(key)
    // Deletes only after all were seen: the library does not say where a walk goes on once an item is deleted.
    for (const key of gone) this.#kept.delete(key)
  }

  /**
   * Gives the known value, else what `lookUp` answers, which is kept unless it is null. `since` says whether the
   * lifetime begins when the value was asked for or when it was found.
   */
  async find(key: string, lookUp: () => Promise<V | null>, since: 'asked' | 'found' = 'found'): Promise<V | null> {
    const known = this.get(key)
    if (known !== null) return known
    const begun = this.#forgotten
    const own = since === 'asked' && this.#lifetime ? { sinceMs: this.#lifetime.clock.monotonicMs() } : {}
    const value = await lookUp()
    if (value !== null && begun === this.#forgotten) this.set(key, value, own)
    return value
  }
}

/** Converts a time of the clock to the library's, where 0 would mean no time. */
function toStart(monotonicMs: number): number {
  return monotonicMs + 1
}

/**
 * The library takes whole bytes, and at least one of each value. A bound in values is told to it as bytes, one each:
 * its own bound in values reserves room for all of them at once (measured: 1 ms of CPU and 0.5 MB for 10,000).
 */
function limitsOf<V extends NonNullable<unknown>>(bound: Bound<V>) {
  if ('most' in bound) return { maxSize: bound.most, sizeCalculation: () => 1 }
  return {
    maxSize: Math.floor(bound.mostBytes),
    sizeCalculation: (value: V) => Math.max(1, bound.bytesOf(value)),
  }
}
