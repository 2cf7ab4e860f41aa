import { kindOf } from '../../../../src/domain/kinds/kinds.ts'
import type { ChannelNumber, NumberSettings, NumberState, PiiMode } from '../../../../src/domain/number.ts'
import type { NumberVoice } from '../../../../src/domain/number-voice.ts'
import type { words as english } from '../../../words/dashboard/numbers/en.ts'
import type { Like } from '../../../words/language.ts'
import { Badge } from '../../ground/shown.tsx'
import type { Tone } from '../../ground/shown.tsx'
import type { NumberFrame } from '../../live/frames.ts'

export type NumbersWords = Like<typeof english>

export type CallingStatus = Exclude<keyof NumbersWords['calling'], 'paired'>

/** A number as the routes show it ([numbers.object.1]). */
export interface ShownNumber {
  readonly id: string
  readonly name: string
  /** Digits. */
  readonly number: string
  readonly provider: ChannelNumber['provider']
  readonly state: NumberState
  readonly isFullyConnected: boolean
  readonly settings: NumberSettings
  readonly piiMode: PiiMode
  readonly piiRetentionDays: number | null
  readonly voice: NumberVoice | null
  /** Null on numbers that are paired by QR, which can always call. */
  readonly calling: { readonly status: CallingStatus } | null
  readonly official: {
    readonly phoneId: string
    readonly accountId: string
    readonly appId: string | null
    readonly hasAccessToken: boolean
  } | null
  readonly health: {
    readonly qualityRating: string | null
    readonly messagingLimitTier: string | null
    readonly officialStatus: string | null
    readonly sendable: boolean
    readonly level: 'ok' | 'warning' | 'restricted' | null
    readonly text: string | null
  }
  readonly createdAt: string
}

/** The key of the words for a kind: numbers of an account upstream, or those that are paired by QR. */
export function wordOfKind({ provider }: Pick<ShownNumber, 'provider'>): keyof NumbersWords['kinds'] {
  return kindOf({ provider }).hasAccount ? 'account' : 'paired'
}

/** A number after news about it; other numbers stay as they are. */
export function withNews(number: ShownNumber, { id, state, isFullyConnected, calling }: NumberFrame): ShownNumber {
  if (number.id !== id) return number
  return { ...number, state, isFullyConnected, calling: calling as ShownNumber['calling'] }
}

const TONES: Readonly<Record<keyof NumbersWords['states'], Tone>> = {
  OPEN: 'good',
  LOADING: 'warn',
  CONNECTING: 'warn',
  CLOSE: 'bad',
}

/** The connection of a number in words. */
export function StateBadge({
  number,
  words,
}: {
  readonly number: ShownNumber
  readonly words: Pick<NumbersWords, 'states'>
}) {
  const shown = number.state === 'OPEN' && !number.isFullyConnected ? 'LOADING' : number.state
  return <Badge tone={TONES[shown]} text={words.states[shown]} />
}

/** Whether a number can call, in words. */
export function CallingBadge({
  calling,
  words,
}: {
  readonly calling: ShownNumber['calling']
  readonly words: NumbersWords
}) {
  if (calling === null) return <Badge tone="good" text={words.calling.paired} />
  const tone = calling.status === 'ENABLED' ? 'good' : calling.status === 'NOT_ENABLED' ? 'calm' : 'warn'
  return <Badge tone={tone} text={words.calling[calling.status]} />
}
