import {
  CALL_MEDIA_MS,
  CALL_RING_MS,
  CALL_SILENCE_MS,
  CALL_UNRINGING_MS,
  NUMBER_DISCONNECTED_MS,
} from '../../src/domain/limits.ts'
import type { CallTimes } from '../call/state.ts'
import type { NumberTimes } from '../number/state.ts'

/** How long calls and numbers wait, in ms. Defaults are in domain/limits.ts and below. */
export interface DirectoryTimers {
  readonly callUnringingMs: number
  readonly callRingMs: number
  readonly callMediaMs: number
  /** How long an OFFICIAL call that is not answered waits for news of its end. */
  readonly callUpstreamMs: number
  /** How long an answered OFFICIAL call lives without news from upstream. */
  readonly callSilenceMs: number
  readonly numberDisconnectedMs: number
  readonly numberIdleMs: number
  /** Pause between two looks for changes and messages that no notice told of. */
  readonly changesMs: number
}

/** our choice: a number that nobody needs leaves memory after a minute. */
const NUMBER_IDLE_MS = 60_000
/**
 * our choice: three times upstream's longest window to accept (60 s). Upstream itself ends a call that nobody answers;
 * this bounds one whose end never arrives.
 */
const CALL_UPSTREAM_MS = 180_000
/** our choice: how long, in ms, work waits at worst whose wake-up was lost or that another node's listener stored. */
export const CHANGES_MS = 3_000
/** our choice: rows that could not be closed are tried again after this many ms. */
const SWEEP_MS = 5_000

/** The times of a call, each as given or by default. */
export function callTimes(timers: Partial<DirectoryTimers> = {}): CallTimes {
  return {
    unringingMs: timers.callUnringingMs ?? CALL_UNRINGING_MS,
    ringMs: timers.callRingMs ?? CALL_RING_MS,
    mediaMs: timers.callMediaMs ?? CALL_MEDIA_MS,
    upstreamMs: timers.callUpstreamMs ?? CALL_UPSTREAM_MS,
    silenceMs: timers.callSilenceMs ?? CALL_SILENCE_MS,
  }
}

/** The times of a number, each as given or by default. */
export function numberTimes(timers: Partial<DirectoryTimers> = {}): NumberTimes {
  return {
    disconnectedMs: timers.numberDisconnectedMs ?? NUMBER_DISCONNECTED_MS,
    idleMs: timers.numberIdleMs ?? NUMBER_IDLE_MS,
    sweepMs: SWEEP_MS,
  }
}
