/** Our choice, in ms: waits between tries after a network failure; the last one repeats. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000]

/**
 * Waits before the next try; `tries` is the number of failures so far. Ends early when the browser comes online or
 * `stopped` fires.
 */
export function pauseAfter(tries: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      stopped.removeEventListener('abort', done)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, WAITS_MS[Math.min(Math.max(tries - 1, 0), WAITS_MS.length - 1)])
    stopped.addEventListener('abort', done)
    addEventListener('online', done)
  })
}
