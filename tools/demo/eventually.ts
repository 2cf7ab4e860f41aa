import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 100
const PATIENCE_MS = 15_000

/**
 * Asks again until the answer is not null; throws after 15 s, or after the given time, and names what did not happen.
 */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | null> | T | null,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  for (const untilMs = performance.now() + patienceMs; ;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() > untilMs) throw new Error(`${what}: it did not happen`)
    await pause(LOOK_MS)
  }
}
