import { BoundedMemory } from '../../src/domain/bounded-memory.ts'

/** A decoded file, with the validators by which the file host tells versions apart. */
export interface CachedFile {
  readonly packets: readonly Uint8Array[]
  /** `ETag`, empty without one (RFC 9110 section 8.8.3). */
  readonly etag: string
  /** `Last-Modified`, empty without one (RFC 9110 section 8.8.2). */
  readonly lastModified: string
  /** Monotonic ms. */
  readonly storedAtMs: number
}

/**
 * Bytes of memory that a packet takes beside its content: the view and its place in the array (measured, rounded up).
 */
const PACKET_OVERHEAD_BYTES = 150

/** Makes the cache of decoded files by address, bounded by their memory; the least recently used goes first. */
export function createPlaybackCache(maxBytes: number): BoundedMemory<CachedFile> {
  return new BoundedMemory<CachedFile>({
    mostBytes: maxBytes,
    bytesOf: ({ packets }) => packets.reduce((sum, packet) => sum + packet.byteLength + PACKET_OVERHEAD_BYTES, 0),
  })
}
