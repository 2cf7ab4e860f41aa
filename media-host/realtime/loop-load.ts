import { performance } from 'node:perf_hooks'

/** Our choice: one second full of handshakes shuts a host at once; it opens again once three were free on average. */
const SAMPLES = 3
/** Our choice: of fewer calls it cannot be told what one more costs. */
const FEW_CALLS = 8

/** How busy the one thread of this process is. */
export interface LoopLoad {
  /**
   * Share of the time in which the thread has work or waits for its core, with so many calls: that of the last second,
   * or of the last three where that is more, and with it what those calls will add that came since. 0 before the first
   * sample.
   */
  busyShare(calls: number): number
  /** To be called about once a second, with the calls there are. */
  sample(calls: number): void
}

/** What the thread did so far, ms: `active` and waiting for something to do. */
export interface LoopTimes {
  readonly active: number
  readonly idle: number
}

/** Measures by the time in which the event loop did not wait: unlike CPU time it grows where others take the core. */
export function createLoopLoad(times: () => LoopTimes = () => performance.eventLoopUtilization()): LoopLoad {
  let last = { ...times(), calls: 0 }
  let shares: number[] = []
  /** Calls there were in the last second, on average. */
  let measuredCalls = 0
  return {
    busyShare(calls) {
      const share = Math.max(
        shares.at(-1) ?? 0,
        shares.reduce((sum, each) => sum + each, 0) / Math.max(1, shares.length),
      )
      return share * Math.max(1, calls / Math.max(FEW_CALLS, measuredCalls))
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
