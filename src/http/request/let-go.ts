/** Our choice: what is smaller lies in memory that others use too, or costs more to let go of than it holds. */
const LEAST_BYTES = 4_096

/**
 * Gives back the memory of bytes that nobody reads any more, at once. The bytes are gone for every holder of the
 * buffer. Memory that the buffer shares with others, and small ones, are left to the collector; done again it does
 * nothing.
 *
 * Node copies each piece of a body, 64 KB at most, into memory of its own outside of V8's heap. Left to the collector,
 * some 70 MB of read pieces stand before it looks, and what lives on between them keeps the allocator from giving the
 * place back: 94 MB, a forced collection included (measured, docs/performance.md).
 */
export function letGo({ buffer, byteLength }: Buffer): void {
  if (!(buffer instanceof ArrayBuffer) || byteLength < LEAST_BYTES || byteLength !== buffer.byteLength) return
  buffer.transfer(0)
}
