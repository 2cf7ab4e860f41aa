import { PATIENCE_MS } from './until.ts'

/**
 * Does what must be over before a moment that it is told (`deliverAt`), which is `leadMs` away. On a machine so busy
 * that it was not over by then: again, with twice the time. `act` begins anew each time: with numbers or peers of its
 * own, so that nothing of a try before is seen in the next.
 */
export async function inTime<T>(leadMs: number, act: (moment: string) => Promise<T>): Promise<T> {
  for (let waitMs = leadMs; waitMs <= PATIENCE_MS; waitMs *= 2) {
    const momentMs = Date.now() + waitMs
    const done = await act(new Date(momentMs).toISOString())
    if (Date.now() < momentMs) return done
  }
  throw new Error(`not over within ${PATIENCE_MS} ms`)
}
