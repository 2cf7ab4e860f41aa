import { LRUCache } from 'lru-cache'

/** How much is kept: so many values, or so many bytes by what each is said to take. */
export type Bound<V> =
  | { readonly most: number }
  | { readonly mostBytes: number; readonly bytesOf: (value: V) => number }

/** How long a value is kept, by whose clock. */
export interface Lifetime {
  /** Of each that is set without one of its own; 0: none is kept. */
  readonly ms: number
  readonly clock: { monotonicMs(): number }
}

/** Of one value, in a memory that has a lifetime at all. */
interface OwnLifetime {
  readonly ms?: number
  /** When it began, by the clock; otherwise now. */
  readonly sinceMs?: number
}

/**
 * What is known for a while, in bounds: where there is too much, what was set longest ago goes first, or what was used
 * longest ago where it is read by `use`. Nothing of it is missed when it is gone: it is asked for again.
 */
export class BoundedMemory<V extends NonNullable<unknown>> {
  readonly #kept: LRUCache<string, V>
  readonly #lifetime: Lifetime | null
  /** Rises with each that is forgotten: a look-up that began before must not be kept after it. */
  #forgotten = 0

  /** `lifetime` null: each is kept for as long as there is room. */
  constructor(bound: Bound<V>, lifetime: Lifetime | null = null) {
    this.#lifetime = lifetime
    this.#kept = new LRUCache<string, V>({
      ...limitsOf(bound),
      // When a lifetime is over is asked in one place, `get`; the library would say it a ms later.
      allowStale: true,
      // It takes 0 for no time, and would keep the present for a ms by a timer of its own.
      ...(lifetime && { perf: { now: () => toStart(lifetime.clock.monotonicMs()) }, ttlResolution: 0 }),
    })
  }

  /** How many are held, those included whose lifetime is over. */
  get size(): number {
    return this.#kept.size
  }

  /** What they take, where they are bounded by it. */
  get bytes(): number {
    return this.#kept.calculatedSize
  }

  /** Null: not known, or not any more. It grows no younger by being read. */
  get(key: string): V | null {
    return this.#kept.getRemainingTTL(key) > 0 ? (this.#kept.peek(key) ?? null) : null
  }

  has(key: string): boolean {
    return this.get(key) !== null
  }

  /** The same as `get`, and it now counts as just used: for a memory that forgets first what was not used for long. */
  use(key: string): V | null {
    return this.has(key) ? (this.#kept.get(key) ?? null) : null
  }

  /** Keeps a value as the newest, in place of any other of the key; one over all of the bound in bytes is not kept. */
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

  /** Forgets what is gone. What is being looked up meanwhile may be of it: none of that is kept. */
  forget(isGone: (value: V, key: string) => boolean): void {
    this.#forgotten++
    const gone: string[] = []
    for (const [key, value] of this.#kept.entries()) if (isGone(value, key)) gone.push(key)
    // After all were seen: the library does not say what it goes on with where one is deleted.
    for (const key of gone) this.#kept.delete(key)
  }

  /**
   * What is known of it, else what `lookUp` answers; null is not kept. `since`: whether its lifetime begins when it was
   * asked for or when it was found.
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

/** A time of the clock, as the library is told of it: never 0. */
function toStart(monotonicMs: number): number {
  return monotonicMs + 1
}

/**
 * The library takes whole bytes, and at least one of each. It is told of a number of values as if each were a byte:
 * else it takes room for all of them at once (measured: 1 ms of CPU and 0.5 MB for 10,000).
 */
function limitsOf<V extends NonNullable<unknown>>(bound: Bound<V>) {
  if ('most' in bound) return { maxSize: bound.most, sizeCalculation: () => 1 }
  return {
    maxSize: Math.floor(bound.mostBytes),
    sizeCalculation: (value: V) => Math.max(1, bound.bytesOf(value)),
  }
}
