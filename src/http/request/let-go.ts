/** our choice, in bytes: a smaller buffer lies in memory that others share, or costs more to free than it holds. */
const LEAST_BYTES = 4_096

/**
 * Gives back the memory of bytes that nobody reads any more, at once. The bytes are gone for every holder of the
 * buffer. Small buffers, and memory that is shared with others, are left to the collector. A second call does nothing.
 *
 * Node copies each piece of a body, 64 KB at most, into memory of its own outside of V8's heap. Left to the collector,
 * some 70 MB of read pieces gather before it runs, and what lives on between them keeps the allocator from giving the
 * memory back: 94 MB stay, even after a forced collection (measured, docs/performance.md).
 */
export function letGo({ buffer, byteLength }: Buffer): void {
  if (!(buffer instanceof ArrayBuffer) || byteLength < LEAST_BYTES || byteLength !== buffer.byteLength) return
  buffer.transfer(0)
}
