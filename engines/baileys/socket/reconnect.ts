import type { SessionCloseReason } from '../../../src/domain/device-bridge.ts'

/** Reasons of the bridge, and one that it knows as none of them: the network refuses this client build. */
export type StopReason = SessionCloseReason | 'outdated'

/** How a socket ended. */
export interface SocketEnd {
  /** Close code of the network or the library; null for a failure that has none. */
  readonly code: number | null
  /** The device was linked when it ended. */
  readonly isPaired: boolean
  /** A code to scan was on show in this attempt. */
  readonly wasQrShown: boolean
  /** Sockets of the number that failed one after another, this one not counted. */
  readonly failures: number
}

/** What comes next. `isWiped`: the device is gone, its keys are of no use any more. */
export type NextStep =
  | { readonly kind: 'restart' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly isWiped: boolean }

/**
 * our choice: first wait and longest of the growing ones; a throttled number has been seen to need about 16 min, which
 * four waits of 5 min cover.
 */
const FIRST_RETRY_MS = 1_000
export const LONGEST_RETRY_MS = 5 * 60 * 1_000
/**
 * our choice: an attempt to pair that cannot reach the network stops by itself after so many failures, for nobody may
 * be looking any more.
 */
export const PAIRING_FAILURES = 5

/** Codes that end a session for good, as the network uses them. */
const STOPS: Readonly<Record<number, { reason: StopReason; isWiped: boolean }>> = {
  401: { reason: 'logged_out', isWiped: true },
  402: { reason: 'banned', isWiped: false },
  403: { reason: 'banned', isWiped: false },
  405: { reason: 'outdated', isWiped: false },
  406: { reason: 'banned', isWiped: false },
  // The account has no linked devices: it has to be paired again.
  411: { reason: 'logged_out', isWiped: true },
  // Another process holds the same device: taking it back would go on for ever.
  440: { reason: 'replaced', isWiped: false },
}
const RESTART_REQUIRED = 515
const TIMED_OUT = 408

/** Decides what follows the end of a socket. `random`: 0 to 1, drawn for this decision. */
export function nextStep({ code, isPaired, wasQrShown, failures }: SocketEnd, random: number): NextStep {
  if (code === RESTART_REQUIRED) return { kind: 'restart' }
  // The same code says that a connection was lost and that the codes to scan ran out.
  if (code === TIMED_OUT && !isPaired && wasQrShown) return { kind: 'stop', reason: 'qr_expired', isWiped: true }
  const stop = code === null ? undefined : STOPS[code]
  if (stop) return { kind: 'stop', ...stop }
  if (!isPaired && failures + 1 >= PAIRING_FAILURES) return { kind: 'stop', reason: 'network', isWiped: true }
  return { kind: 'retry', delayMs: retryDelayMs(failures, random) }
}

/**
 * Full jitter over a ceiling that doubles: 200 numbers dropped at once spread over it instead of returning together.
 */
export function retryDelayMs(failures: number, random: number): number {
  const ceiling = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20))
  return Math.round(ceiling * random)
}
