import type { EngineFacts, SessionHealth } from '../../domain/engine.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { ChannelNumber, NumberSettings, PiiMode, ProviderKind } from '../../domain/number.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { VoiceWithHeaders } from '../../domain/number-voice.ts'
import type { Fence } from '../leases.ts'
import type { WriteResult } from './call-store.ts'
import type { IssuedKey } from './key-store.ts'

export interface NewNumber {
  readonly id: NumberId
  readonly tenantId: TenantId
  readonly name: string
  readonly number: string
  readonly provider: ProviderKind
  readonly settings: NumberSettings
  readonly piiMode: PiiMode
  readonly piiRetentionDays: number | null
}

export interface NumberPatch extends Partial<
  Pick<ChannelNumber, 'name' | 'settings' | 'piiMode' | 'piiRetentionDays' | 'marketing'>
> {
  /** Replaces the whole setting; null removes it. */
  readonly voice?: VoiceWithHeaders | null
}

/** Changes that the owner of a number makes to its connection. */
export interface ConnectionPatch {
  readonly state?: ChannelNumber['state']
  readonly isFullyConnected?: boolean
  readonly pairingReason?: ChannelNumber['pairingReason']
  readonly engine?: EngineFacts | null
  readonly sessionHealth?: SessionHealth | null
  /** Engine credentials: a text sets them (encrypted at rest), null wipes them. */
  readonly credentials?: string | null
  /** Highest device event sequence whose outcome is stored. */
  readonly ackedSeq?: number
}

/** A range of a list: `limit` numbers after one number (null for the first), or after `offset` others. */
export type NumberRange = { readonly limit: number } & (
  | { readonly after: ChannelNumber | null }
  | { readonly offset: number }
)

export interface NumberStore {
  /**
   * Creates the number with its default key and `number.created` in one transaction. Refusals: NUMBER_ALREADY_EXISTS,
   * NUMBER_LIMIT_EXCEEDED.
   */
  create(number: NewNumber): Promise<Outcome<{ number: ChannelNumber; key: IssuedKey }>>
  find(tenantId: TenantId, numberId: NumberId): Promise<ChannelNumber | null>
  findByDigits(tenantId: TenantId, digits: string): Promise<ChannelNumber | null>
  /** Reads a number for its owner, which already holds the fence. */
  load(numberId: NumberId): Promise<ChannelNumber | null>
  /** Lists all numbers, oldest first. */
  list(tenantId: TenantId): Promise<ChannelNumber[]>
  /** Lists some numbers, oldest first; `numberIds` restricts the list, null does not. */
  listSome(tenantId: TenantId, numberIds: readonly NumberId[] | null, range: NumberRange): Promise<ChannelNumber[]>
  count(tenantId: TenantId, numberIds: readonly NumberId[] | null): Promise<number>
  patch(tenantId: TenantId, numberId: NumberId, patch: NumberPatch): Promise<ChannelNumber | null>
  /** Removes number, key, pairing links and calls; stores `number.removed`. False when it was not there. */
  remove(tenantId: TenantId, numberId: NumberId): Promise<boolean>
  /**
   * Stores the connection. Events of the move to OPEN are told unless the row is OPEN already, since they were told
   * then.
   */
  saveConnection(fence: Fence, patch: ConnectionPatch, events: readonly NewEvent[]): Promise<WriteResult>
  /** The bot server of the number's inbound calls, with the secrets of its handshake; null when there is none. */
  voiceOf(numberId: NumberId): Promise<VoiceWithHeaders | null>
  credentials(numberId: NumberId): Promise<{ credentials: string | null; ackedSeq: number }>
  usage(tenantId: TenantId): Promise<{ plan: string; maxNumbers: number | null; usedNumbers: number }>
}
