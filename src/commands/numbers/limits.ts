import { peopleOfTier } from '../../domain/daily-limit.ts'
import type { Pace } from '../../domain/kinds/kind.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { NumberPorts } from './ports.ts'

/** How fast and how far a number sends ([message-verbs.pace.2]). */
export interface NumberLimits {
  /** Messages a second that it paces itself at; null for no limit. */
  readonly perSecond: number | null
  /** People whom its account may begin conversations with in 24 h; null for no limit, and where none is known. */
  readonly perDay: number | null
  /** How many of them were reached; null where nobody is counted. */
  readonly used: number | null
  /** When the first of them is over; null without any. */
  readonly resetsAt: Date | null
  readonly source: 'upstream' | 'default'
}

/** Tells the limits of a number. Our choice: people are counted only where there is a limit. */
export async function limitsOf({ reach, paceOf }: NumberPorts, number: ChannelNumber): Promise<NumberLimits> {
  const { official, tenantId } = number
  const tier = official?.messagingLimitTier ?? null
  const perDay = peopleOfTier(tier)
  const counted =
    official && perDay !== null ? await reach.counted(tenantId, official.accountId) : { used: null, resetsAt: null }
  const isNamed = tier !== null || (official?.perSecond ?? null) !== null
  return { perSecond: perSecondOf(paceOf(number)), perDay, ...counted, source: isNamed ? 'upstream' : 'default' }
}

function perSecondOf({ atOnce, everyMs }: Pace): number | null {
  const isLimited = atOnce > 0 && everyMs > 0 && Number.isFinite(atOnce) && Number.isFinite(everyMs)
  return isLimited ? 1_000 / everyMs : null
}
