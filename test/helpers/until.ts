import { setTimeout as pause } from 'node:timers/promises'

/** Waits until `check` answers something truthy, and gives that. Fails with `what` after `limitMs`. */
export async function until<T>(what: string, check: () => T | Promise<T>, limitMs: number = 20_000): Promise<NonNullable<T>> {
  const end = performance.now() + limitMs
  for (;;) {
    const value = await check()
    if (value) return value
    if (performance.now() > end) throw new Error(`gave up waiting until ${what}`)
    await pause(15)
  }
}
