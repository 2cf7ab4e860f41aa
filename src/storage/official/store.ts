import { fail, refuse, succeed, type Outcome, type Refusal } from '../../domain/errors.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { OfficialCredentials } from '../../ports/official/credentials.ts'
import type { OfficialHealth } from '../../ports/official/health.ts'
import type { IssuedKey } from '../../ports/stores/key-store.ts'
import type { CredentialsChange, DueCalling, NewOfficialNumber, OfficialPatch, OfficialStore } from '../../ports/stores/official-store.ts'
import { isDuplicate } from '../engine/database.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { makeKey } from '../keys/material.ts'
import { toNumber } from '../numbers/rows.ts'
import { insertNumber, lockAllowance, toIssuedKey } from '../numbers/sql.ts'
import { HASTEN_CALLING, LOCK_CREDENTIALS, makeOfficial, openCredentials, openOfficial, patchOfficial, replaceOfficial, sealOfficial, TAKE_DUE_CALLING, toDueCalling, type DueRow } from './sql.ts'
import type { Engine } from '../engine/engine.ts'

const PHONE_TAKEN = refuse('NUMBER_ALREADY_EXISTS', 'This phone id is connected already')

/** OFFICIAL numbers as rows. Tokens and secrets are sealed and leave by `credentials` and `takeDueCalling` alone. */
class SqlOfficialStore implements OfficialStore {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']

  constructor({ database, cipher, clock, onEvents }: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onEvents = onEvents
  }

  async create(number: NewOfficialNumber): Promise<Outcome<{ number: ChannelNumber, key: IssuedKey }>> {
    const nowMs = this.#clock.now()
    const key = makeKey(this.#cipher)
    const refusal = await this.#insert(number, key, nowMs)
    if (refusal) return fail(refusal)
    this.#onEvents()
    const row = await this.#find(number.tenantId, number.id)
    if (!row) throw new Error('the new number was removed at once')
    return succeed({ number: row, key: toIssuedKey(key, number, nowMs) })
  }

  async #insert(number: NewOfficialNumber, key: ReturnType<typeof makeKey>, nowMs: number): Promise<Refusal | null> {
    try {
      return await this.#database.transaction(async (session) => {
        const allowance = await lockAllowance(session, number.tenantId)
        if (!allowance) throw new Error('the tenant of the new number does not exist')
        if (allowance.max !== null && allowance.used >= allowance.max) {
          return refuse('NUMBER_LIMIT_EXCEEDED', `Your plan allows ${allowance.max} numbers; remove one first`, { maxNumbers: allowance.max })
        }
        const isNew = await insertNumber(session, { ...number, provider: 'OFFICIAL' }, key, nowMs)
        if (!isNew) return refuse('NUMBER_ALREADY_EXISTS', 'This number exists already')
        await makeOfficial(session, number.id, sealOfficial(this.#cipher, number), number.health, nowMs)
        return null
      })
    } catch (error) {
      // Thrown, so that the number inserted before it is rolled back.
      if (isDuplicate(error, 'channel_numbers_official_phone')) return PHONE_TAKEN
      throw error
    }
  }

  async opened(tenantId: TenantId, numberId: NumberId): Promise<ChannelNumber | null> {
    const number = await this.#find(tenantId, numberId)
    if (!number) return null
    const isOpened = await openOfficial(this.#database, tenantId, number, this.#clock.now())
    if (isOpened) this.#onEvents()
    return this.#find(tenantId, numberId)
  }

  async credentials(tenantId: TenantId, numberId: NumberId): Promise<OfficialCredentials | null> {
    const rows = await this.#database.query<{ sealed_credentials: string | null }>(
      'select sealed_credentials from channel_numbers where tenant_id = $1 and id = $2 and official_phone_id is not null', [tenantId, numberId])
    const sealed = rows[0]?.sealed_credentials ?? null
    return sealed === null ? null : openCredentials(this.#cipher, numberId, sealed)
  }

  async replaceCredentials(tenantId: TenantId, numberId: NumberId, change: CredentialsChange, health: OfficialHealth): Promise<ChannelNumber | null> {
    const written = await this.#database.transaction(async (session) => {
      const rows = await session.query<{ sealed_credentials: string }>(LOCK_CREDENTIALS, [tenantId, numberId])
      const sealed = rows[0]?.sealed_credentials
      if (sealed === undefined) return []
      const next = { ...openCredentials(this.#cipher, numberId, sealed), ...change }
      const { sql, values } = replaceOfficial(this.#cipher, numberId, next, health, this.#clock.now())
      return session.query(sql, values)
    })
    return written[0] ? toNumber(this.#database.entities().map(ChannelNumberEntity, written[0])) : null
  }

  async save(tenantId: TenantId, numberId: NumberId, patch: OfficialPatch): Promise<ChannelNumber | null> {
    const { sql, values } = patchOfficial(tenantId, numberId, patch, this.#clock.now())
    const rows = await this.#database.query(sql, values)
    return rows[0] ? toNumber(this.#database.entities().map(ChannelNumberEntity, rows[0])) : null
  }

  async findByPhone(phoneId: string): Promise<ChannelNumber | null> {
    const row = await this.#database.entities('everybody').findOne(ChannelNumberEntity, { officialPhoneId: phoneId })
    return row && toNumber(row)
  }

  async takeDueCalling(limit: number, leaseMs: number): Promise<DueCalling[]> {
    const nowMs = this.#clock.now()
    const times = [nowMs, nowMs + leaseMs].map((ms) => new Date(ms).toISOString())
    const rows = await this.#database.query<DueRow>(TAKE_DUE_CALLING, [...times, limit])
    return rows.map((row) => toDueCalling(this.#cipher, row))
  }

  async hastenCalling(tenantId: TenantId, accountId: string): Promise<number> {
    const rows = await this.#database.query(HASTEN_CALLING, [new Date(this.#clock.now()).toISOString(), tenantId, accountId])
    return rows.length
  }

  async #find(tenantId: TenantId, id: NumberId): Promise<ChannelNumber | null> {
    const row = await this.#database.entities({ tenantId }).findOne(ChannelNumberEntity, { id })
    return row && toNumber(row)
  }
}

/** OFFICIAL numbers over an open database. */
export function openOfficialNumbers(engine: Pick<Engine, 'database' | 'cipher' | 'clock' | 'onEvents'>): { readonly official: OfficialStore } {
  return { official: new SqlOfficialStore(engine) }
}
