import { performance } from 'node:perf_hooks'

/**
 * Our choice: one second full of handshakes shuts a host at once; it opens again when the average of three seconds
 * allows.
 */
const SAMPLES = 3
/** Our choice: with fewer calls than this, the share of one more cannot be estimated. */
const FEW_CALLS = 8
/** measured: share of a core of a call in which both sides talk all the time, on a slow machine; 0.01 on a fast one. */
const TALKING_SHARE = 0.015
/** Our choice: until a call is so old it may have been quiet so far, and counts as if both sides talked. */
export const YOUNG_MS = 10_000

/** How busy the one thread of this process is. */
export interface LoopLoad {
  /**
   * Share of the time in which the thread has work or waits for its core, estimated for this many calls. It is the
   * share of the last second, or the average of the last three when that is more, scaled up by the calls that came
   * since, and by what the `young` calls may still come to take, those of less than YOUNG_MS. Before the first sample
   * only these count.
   */
  busyShare(calls: number, young: number): number
  /** Takes a sample; called about once a second with the present number of calls. */
  sample(calls: number): void
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
  let last = { ...times(), calls: 0 }
  let shares: number[] = []
  /** Average number of calls in the last second. */
  let measuredCalls = 0
  return {
    busyShare(calls, young) {
      const measured = Math.max(
        shares.at(-1) ?? 0,
        shares.reduce((sum, each) => sum + each, 0) / Math.max(1, shares.length),
      )
      const share = measured * Math.max(1, calls / Math.max(FEW_CALLS, measuredCalls))
      return share + young * missing(share, calls, young)
    },
    sample(calls) {
      const now = { ...times(), calls }
      const active = now.active - last.active
      shares = [...shares, active / Math.max(1, active + now.idle - last.idle)].slice(-SAMPLES)
      measuredCalls = (last.calls + calls) / 2
      last = now
    },
  }
}

/**
 * What a young call may come to take beyond what calls take on average: as much as an old one at most does, if all that
 * was measured is theirs, and no more than one in which both sides talk.
 */
function missing(share: number, calls: number, young: number): number {
  const talking = Math.min(TALKING_SHARE, share / Math.max(1, calls - young))
  return Math.max(0, (young === calls ? TALKING_SHARE : talking) - share / Math.max(1, calls))
}
