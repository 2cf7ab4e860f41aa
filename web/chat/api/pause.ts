/** Our choice, in ms: waits between tries of what the network lost; the last repeats. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000]

/**
 * Waits before the next try, `tries` having failed; not to the end where the browser comes online again, or where it is
 * stopped.
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
