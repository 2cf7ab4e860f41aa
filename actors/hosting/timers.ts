import {
  CALL_MEDIA_MS,
  CALL_RING_MS,
  CALL_SILENCE_MS,
  CALL_UNRINGING_MS,
  NUMBER_DISCONNECTED_MS,
} from '../../src/domain/limits.ts'
import type { CallTimes } from '../call/state.ts'
import type { NumberTimes } from '../number/state.ts'

/** How long calls and numbers wait; defaults from domain/limits.ts and the choices below. */
export interface DirectoryTimers {
  readonly callUnringingMs: number
  readonly callRingMs: number
  readonly callMediaMs: number
  /** How long an OFFICIAL call that is not answered waits to be told of its end. */
  readonly callUpstreamMs: number
  /** How long an answered OFFICIAL call lives without a word from upstream. */
  readonly callSilenceMs: number
  readonly numberDisconnectedMs: number
  readonly numberIdleMs: number
  /** Pause between looks for changes and messages nobody was woken for. */
  readonly changesMs: number
}

/** our choice: a number nobody needs leaves memory after a minute. */
const NUMBER_IDLE_MS = 60_000
/**
 * our choice: three times upstream's longest window to accept (60 s). Upstream itself ends a call nobody answers;
 * this is for one whose end never reaches us.
 */
const CALL_UPSTREAM_MS = 180_000
/** our choice: the net under lost wake-ups, and how long a change stored by another node's listener waits at worst. */
export const CHANGES_MS = 3_000
/** our choice: rows that could not be closed are tried again after this. */
const SWEEP_MS = 5_000

/** The times of a call, each given or its default. */
export function callTimes(timers: Partial<DirectoryTimers> = {}): CallTimes {
  return {
    unringingMs: timers.callUnringingMs ?? CALL_UNRINGING_MS,
    ringMs: timers.callRingMs ?? CALL_RING_MS,
    mediaMs: timers.callMediaMs ?? CALL_MEDIA_MS,
    upstreamMs: timers.callUpstreamMs ?? CALL_UPSTREAM_MS,
    silenceMs: timers.callSilenceMs ?? CALL_SILENCE_MS,
  }
}

/** The times of a number, each given or its default. */
export function numberTimes(timers: Partial<DirectoryTimers> = {}): NumberTimes {
  return {
    disconnectedMs: timers.numberDisconnectedMs ?? NUMBER_DISCONNECTED_MS,
    idleMs: timers.numberIdleMs ?? NUMBER_IDLE_MS,
    sweepMs: SWEEP_MS,
  }
}
