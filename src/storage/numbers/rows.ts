import type { InferEntity } from '@mikro-orm/core'
import type { EventName, NewEvent } from '../../domain/events.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { OfficialFacts } from '../../domain/official.ts'
import { toE164 } from '../../domain/phone.ts'
import { withoutSecrets } from '../../domain/number-voice.ts'
import type { VoiceWithHeaders } from '../../domain/number-voice.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { OfficialCredentials } from '../../ports/official/credentials.ts'
import type { ChannelNumberEntity } from './entity.ts'

/** A number as its entity holds it. */
export type NumberRow = InferEntity<typeof ChannelNumberEntity>

export function toNumber(row: NumberRow): ChannelNumber {
  return {
    id: row.id,
    tenantId: row.tenantId,
    name: row.name,
    number: row.number,
    provider: row.provider,
    state: row.state,
    isFullyConnected: row.isFullyConnected,
    isPaired: typeof row.sealedCredentials === 'string',
    pairingReason: row.pairingReason ?? null,
    settings: row.settings,
    piiMode: row.piiMode,
    piiRetentionDays: row.piiRetentionDays ?? null,
    engine: row.engine ?? null,
    sessionHealth: row.sessionHealth ?? null,
    voice: row.voice ?? null,
    marketing: row.marketing ?? null,
    ...toOfficial(row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

function toOfficial(row: NumberRow): { official?: OfficialFacts } {
  const { officialPhoneId, officialAccountId } = row
  if (typeof officialPhoneId !== 'string' || typeof officialAccountId !== 'string') return {}
  return {
    official: {
      phoneId: officialPhoneId,
      accountId: officialAccountId,
      appId: row.officialAppId ?? null,
      callingStatus: row.callingStatus ?? 'NOT_ENABLED',
      qualityRating: row.qualityRating ?? null,
      messagingLimitTier: row.messagingLimitTier ?? null,
      officialStatus: row.officialStatus ?? null,
      checkedAt: row.officialCheckedAt ?? null,
      perSecond: row.perSecond ?? null,
      isTokenValid: row.isTokenValid,
    },
  }
}

/** The facts of a number that number.* events tell. */
export type NumberFacts = Pick<ChannelNumber, 'id' | 'number' | 'name' | 'state' | 'createdAt'>

/**
 * Makes a number.* event ([events.data.8]). Our choice: createdAt is the number's; the envelope's timestamp is the
 * event's.
 */
export function numberEvent(event: EventName, number: NumberFacts): NewEvent {
  return {
    event,
    data: {
      numberId: number.id,
      number: toE164(number.number),
      name: number.name,
      state: number.state,
      createdAt: number.createdAt.toISOString(),
    },
  }
}

/** The context that the verify token of an OFFICIAL number is sealed with. */
export function verifyTokenContext(numberId: NumberId): string {
  return `verify-token:${numberId}`
}

/** The context that the credentials of a number are sealed with. */
export function credentialsContext(numberId: NumberId): string {
  return `device-credentials:${numberId}`
}

/** The context that the headers of a number's bot are sealed with. */
export function voiceHeadersContext(numberId: NumberId): string {
  return `voice-headers:${numberId}`
}

/** The columns that hold the bot server of a number. */
export function toVoiceColumns(
  cipher: Cipher,
  numberId: NumberId,
  voice: VoiceWithHeaders | null,
): Pick<NumberRow, 'voice' | 'sealedVoiceHeaders'> {
  const headers = JSON.stringify(voice?.headers ?? {})
  return {
    voice: voice && withoutSecrets(voice),
    sealedVoiceHeaders: headers === '{}' ? null : cipher.seal(headers, voiceHeadersContext(numberId)),
  }
}

/** The bot server of a number with the secrets of its handshake; null when the number has none. */
export function toVoiceWithHeaders(cipher: Cipher, row: NumberRow): VoiceWithHeaders | null {
  if (!row.voice) return null
  const { headerNames: _, ...voice } = row.voice
  const record = voice.record && row.piiMode !== 'RELAY_ONLY'
  const { sealedVoiceHeaders: sealed } = row
  const headers = typeof sealed === 'string' ? cipher.open(sealed, voiceHeadersContext(row.id)) : '{}'
  return { ...voice, record, headers: JSON.parse(headers) as VoiceWithHeaders['headers'] }
}

export function openCredentials(cipher: Cipher, numberId: NumberId, sealed: string): OfficialCredentials {
  return JSON.parse(cipher.open(sealed, credentialsContext(numberId))) as OfficialCredentials
}

export function sealCredentials(cipher: Cipher, numberId: NumberId, credentials: OfficialCredentials): string {
  return cipher.seal(JSON.stringify(credentials), credentialsContext(numberId))
}

export function openVerifyToken(cipher: Cipher, numberId: NumberId, sealed: string): string {
  return cipher.open(sealed, verifyTokenContext(numberId))
}
