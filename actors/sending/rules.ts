import { peopleOfTier } from '../../src/domain/daily-limit.ts'
import type { Pace, Paces, SendFacts } from '../../src/domain/kinds/kind.ts'
import { kindOf } from '../../src/domain/kinds/kinds.ts'
import type { ChannelNumber, ProviderKind } from '../../src/domain/number.ts'

/** The options of an installation; see DEFAULTS. */
export interface SendingOptions {
  /** Paces that differ from those of the kind of number. */
  readonly paces: Readonly<Partial<Record<ProviderKind, Partial<Paces>>>>
  readonly inFlight: number
  readonly preparing: number
  readonly reconcileMs: number
  readonly lookMs: number
}

/** How many people the numbers of an account may begin conversations with in a day. */
export interface DailyLimit {
  readonly accountId: string
  readonly perDay: number
}

/** How a number sends. */
export interface SendingRules extends SendFacts {
  /** Most messages that have begun and are not settled. */
  readonly inFlight: number
  /** Most messages whose media are prepared at once. */
  readonly preparing: number
  /** How many ms a status is awaited that names a message in doubt (`isDeduplicated`). */
  readonly reconcileMs: number
  /** The least ms between two looks at the queue, so that messages that end together share a look. */
  readonly lookMs: number
  /** Null where upstream names no limit. */
  readonly daily: DailyLimit | null
}

const DEFAULTS: Omit<SendingOptions, 'paces'> = {
  // our choice: more than a driver sends at once, so that it is never idle while rows are written.
  inFlight: 20,
  // our choice: media fetched and converted at once for one number.
  preparing: 4,
  // our choice: statuses of a message that upstream took arrive within seconds.
  reconcileMs: 20_000,
  // our choice: at 10 messages a second for a number, this makes about one look for each message instead of two.
  lookMs: 100,
}

/** The rules by which a number sends. */
export function rulesOf(
  number: Pick<ChannelNumber, 'provider' | 'official'>,
  { paces, ...options }: Partial<SendingOptions> = {},
): SendingRules {
  return {
    ...kindOf(number).sends,
    ...namedPace(number),
    ...paces?.[number.provider],
    daily: dailyLimit(number),
    ...DEFAULTS,
    ...options,
  }
}

/**
 * our choice: a number sends a tenth of a second's messages at once, so that its first second stays near its pace too.
 */
const BURST_SHARE = 0.1

/** The pace that upstream names for the number; nothing where it names none. */
function namedPace({ official }: Pick<ChannelNumber, 'official'>): { readonly number?: Pace } {
  const perSecond = official?.perSecond ?? null
  if (perSecond === null) return {}
  return { number: { atOnce: Math.max(1, perSecond * BURST_SHARE), everyMs: 1_000 / perSecond } }
}

function dailyLimit({ official }: Pick<ChannelNumber, 'official'>): DailyLimit | null {
  const perDay = peopleOfTier(official?.messagingLimitTier ?? null)
  return official && perDay !== null ? { accountId: official.accountId, perDay } : null
}
