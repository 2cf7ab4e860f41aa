import { performance } from 'node:perf_hooks'
import type { CallWeights } from '../clock.ts'
import { TALKING_SHARE } from '../legs/call-work.ts'

/**
 * Our choice: one second full of handshakes shuts a host at once; it opens again when the average of three seconds
 * allows.
 */
const SAMPLES = 3
/** Our choice: with fewer calls than eight that talk, the share of one more cannot be estimated. */
const FEW_CALLS_SHARE = 8 * TALKING_SHARE
/** Our choice: until a call is so old it may have been quiet so far, and counts as if both sides talked. */
export const YOUNG_MS = 10_000

/** How busy the one thread of this process is. */
export interface LoopLoad {
  /**
   * Share of the time in which the thread has work or waits for its core, estimated for the calls that there are. It is
   * the share of the last second, or the average of the last three when that is more, scaled up by the calls that came
   * since, and by what the young calls may still come to take, those of less than YOUNG_MS. Before the first sample
   * only these count. Each call counts for what calls of its kind take at most (mostShareOf).
   */
  busyShare(most: CallWeights): number
  /** Takes a sample; called about once a second with the calls that there are. */
  sample(most: CallWeights): void
}

/** Times of the thread so far, in ms: at work, and waiting for work. */
export interface LoopTimes {
  readonly active: number
  readonly idle: number
}

/**
 * Measures the time in which the event loop did not wait. Unlike CPU time it grows when other programs take the core.
 */
export function createLoopLoad(times: () => LoopTimes = () => performance.eventLoopUtilization()): LoopLoad {
  let last = { ...times(), most: 0 }
  let shares: number[] = []
  /** What the calls of the last second take at most, on average over it. */
  let measuredMost = 0
  return {
    busyShare(most) {
      const measured = Math.max(
        shares.at(-1) ?? 0,
        shares.reduce((sum, each) => sum + each, 0) / Math.max(1, shares.length),
      )
      const share = measured * Math.max(1, (most.young + most.old) / Math.max(FEW_CALLS_SHARE, measuredMost))
      return share + missingShare(share, most)
    },
    sample({ young, old }) {
      const now = { ...times(), most: young + old }
      const active = now.active - last.active
      shares = [...shares, active / Math.max(1, active + now.idle - last.idle)].slice(-SAMPLES)
      measuredMost = (last.most + now.most) / 2
      last = now
    },
  }
}

/**
 * What young calls may come to take beyond the part of `share` that is theirs: as much of their most as old calls take
 * of theirs, if all that was measured is of the old ones, and all of it while there are none.
 */
export function missingShare(share: number, { young, old }: CallWeights): number {
  if (young === 0) return 0
  const taken = old === 0 ? 1 : Math.min(1, share / old)
  return young * Math.max(0, taken - share / (young + old))
}
