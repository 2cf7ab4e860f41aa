import { setPriority } from 'node:os'

/** Nicer than whoever ordered the work, who shares the machine. */
const NICENESS = 10

/**
 * What a child does for its parent's sake: it makes way, and ends when the parent is gone or ends it, by nothing else.
 */
export function liveAsChild(): void {
  try {
    setPriority(NICENESS)
  } catch {
    // Not allowed everywhere; the work gets done all the same.
  }
  // The parent is gone. Native objects need no farewell.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  // A signal may reach all programs of a terminal or a group at once: it is the parent's to end this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
}
