import type { EngineFacts, SessionHealth } from '../../domain/engine.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { TenantId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import { storableText } from '../../domain/storable.ts'
import type { Fence } from '../../ports/leases.ts'
import type { WriteResult } from '../../ports/stores/call-store.ts'
import type { IssuedKey } from '../../ports/stores/key-store.ts'
import type { NewNumber } from '../../ports/stores/number-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { fenceCte, fencedAnswer, toWriteResult, type FencedRow } from '../engine/fence.ts'
import type { UnitManager } from '../engine/orm-units.ts'
import { KEY_COLUMNS, type KeyMaterial } from '../keys/material.ts'
import { TenantEntity } from '../tenants/entity.ts'
import { ChannelNumberEntity } from './entity.ts'
import { numberEvent } from './rows.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { Parameters } from '../engine/statement.ts'

/** Names of the keys we make; shown by POST /v1/api-keys/regenerate. */
export const NUMBER_KEY_NAME = 'Default'
export const TENANT_KEY_NAME = 'Tenant'

/** The key of a number just made, to be shown. */
export function toIssuedKey(key: KeyMaterial, number: Pick<NewNumber, 'id' | 'tenantId'>, nowMs: number): IssuedKey {
  return {
    id: key.id,
    tenantId: number.tenantId,
    numberId: number.id,
    scope: 'NUMBER',
    name: NUMBER_KEY_NAME,
    raw: key.raw,
    prefix: key.prefix,
    last4: key.last4,
    createdAt: new Date(nowMs),
  }
}

/**
 * How many numbers a tenant may have (null: any) and has; holds the tenant's row until the transaction ends. Null: no
 * such tenant.
 */
export async function lockAllowance(
  rows: UnitManager,
  tenantId: TenantId,
): Promise<{ max: number | null; used: number } | null> {
  // Two statements: the count must see what was committed while the lock was waited for.
  const tenant = await rows.readOne(TenantEntity, { id: tenantId }, { lock: 'no key update' })
  return tenant && { max: tenant.maxNumbers, used: await rows.count(ChannelNumberEntity, {}) }
}

/** Inserts number, default key and number.created in one statement. False when the tenant has this number already. */
export async function insertNumber(
  session: SqlSession,
  number: NewNumber,
  key: KeyMaterial,
  nowMs: number,
): Promise<boolean> {
  const p = new Parameters()
  const now = p.time(nowMs)
  const created = numberEvent('number.created', { ...number, state: 'CLOSE', createdAt: new Date(nowMs) })
  const values = [
    p.add(number.id),
    p.add(number.tenantId),
    p.add(number.name),
    p.add(number.number),
    p.add(number.provider),
    `${p.add(JSON.stringify(number.settings))}::jsonb`,
    p.add(number.piiMode),
    `${p.add(number.piiRetentionDays)}::integer`,
    now,
    now,
  ]
  const keyValues = Object.values(key.stored).map((value) => p.add(value))
  const rows = await session.query<{ number_id: string }>(
    `with made as (
      insert into channel_numbers (id, tenant_id, name, number, provider, settings, pii_mode, pii_retention_days, created_at, updated_at)
      values (${values.join(', ')})
      on conflict (tenant_id, number) do nothing returning tenant_id, id as number_id
    ), keyed as (
      insert into api_keys (${KEY_COLUMNS}, tenant_id, number_id, scope, name, created_at)
      select ${keyValues.join(', ')}, made.tenant_id, made.number_id, 'NUMBER', ${p.add(NUMBER_KEY_NAME)}, ${now} from made
    ), ${eventCtes('made', p.add(toOutboxParameter([created])), now)}
    select number_id from made`,
    p.values,
  )
  return rows.length > 0
}

/** A connection change with the credentials already sealed. */
export interface SealedConnection {
  readonly state?: ChannelNumber['state']
  readonly isFullyConnected?: boolean
  readonly pairingReason?: ChannelNumber['pairingReason']
  readonly engine?: EngineFacts | null
  readonly sessionHealth?: SessionHealth | null
  readonly sealedCredentials?: string | null
  readonly ackedSeq?: number
}

/**
 * Stores a connection change, its credentials and its events in one statement, under the fence. That a number is OPEN
 * is told by whoever makes it so: by this, or by `opened` of official/store.ts, whichever comes first.
 */
export async function saveConnection(
  session: SqlSession,
  fence: Fence,
  patch: SealedConnection,
  events: readonly NewEvent[],
  nowMs: number,
): Promise<WriteResult> {
  const p = new Parameters()
  const numberId = p.add(fence.numberId)
  const token = p.add(fence.token)
  const now = p.time(nowMs)
  const sets = [`updated_at = ${now}`]
  if (patch.state !== undefined) sets.push(`state = ${p.add(patch.state)}`)
  if (patch.isFullyConnected !== undefined) sets.push(`is_fully_connected = ${p.add(patch.isFullyConnected)}`)
  if (patch.pairingReason !== undefined) sets.push(`pairing_reason = ${p.add(patch.pairingReason)}`)
  if (patch.engine !== undefined) sets.push(`engine = ${p.add(jsonOf(patch.engine))}::jsonb`)
  if (patch.sessionHealth !== undefined) sets.push(`session_health = ${p.add(jsonOf(patch.sessionHealth))}::jsonb`)
  if (patch.sealedCredentials !== undefined) sets.push(`sealed_credentials = ${p.add(patch.sealedCredentials)}`)
  // Two stores under way may commit in either order: the highest stays.
  if (patch.ackedSeq !== undefined) sets.push(`acked_seq = greatest(acked_seq, ${p.add(patch.ackedSeq)}::bigint)`)
  // Locked before it is written, so that what it was is what no other writer changes meanwhile.
  const before = `before as (select id, state from channel_numbers where id = ${numberId} and exists (select 1 from fence) for no key update)`
  const written = `written as (
    update channel_numbers n set ${sets.join(', ')} from before where n.id = before.id
    returning n.tenant_id, n.id as number_id, before.state as state_before)`
  const told =
    events.length === 0
      ? ''
      : `, tellers as (select * from written${patch.state === 'OPEN' ? ` where state_before <> 'OPEN'` : ''}), ${eventCtes('tellers', p.add(toOutboxParameter(events)), now)}`
  const rows = await session.query<FencedRow>(
    `with ${fenceCte(numberId, token)}, ${before}, ${written}${told} ${fencedAnswer('written')}`,
    p.values,
  )
  return toWriteResult(rows[0])
}

/** As `jsonb` can keep it. */
function jsonOf(value: object | null): string | null {
  return value === null
    ? null
    : JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storableText(part) : part))
}
