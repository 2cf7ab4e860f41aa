/**
 * Follows which events of one session are settled, so that the highest sequence below which nothing is
 * open can be stored: a node that takes over asks the engine only for what comes after it.
 */
export interface SettleLine {
  saw(seq: number): void
  settle(seq: number): void
  /** The line once `seq` is settled too; null while nothing can be said. */
  lineWith(seq: number): number | null
}

export function createSettleLine(): SettleLine {
  const open = new Set<number>()
  let highest: number | null = null
  return {
    saw(seq) {
      open.add(seq)
      highest = Math.max(seq, highest ?? seq)
    },
    settle(seq) {
      open.delete(seq)
    },
    lineWith(seq) {
      if (highest === null) return null
      let lowestOpen = highest + 1
      for (const other of open) if (other !== seq && other < lowestOpen) lowestOpen = other
      return lowestOpen - 1
    },
  }
}
