import { setTimeout as pause } from 'node:timers/promises'

/**
 * How long a wait may take, in ms: a passing test never waits this long, and a machine may be a hundred times slower
 * than an idle one.
 */
export const PATIENCE_MS = 240_000
const SHORTEST_MS = 15
/**
 * The longest pause between checks, in ms. Checks cost the CPU that they wait for, 8 ms for a look at the service
 * (measured), so the pause grows; it makes a wait at most a fifth longer.
 */
const LONGEST_MS = 500

/**
 * Waits until `check` returns a truthy value, and resolves to it. Rejects with `what` after minutes, so that the speed
 * of the machine does not decide.
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
 * Waits for a promise of another process, a socket or a stream. Rejects with `what` after `ms`, by default minutes, so
 * that a test that hangs says where.
 */
export async function within<T>(what: string, settled: T | PromiseLike<T>, ms: number = PATIENCE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // The timer must not keep the process alive when nobody waits any more.
    timer = setTimeout(() => reject(new Error(`gave up waiting until ${what}`)), ms).unref()
  })
  try {
    return await Promise.race([settled, late])
  } finally {
    clearTimeout(timer)
  }
}
