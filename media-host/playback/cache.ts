/** A decoded file, with what the file host said to tell versions apart. */
export interface CachedFile {
  readonly packets: readonly Uint8Array[]
  /** `ETag`, empty when none was given (RFC 9110 8.8.3). */
  readonly etag: string
  /** `Last-Modified`, empty when none was given (RFC 9110 8.8.2). */
  readonly lastModified: string
  /** Monotonic ms. */
  readonly storedAtMs: number
}

/** Memory a packet costs beside its bytes: the view and its place in the array (measured, rounded up). */
const PACKET_OVERHEAD_BYTES = 150

/** Decoded files by address, least recently used out first, bounded by the memory they take. */
export class PlaybackCache {
  readonly #maxBytes: number
  readonly #files = new Map<string, { readonly file: CachedFile; readonly sizeBytes: number }>()
  #sizeBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** The file, which now counts as just used. */
  get(key: string): CachedFile | null {
    const found = this.#files.get(key)
    if (!found) return null
    this.#files.delete(key)
    this.#files.set(key, found)
    return found.file
  }

  /** Keeps a file in place of any older one of that key. One larger than the whole cache is not kept. */
  put(key: string, file: CachedFile): void {
    this.delete(key)
    const sizeBytes = file.packets.reduce((sum, packet) => sum + packet.byteLength + PACKET_OVERHEAD_BYTES, 0)
    if (sizeBytes > this.#maxBytes) return
    this.#files.set(key, { file, sizeBytes })
    this.#sizeBytes += sizeBytes
    for (const oldest of this.#files.keys()) {
      if (this.#sizeBytes <= this.#maxBytes) break
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#sizeBytes -= this.#files.get(key)?.sizeBytes ?? 0
    this.#files.delete(key)
  }
}
