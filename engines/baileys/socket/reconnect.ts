import type { SessionCloseReason } from '../../../src/domain/device-bridge.ts'

/** The close reasons of the bridge, and one more that it has no reason for: the network refuses this client build. */
export type StopReason = SessionCloseReason | 'outdated'

/** How a socket ended. */
export interface SocketEnd {
  /** Close code of the network or the library; null for a failure without one. */
  readonly code: number | null
  /** True when the device was linked at the end. */
  readonly isPaired: boolean
  /** True when a code to scan was shown in this attempt. */
  readonly wasQrShown: boolean
  /** Failed sockets of the number in a row, without this one. */
  readonly failures: number
}

/** What follows. `isWiped` says that the device is gone and its keys are useless. */
export type NextStep =
  | { readonly kind: 'restart' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly isWiped: boolean }

/**
 * our choice: the first and the longest delay of retries. A throttled number was seen to need about 16 min, which four
 * delays of 5 min cover.
 */
const FIRST_RETRY_MS = 1_000
export const LONGEST_RETRY_MS = 5 * 60 * 1_000
/**
 * our choice: an attempt to pair that cannot reach the network stops after this many failures, because nobody may be
 * looking any more.
 */
export const PAIRING_FAILURES = 5

/** Codes of the network that end a session for good. */
const STOPS: Readonly<Record<number, { reason: StopReason; isWiped: boolean }>> = {
  401: { reason: 'logged_out', isWiped: true },
  402: { reason: 'banned', isWiped: false },
  403: { reason: 'banned', isWiped: false },
  405: { reason: 'outdated', isWiped: false },
  406: { reason: 'banned', isWiped: false },
  // The account has no linked devices, so it has to be paired again.
  411: { reason: 'logged_out', isWiped: true },
  // Another process holds the same device, and taking it back would go on for ever.
  440: { reason: 'replaced', isWiped: false },
}
const RESTART_REQUIRED = 515
const TIMED_OUT = 408

/** Decides what follows the end of a socket. `random` is from 0 to 1, drawn for this decision. */
export function nextStep({ code, isPaired, wasQrShown, failures }: SocketEnd, random: number): NextStep {
  if (code === RESTART_REQUIRED) return { kind: 'restart' }
  // The same code means a lost connection and that the codes to scan ran out.
  if (code === TIMED_OUT && !isPaired && wasQrShown) return { kind: 'stop', reason: 'qr_expired', isWiped: true }
  const stop = code === null ? undefined : STOPS[code]
  if (stop) return { kind: 'stop', ...stop }
  if (!isPaired && failures + 1 >= PAIRING_FAILURES) return { kind: 'stop', reason: 'network', isWiped: true }
  return { kind: 'retry', delayMs: retryDelayMs(failures, random) }
}

/**
 * Full jitter below a ceiling that doubles, so that 200 numbers dropped at once return spread over it instead of
 * together.
 */
export function retryDelayMs(failures: number, random: number): number {
  const ceiling = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20))
  return Math.round(ceiling * random)
}
