/**
 * Signals every process of the group that a detached child leads. It is no error when none is left, nor when the child
 * was never started: group 0 would be the caller's own.
 */
export function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
