import type { Paces, SendFacts } from '../../src/domain/kinds/kind.ts'
import { kindOf } from '../../src/domain/kinds/kinds.ts'
import type { ChannelNumber, ProviderKind } from '../../src/domain/number.ts'

/** What an installation may set; see DEFAULTS. */
export interface SendingOptions {
  /** Where they are not what the kind of number has by itself. */
  readonly paces: Readonly<Partial<Record<ProviderKind, Partial<Paces>>>>
  readonly inFlight: number
  readonly preparing: number
  readonly reconcileMs: number
  readonly lookMs: number
}

/** How a number sends. */
export interface SendingRules extends SendFacts {
  /** Messages begun and not settled at once. */
  readonly inFlight: number
  /** Messages whose media are prepared at once. */
  readonly preparing: number
  /** How long a status is waited for that names a message in doubt (`isDeduplicated`). */
  readonly reconcileMs: number
  /** Pause between two looks at the queue, so that messages which end together are one look. */
  readonly lookMs: number
}

const DEFAULTS: Omit<SendingOptions, 'paces'> = {
  // our choice: more than a driver has out at once, so that it is never idle while rows are written.
  inFlight: 20,
  // our choice: media that are fetched and converted at once for one number.
  preparing: 4,
  // our choice: statuses of a message that was taken arrive within seconds.
  reconcileMs: 20_000,
  // our choice: at 10 messages a second and number, it makes about one look of each message instead of two.
  lookMs: 100,
}

/** How a number sends. */
export function rulesOf(
  number: Pick<ChannelNumber, 'provider'>,
  { paces, ...options }: Partial<SendingOptions> = {},
): SendingRules {
  return { ...kindOf(number).sends, ...paces?.[number.provider], ...DEFAULTS, ...options }
}
