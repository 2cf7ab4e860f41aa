import { setTimeout as pause } from 'node:timers/promises'

/** A green test never waits this long; a machine may be a hundred times slower than an idle one and is waited for. */
export const PATIENCE_MS = 240_000
const SHORTEST_MS = 15
/**
 * What is asked for often costs the CPU that it waits for: a look at the service 8 ms of it (measured), so that a wait
 * is a fifth longer at most.
 */
const LONGEST_MS = 500

/**
 * Waits until `check` answers something truthy, and gives that. Fails with `what` after minutes: how fast the machine
 * is decides nothing.
 */
export async function until<T>(what: string, check: () => T | Promise<T>): Promise<NonNullable<T>> {
  const start = performance.now()
  for (;;) {
    const value = await within(what, check())
    if (value) return value
    const waitedMs = performance.now() - start
    if (waitedMs > PATIENCE_MS) throw new Error(`gave up waiting until ${what}`)
    await pause(Math.min(LONGEST_MS, SHORTEST_MS + waitedMs / 5))
  }
}

/**
 * What another process, a socket or a stream settles, or never: fails with `what` after minutes (`ms` unless told), so
 * that a test that hangs says where.
 */
export async function within<T>(what: string, settled: T | PromiseLike<T>, ms: number = PATIENCE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // Where nobody waits any more, this does not keep the process.
    timer = setTimeout(() => reject(new Error(`gave up waiting until ${what}`)), ms).unref()
  })
  try {
    return await Promise.race([settled, late])
  } finally {
    clearTimeout(timer)
  }
}
