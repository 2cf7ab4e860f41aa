import { PATIENCE_MS } from './until.ts'

/**
 * Runs `act`, which must end before the moment that it gets (`deliverAt`), `leadMs` away. When the machine is too busy
 * for that, it runs again with twice the time. Each run of `act` needs numbers or peers of its own, so that nothing of
 * an earlier run is seen in it.
 */
export async function inTime<T>(leadMs: number, act: (moment: string) => Promise<T>): Promise<T> {
  for (let waitMs = leadMs; waitMs <= PATIENCE_MS; waitMs *= 2) {
    const momentMs = Date.now() + waitMs
    const done = await act(new Date(momentMs).toISOString())
    if (Date.now() < momentMs) return done
  }
  throw new Error(`not over within ${PATIENCE_MS} ms`)
}
