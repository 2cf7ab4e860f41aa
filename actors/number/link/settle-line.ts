/**
 * Tracks which events of one session are settled. The highest sequence below which none is open is stored: a node that
 * takes over asks the engine only for events after it.
 */
export interface SettleLine {
  saw(seq: number): void
  settle(seq: number): void
  /** The line once `seq` is settled too; null while it is unknown. */
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
