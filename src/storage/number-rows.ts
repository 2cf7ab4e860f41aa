import type { InferEntity } from '@mikro-orm/core'
import type { EventName, NewEvent } from '../domain/events.ts'
import type { NumberId } from '../domain/ids.ts'
import type { ChannelNumber } from '../domain/number.ts'
import { toE164 } from '../domain/phone.ts'
import type { ChannelNumberEntity } from './entities/channel-number.ts'

/** A number as its entity holds it. */
export type NumberRow = InferEntity<typeof ChannelNumberEntity>

export function toNumber(row: NumberRow): ChannelNumber {
  return {
    id: row.id, tenantId: row.tenantId, name: row.name, number: row.number, provider: row.provider,
    state: row.state, isFullyConnected: row.isFullyConnected, isPaired: typeof row.sealedCredentials === 'string',
    settings: row.settings, piiMode: row.piiMode, piiRetentionDays: row.piiRetentionDays ?? null,
    createdAt: row.createdAt, updatedAt: row.updatedAt,
  }
}

/** The data of number.* (contract 5). Our choice: createdAt is the number's; the envelope's timestamp is the event's. */
export function numberEvent(event: EventName, number: Pick<ChannelNumber, 'id' | 'number' | 'name' | 'state' | 'createdAt'>): NewEvent {
  return { event, data: { numberId: number.id, number: toE164(number.number), name: number.name, state: number.state, createdAt: number.createdAt.toISOString() } }
}

/** Context under which the engine credentials of a number are sealed. */
export function credentialsContext(numberId: NumberId): string {
  return `device-credentials:${numberId}`
}
