/** Upstream advises 4^n seconds. our choice: at most 64. */
const THROTTLE_BASE_MS = 1_000
const THROTTLE_MAX_MS = 64_000
/** our choice: pauses after faults. */
const FAULT_BASE_MS = 1_000
const FAULT_MAX_MS = 60_000
/**
 * our choice: pauses are up to this share longer, so that numbers that were throttled together do not return together.
 */
const JITTER = 0.2

function withJitter(delayMs: number, luck: number): number {
  return Math.round(delayMs * (1 + JITTER * luck))
}

/**
 * The pause in ms after being throttled for the `times`th time in a row, at least what upstream asked for. `luck` is
 * from 0 to 1.
 */
export function throttleDelayMs(times: number, afterMs: number | null, luck: number): number {
  return withJitter(Math.max(afterMs ?? 0, Math.min(THROTTLE_MAX_MS, THROTTLE_BASE_MS * 4 ** (times - 1))), luck)
}

/** The pause in ms after the `times`th fault. `luck` is from 0 to 1. */
export function backoffMs(times: number, luck: number): number {
  return withJitter(Math.min(FAULT_MAX_MS, FAULT_BASE_MS * 2 ** (times - 1)), luck)
}
