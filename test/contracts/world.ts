import type { EventStore } from '../../src/ports/stores/event-store.ts'
import { randomBytes, randomInt } from 'node:crypto'
import type { NewEvent, StoredEvent } from '../../src/domain/events.ts'
import { newId, type LeadId, type NumberId, type TenantId } from '../../src/domain/ids.ts'
import { DEFAULT_SETTINGS, type ChannelNumber } from '../../src/domain/number.ts'
import type { LeaseTimes } from '../../src/domain/lease-times.ts'
import type { Fence, Leases } from '../../src/ports/leases.ts'
import type { NewCall } from '../../src/ports/stores/call-store.ts'
import type { IssuedKey } from '../../src/ports/stores/key-store.ts'
import type { NewNumber } from '../../src/ports/stores/number-store.ts'
import type { Stores } from '../../src/storage/stores.ts'
import type { FakeClock } from '../helpers/fake-clock.ts'

/** What a store suite gets: stores of one implementation over one database, and ways to look into the tables. */
export interface World {
  readonly stores: Stores
  readonly clock: FakeClock
  /** Leases of another node. */
  leases(nodeName?: string): Leases
  /** All stored text of a table, as a reader of the database would find it. */
  rawTable(table: string): Promise<string>
  /** Copies the sealed credentials of a number to another one, as somebody with write access could. */
  copyCredentials(from: NumberId, to: NumberId): Promise<void>
  /** Copies the sealed answer of one lead into another lead's row. */
  copyAutoSend(from: LeadId, to: LeadId): Promise<void>
  /** Sets limits of a tenant. */
  setTenant(tenantId: TenantId, fields: { maxNumbers?: number; requestsPerMinute?: number }): Promise<void>
}

/** Makes leases of a node, with times of its own so that they expire soon or never. */
export type MakeLeases = (nodeName: string, times?: Pick<LeaseTimes, 'ttlMs' | 'graceMs'>) => Leases

/** Makes a world with a clock of its own; the database may be shared, so tests use tenants of their own. */
export type MakeWorld = (startMs?: number) => World

export function randomDigits(): string {
  return `49${randomInt(10 ** 9, 10 ** 10)}`
}

export function newNumber(tenantId: TenantId, fields: Partial<NewNumber> = {}): NewNumber {
  return {
    id: newId('num'),
    tenantId,
    name: 'Front desk',
    number: randomDigits(),
    provider: 'UNOFFICIAL',
    settings: DEFAULT_SETTINGS,
    piiMode: 'STORE_INDEFINITE',
    piiRetentionDays: null,
    ...fields,
  }
}

export interface Owned {
  readonly tenantId: TenantId
  readonly number: ChannelNumber
  readonly key: IssuedKey
  readonly fence: Fence
}

/** Makes a tenant with one number, owned by one node. */
export async function ownedNumber(world: World): Promise<Owned> {
  const { tenantId } = await world.stores.tenants.create(`Tenant ${randomBytes(4).toString('hex')}`)
  return addOwned(world, tenantId)
}

/** Makes another number of the same tenant, owned by the same node. */
export function secondNumber(world: World, { tenantId }: Pick<Owned, 'tenantId'>): Promise<Owned> {
  return addOwned(world, tenantId)
}

async function addOwned(world: World, tenantId: TenantId): Promise<Owned> {
  const made = await world.stores.numbers.create(newNumber(tenantId))
  if (!made.ok) throw new Error(made.error.message)
  const fence = await world.leases().acquire(made.value.number.id)
  if (!fence) throw new Error('the new number could not be leased')
  return { tenantId, number: made.value.number, key: made.value.key, fence }
}

export function newCall(owned: Owned, fields: Partial<NewCall> = {}): NewCall {
  return {
    id: newId('call'),
    tenantId: owned.tenantId,
    numberId: owned.number.id,
    provider: 'UNOFFICIAL',
    externalCallId: null,
    direction: 'OUTBOUND',
    status: 'INITIATED',
    peerNumber: '4915100000001',
    fromNumber: owned.number.number,
    conversationId: null,
    bizOpaqueCallbackData: null,
    startedAt: null,
    media: null,
    sdpOffer: null,
    sdpAnswer: null,
    recording: null,
    ...fields,
  }
}

export function callEvent(event: NewEvent['event'], data: NewEvent['data'] = {}): NewEvent {
  return { event, data }
}

/** Names of the events stored for a number, in order, without number.created. */
export async function eventNames(world: World, tenantId: TenantId, numberId: NumberId): Promise<string[]> {
  const events = await storedEvents(world.stores.events, { tenantId, numberId })
  return events.map(({ event }) => event).filter((name) => name !== 'number.created')
}

/** The stored events of a scope, oldest first. */
export async function storedEvents(
  events: EventStore,
  scope: Parameters<EventStore['list']>[0],
): Promise<StoredEvent[]> {
  return (await events.list(scope, { limit: 100, after: null, event: null })) ?? []
}
