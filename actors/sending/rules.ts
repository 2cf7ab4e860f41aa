import type { ProviderKind } from '../../src/domain/number.ts'
import type { Pace } from './pace.ts'

/** How fast one kind of number may send. */
export interface Paces {
  /** All messages of a number together. */
  readonly number: Pace
  /** Those to one recipient. */
  readonly pair: Pace
}

/** What an installation may set; see DEFAULTS. */
export interface SendingOptions {
  readonly official: Paces
  readonly unofficial: Paces
  readonly inFlight: number
  readonly preparing: number
  readonly reconcileMs: number
  readonly lookMs: number
}

/** How a number sends. */
export interface SendingRules extends Paces {
  /** Messages begun and not settled at once. */
  readonly inFlight: number
  /** Messages whose media are prepared at once. */
  readonly preparing: number
  /**
   * Upstream knows a message it took by our id, so that one in doubt is sent again; else a status has to name it first.
   */
  readonly isDeduplicated: boolean
  /** How long such a status is waited for. */
  readonly reconcileMs: number
  /** Pause between two looks at the queue, so that messages which end together are one look. */
  readonly lookMs: number
}

const DEFAULTS: SendingOptions = {
  // Upstream documents 80 messages a second per number (130429 above), and per recipient 45 at once, then one per 6 s
  // (131056 above). our choice: in bursts of 8, so that the first second stays near 80 too.
  official: { number: { atOnce: 8, everyMs: 12.5 }, pair: { atOnce: 45, everyMs: 6_000 } },
  // Issue: one a second per recipient. our choice: 20 a second per number, as a device that sends faster is soon
  // banned.
  unofficial: { number: { atOnce: 5, everyMs: 50 }, pair: { atOnce: 1, everyMs: 1_000 } },
  // our choice: more than a driver has out at once, so that it is never idle while rows are written.
  inFlight: 20,
  // our choice: media that are fetched and converted at once for one number.
  preparing: 4,
  // our choice: statuses of a message that was taken arrive within seconds.
  reconcileMs: 20_000,
  // our choice: at 10 messages a second and number, it makes about one look of each message instead of two.
  lookMs: 100,
}

/** How a number of this kind sends. The only place of sending that asks which kind. */
export function rulesOf(kind: ProviderKind, options: Partial<SendingOptions> = {}): SendingRules {
  const { official, unofficial, inFlight, preparing, reconcileMs, lookMs } = { ...DEFAULTS, ...options }
  const isOfficial = kind === 'OFFICIAL'
  return {
    ...(isOfficial ? official : unofficial),
    inFlight,
    preparing,
    reconcileMs,
    lookMs,
    isDeduplicated: !isOfficial,
  }
}
