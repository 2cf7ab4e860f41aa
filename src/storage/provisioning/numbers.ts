import { fail, refuse, succeed, type Outcome, type Refusal } from '../../domain/errors.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { IssuedKey } from '../../ports/stores/key-store.ts'
import type { NewNumber, NumberStore } from '../../ports/stores/number-store.ts'
import type { SqlSession } from '../engine/database.ts'
import type { UnitManager } from '../engine/orm-units.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { Parameters } from '../engine/statement.ts'
import { KEY_COLUMNS, makeKey, type KeyMaterial } from '../keys/material.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { numberEvent } from '../numbers/rows.ts'
import { NumberRows, type NumberDeps } from '../numbers/store.ts'
import { TenantEntity } from '../tenants/entity.ts'
import { deleteNumber } from './removal.ts'

/** Names of the keys that the service makes; POST /v1/api-keys/regenerate shows them. */
const NUMBER_KEY_NAME = 'Default'
export const TENANT_KEY_NAME = 'Tenant'

/** The key of a new number, in the form that is shown. */
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

/** Inserts number, default key and number.created in one statement. False when the tenant has this number already. */
async function insertNumber(session: SqlSession, number: NewNumber, key: KeyMaterial, nowMs: number): Promise<boolean> {
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

/**
 * Makes a number with its key, if the plan of its tenant allows one more. Null when it was made, else the refusal.
 * Locks the tenant's row until the transaction ends.
 */
export async function makeNumber(
  rows: UnitManager,
  session: SqlSession,
  number: NewNumber,
  key: KeyMaterial,
  nowMs: number,
): Promise<Refusal | null> {
  const tenant = await rows.readOne(TenantEntity, { id: number.tenantId }, { lock: 'no key update' })
  if (!tenant) throw new Error('the tenant of the new number does not exist')
  const { maxNumbers } = tenant
  // A statement of its own, so that the count sees what was committed while the lock was waited for.
  if (maxNumbers !== null && (await rows.count(ChannelNumberEntity, {})) >= maxNumbers)
    return refuse('NUMBER_LIMIT_EXCEEDED', `Your plan allows ${maxNumbers} numbers; remove one first`, { maxNumbers })
  const isNew = await insertNumber(session, number, key, nowMs)
  return isNew ? null : refuse('NUMBER_ALREADY_EXISTS', 'This number exists already')
}

/** Numbers with their creation and their removal. */
class SqlNumberStore extends NumberRows implements NumberStore {
  readonly #engine: NumberDeps

  constructor(engine: NumberDeps) {
    super(engine)
    this.#engine = engine
  }

  async create(number: NewNumber): Promise<Outcome<{ number: ChannelNumber; key: IssuedKey }>> {
    const { database, cipher, clock, onEvents } = this.#engine
    const nowMs = clock.now()
    const key = makeKey(cipher)
    const refusal = await database.unitOfWork({ tenantId: number.tenantId }, (rows, session) =>
      makeNumber(rows, session, number, key, nowMs),
    )
    if (refusal) return fail(refusal)
    onEvents()
    const createdAt = new Date(nowMs)
    return succeed({
      number: {
        ...number,
        state: 'CLOSE',
        isFullyConnected: false,
        isPaired: false,
        pairingReason: null,
        engine: null,
        sessionHealth: null,
        voice: null,
        marketing: null,
        createdAt,
        updatedAt: createdAt,
      },
      key: toIssuedKey(key, number, nowMs),
    })
  }

  async remove(tenantId: TenantId, numberId: NumberId): Promise<boolean> {
    const { database, clock, onEvents } = this.#engine
    // All its messages go with it, which may take longer than a request waits for a statement.
    const isRemoved = await database.transaction(
      (session) => deleteNumber(session, tenantId, numberId, clock.now()),
      'chore',
    )
    if (isRemoved) onEvents()
    return isRemoved
  }
}

/** Numbers over an open database. */
export function openNumbers(engine: NumberDeps): {
  readonly numbers: NumberStore
} {
  return { numbers: new SqlNumberStore(engine) }
}
