/** How long and how many values are kept. */
export interface ExpiringLimits {
  /** ms that a value is kept after it was set. */
  readonly ttlMs: number
  /** Most values; when there are more, those set longest ago go. */
  readonly max?: number
  /** Called with the key of each value that is gone, whatever removed it, but not of one that was set anew. */
  readonly removed?: (key: string) => void
  readonly now?: () => number
  /** Calls after some ms; resolves to what revokes the call. */
  readonly later?: (call: () => void, ms: number) => () => void
}

/** Keeps values by key for a time. Without values it takes no memory for them, and no timer runs. */
export class Expiring<V> {
  readonly #limits: ExpiringLimits
  #kept: Map<string, { readonly value: V; readonly untilMs: number }> | null = null
  #revoke: (() => void) | null = null

  constructor(limits: ExpiringLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#kept?.size ?? 0
  }

  get(key: string): V | undefined {
    const found = this.#kept?.get(key)
    return found && found.untilMs > this.#now() ? found.value : undefined
  }

  set(key: string, value: V): void {
    const { ttlMs, max = Infinity } = this.#limits
    const kept = (this.#kept ??= new Map())
    // The newest value is last, so the first one expires next.
    kept.delete(key)
    kept.set(key, { value, untilMs: this.#now() + ttlMs })
    const [oldest] = kept.keys()
    if (kept.size > max && oldest !== undefined) this.delete(oldest)
    this.#revoke ??= this.#later(ttlMs)
  }

  /** True when the key was there. */
  delete(key: string): boolean {
    if (this.#kept?.delete(key) !== true) return false
    this.#limits.removed?.(key)
    if (this.#kept.size === 0) this.#rest()
    return true
  }

  clear(): void {
    for (const key of this.#kept?.keys() ?? []) this.#limits.removed?.(key)
    this.#rest()
  }

  #rest(): void {
    this.#kept = null
    this.#revoke?.()
    this.#revoke = null
  }

  #sweep(): void {
    this.#revoke = null
    for (const [key, { untilMs }] of this.#kept ?? []) {
      if (untilMs > this.#now()) {
        this.#revoke = this.#later(untilMs - this.#now())
        return
      }
      this.delete(key)
    }
  }

  #now(): number {
    return (this.#limits.now ?? Date.now)()
  }

  #later(ms: number): () => void {
    return (this.#limits.later ?? later)(() => this.#sweep(), ms)
  }
}

/** Calls after some ms, which keep no process alive. */
function later(call: () => void, ms: number): () => void {
  const timer = setTimeout(call, ms).unref()
  return () => clearTimeout(timer)
}
