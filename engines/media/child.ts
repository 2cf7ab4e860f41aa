import { setPriority } from 'node:os'

/** The child runs at a lower priority than the program that ordered the work and shares the machine. */
const NICENESS = 10

/** Sets up a child process: it lowers its priority, and it ends only when its parent is gone or ends it. */
export function liveAsChild(): void {
  try {
    setPriority(NICENESS)
  } catch {
    // Some systems forbid this; the work is done all the same.
  }
  // The parent is gone, so the process ends at once; native objects need no cleanup.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // A signal can reach every program of a terminal or group at once, but only the parent may end this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
}
