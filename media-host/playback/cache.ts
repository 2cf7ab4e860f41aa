import { BoundedMemory } from '../../src/domain/bounded-memory.ts'

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

/** Makes the cache of decoded files by address, bounded by the memory they take: to be read by `use`. */
export function createPlaybackCache(maxBytes: number): BoundedMemory<CachedFile> {
  return new BoundedMemory<CachedFile>({
    mostBytes: maxBytes,
    bytesOf: ({ packets }) => packets.reduce((sum, packet) => sum + packet.byteLength + PACKET_OVERHEAD_BYTES, 0),
  })
}
