import type { EngineFacts, SessionHealth } from './engine.ts'
import type { NumberId, TenantId } from './ids.ts'
import type { MarketingWay, OfficialFacts } from './official.ts'
import type { PairingReason } from './pairing.ts'
import type { NumberVoice } from './number-voice.ts'

export const PROVIDER_KINDS = ['OFFICIAL', 'UNOFFICIAL'] as const
export type ProviderKind = (typeof PROVIDER_KINDS)[number]

/** Outer connection states of a number ([numbers.object.3]). */
export const NUMBER_STATES = ['OPEN', 'CONNECTING', 'CLOSE'] as const
export type NumberState = (typeof NUMBER_STATES)[number]

export const PII_MODES = ['STORE_INDEFINITE', 'STORE_X_DAYS', 'RELAY_ONLY'] as const
export type PiiMode = (typeof PII_MODES)[number]

/** The nine settings of a number ([numbers.settings.1]). Null means the provider's default. */
export interface NumberSettings {
  readonly historyImportEnabled: boolean
  readonly ignoreNewsletters: boolean
  readonly webhookHistoricalMessages: boolean
  readonly rejectCall: boolean | null
  readonly msgRejectCall: string | null
  readonly alwaysOnline: boolean | null
  readonly readMessages: boolean | null
  readonly ignoreGroups: boolean | null
  readonly ignoreStatus: boolean | null
}

export const DEFAULT_SETTINGS: NumberSettings = {
  historyImportEnabled: false,
  ignoreNewsletters: false,
  webhookHistoricalMessages: false,
  rejectCall: null,
  msgRejectCall: null,
  alwaysOnline: null,
  readMessages: null,
  ignoreGroups: null,
  ignoreStatus: null,
}

/** Lays a partial update over settings; keys that are absent stay as they are. */
export function mergeSettings(current: NumberSettings, patch: Partial<NumberSettings>): NumberSettings {
  return { ...current, ...patch }
}

/** A number as stored. Credentials are kept apart and never leave the store with it. */
export interface ChannelNumber {
  readonly id: NumberId
  readonly tenantId: TenantId
  readonly name: string
  /** Digits. */
  readonly number: string
  readonly provider: ProviderKind
  readonly state: NumberState
  readonly isFullyConnected: boolean
  /** True while pairing credentials are stored, so the number reconnects by itself. */
  readonly isPaired: boolean
  /**
   * Why its pairing does not succeed, in the attempt under way or the last one; null when no reason is known, or nobody
   * has tried since.
   */
  readonly pairingReason: PairingReason | null
  readonly settings: NumberSettings
  readonly piiMode: PiiMode
  readonly piiRetentionDays: number | null
  /**
   * What the engine last said of itself when it started the number's session; null or absent when no session was
   * started, or it said nothing. Set on UNOFFICIAL numbers alone.
   */
  readonly engine?: EngineFacts | null
  /** What its engine last told; null or absent when it told nothing since the number was paired. */
  readonly sessionHealth?: SessionHealth | null
  /** The bot server that its inbound calls are connected to; null or absent when there is none. */
  readonly voice?: NumberVoice | null
  /** The way of its MARKETING templates, chosen on OFFICIAL numbers alone; null or absent for `auto`. */
  readonly marketing?: MarketingWay | null
  /** Set on OFFICIAL numbers alone. */
  readonly official?: OfficialFacts
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * True once an engine had the number, whether or not it has it now: the number was connected, or asked to connect. An
 * engine that says nothing of itself leaves no trace after a logout.
 */
export function hasInstance({
  isPaired,
  state,
  engine,
}: Pick<ChannelNumber, 'isPaired' | 'state' | 'engine'>): boolean {
  return isPaired || state !== 'CLOSE' || (engine ?? null) !== null
}

/** The fields of a number that never change, so that most routes need not read its row. */
export type NumberRef = Pick<ChannelNumber, 'id' | 'tenantId' | 'provider' | 'number'>
