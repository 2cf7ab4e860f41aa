/** our choice: bytes of media are kept in memory up to 64 MB in all; the oldest go first. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024

/** Bytes by id, in memory. Forgotten ones read as null. */
export class ByteStore {
  readonly #maxBytes: number
  readonly #kept = new Map<string, Buffer>()
  #totalBytes = 0

  constructor(maxBytes: number = MAX_KEPT_BYTES) {
    this.#maxBytes = maxBytes
  }

  /** Bytes larger than the whole store are not kept at all. */
  keep(id: string, bytes: Buffer): void {
    if (bytes.length > this.#maxBytes) return
    this.forget(id)
    this.#kept.set(id, bytes)
    this.#totalBytes += bytes.length
    for (const oldest of this.#kept.keys()) {
      if (this.#totalBytes <= this.#maxBytes) return
      this.forget(oldest)
    }
  }

  get(id: string): Buffer | null {
    return this.#kept.get(id) ?? null
  }

  forget(id: string): void {
    this.#totalBytes -= this.#kept.get(id)?.length ?? 0
    this.#kept.delete(id)
  }

  clear(): void {
    this.#kept.clear()
    this.#totalBytes = 0
  }
}
