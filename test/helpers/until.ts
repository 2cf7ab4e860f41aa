import { setTimeout as pause } from 'node:timers/promises'

/** A green test never waits this long; a machine may be a hundred times slower than an idle one and is waited for. */
const PATIENCE_MS = 240_000
const SHORTEST_MS = 15
/** What is asked for often costs the CPU that it waits for: a look at the service 8 ms of it (measured), so that a wait is a fifth longer at most. */
const LONGEST_MS = 500

/** Waits until `check` answers something truthy, and gives that. Fails with `what` after minutes: how fast the machine is decides nothing. */
export async function until<T>(what: string, check: () => T | Promise<T>): Promise<NonNullable<T>> {
  const start = performance.now()
  for (;;) {
    const value = await check()
    if (value) return value
    const waitedMs = performance.now() - start
    if (waitedMs > PATIENCE_MS) throw new Error(`gave up waiting until ${what}`)
    await pause(Math.min(LONGEST_MS, SHORTEST_MS + waitedMs / 5))
  }
}
