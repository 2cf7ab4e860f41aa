import type { EngineFacts, SessionHealth } from './engine.ts'
import type { NumberId, TenantId } from './ids.ts'
import type { OfficialFacts } from './official.ts'
import type { PairingReason } from './pairing.ts'

export const PROVIDER_KINDS = ['OFFICIAL', 'UNOFFICIAL'] as const
export type ProviderKind = (typeof PROVIDER_KINDS)[number]

/** Outer connection states of a number (contract 3). */
export const NUMBER_STATES = ['OPEN', 'CONNECTING', 'CLOSE'] as const
export type NumberState = (typeof NUMBER_STATES)[number]

export const PII_MODES = ['STORE_INDEFINITE', 'STORE_X_DAYS', 'RELAY_ONLY'] as const
export type PiiMode = (typeof PII_MODES)[number]

/** The nine settings of a number (spec: Number settings block). Null means the provider's default. */
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
   * What is in the way of its pairing, of the attempt under way or of the last one; null where nothing is, or nobody
   * tried since.
   */
  readonly pairingReason: PairingReason | null
  readonly settings: NumberSettings
  readonly piiMode: PiiMode
  readonly piiRetentionDays: number | null
  /**
   * What the engine that started its session last said of itself; null or absent: nothing was started, or it said
   * nothing. On UNOFFICIAL numbers alone.
   */
  readonly engine?: EngineFacts | null
  /** As its engine last told it; null or absent: it told nothing since the number was paired. */
  readonly sessionHealth?: SessionHealth | null
  /** On OFFICIAL numbers alone. */
  readonly official?: OfficialFacts
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A number as most routes need it: what of it never changes, so that no row is read for it. */
export type NumberRef = Pick<ChannelNumber, 'id' | 'tenantId' | 'provider' | 'number'>
