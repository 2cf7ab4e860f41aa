/**
 * our choice, in bytes: Node cuts small buffers from pools of 8 KiB, and a pool stays as long as any of its buffers.
 * The keys of a session at rest held 17 KiB of pools that way; with pools of this size they hold 5 KiB.
 */
const POOL_BYTES = 2_048

/** Makes the pools of small buffers small. Call it before buffers that last are made. */
export function shrinkBufferPool(): void {
  Buffer.poolSize = POOL_BYTES
}
