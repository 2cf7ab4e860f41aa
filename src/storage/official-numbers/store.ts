import { fail, refuse, succeed, type Refusal } from '../../domain/errors.ts'
import type { NumberId, TenantId } from '../../domain/ids.ts'
import { official } from '../../domain/kinds/official.ts'
import type { ChannelNumber } from '../../domain/number.ts'
import type { OfficialHealth, PhoneLimits } from '../../ports/official/health.ts'
import type {
  CredentialsChange,
  DueCalling,
  NewOfficialNumber,
  OfficialPatch,
  OfficialStore,
} from '../../ports/stores/official-store.ts'
import { isDuplicate } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { toRecordset } from '../engine/rows.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { makeKey } from '../keys/material.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import {
  numberEvent,
  openCredentials,
  openVerifyToken,
  sealCredentials,
  toNumber,
  verifyTokenContext,
} from '../numbers/rows.ts'
import type { NumberDeps } from '../numbers/store.ts'
import { KNOW_ACCOUNT } from '../official-accounts/accounts.ts'
import { makeNumber, toIssuedKey } from '../provisioning/numbers.ts'

const PHONE_TAKEN = refuse('NUMBER_ALREADY_EXISTS', 'This phone id is connected to a number already')

/**
 * Moves a closed number to OPEN and tells number.connected (`$4`), in one statement; an open number stays as it is.
 * `$3` is the present.
 */
const OPEN = `with written as (
    update channel_numbers set state = 'OPEN', is_fully_connected = true, updated_at = $3::timestamptz
    where tenant_id = $1 and id = $2 and state <> 'OPEN' returning tenant_id, id as number_id
  ), ${eventCtes('written', '$4', '$3')}
  select number_id from written`

const DUE = rowsOf(ChannelNumberEntity)
  .only('tenantId', 'id', 'callingStatus', 'callingTries', 'sealedCredentials', 'sealedVerifyToken')
  .filled<'callingStatus' | 'sealedCredentials' | 'sealedVerifyToken'>()

/** Takes due numbers until `$2`; by `skip locked` the nodes share them out. */
const TAKE_DUE_CALLING = `update channel_numbers set calling_due_at = $2::timestamptz
  where id in (
    select id from channel_numbers where calling_due_at <= $1::timestamptz order by calling_due_at limit $3 for update skip locked)
  returning ${DUE.list()}`

/** Stores the limits `$3` of the phones of account `$2` of tenant `$1` that differ. `$4` is the present. */
const SAVE_LIMITS = `update channel_numbers n set messaging_limit_tier = g.tier, per_second = g.per_second, updated_at = $4::timestamptz
  from json_to_recordset($3::json) as g (phone_id text, tier text, per_second integer)
  where n.tenant_id = $1 and n.official_account_id = $2 and n.official_phone_id = g.phone_id
    and (n.messaging_limit_tier, n.per_second) is distinct from (g.tier, g.per_second)
  returning n.id`

/** The numbers among `$1` that a node holds. Others read their rows when they start. */
const HELD = 'select number_id from number_leases where number_id = any($1::text[]) and node_id is not null'

/** Health in the form of the columns. */
function healthOf({ qualityRating, messagingLimitTier, officialStatus, perSecond }: OfficialHealth, checkedAt: Date) {
  return { qualityRating, messagingLimitTier, officialStatus, perSecond, officialCheckedAt: checkedAt }
}

/**
 * OFFICIAL numbers. What is known of them is set through entities of their tenant; writes that tell events or share
 * work among nodes are SQL. Tokens and secrets are sealed, and only `credentials` and `takeDueCalling` open them.
 */
class SqlOfficialStore implements OfficialStore {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']
  #onMoved: Engine['onMoved']

  constructor({ database, cipher, clock, onEvents, onMoved }: NumberDeps) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
    this.#onEvents = onEvents
    this.#onMoved = onMoved
  }

  async create(number: NewOfficialNumber): ReturnType<OfficialStore['create']> {
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
      return await this.#database.unitOfWork({ tenantId: number.tenantId }, async (rows, session) => {
        const refused = await makeNumber(rows, session, { ...number, provider: official.name }, key, nowMs)
        if (refused) return refused
        await rows.changed(ChannelNumberEntity, { id: number.id }, this.#columnsOf(number, nowMs))
        // Last, because it waits for a removal of another number of the account, which holds no row locked here before.
        await session.query(KNOW_ACCOUNT, [number.id])
        return null
      })
    } catch (error) {
      // A throw, so that the number inserted before it is rolled back.
      if (isDuplicate(error, 'channel_numbers_official_phone')) return PHONE_TAKEN
      throw error
    }
  }

  /** Columns that only an OFFICIAL number has. */
  #columnsOf({ id, credentials, verifyToken, health }: NewOfficialNumber, nowMs: number) {
    return {
      officialPhoneId: credentials.phoneId,
      officialAccountId: credentials.accountId,
      officialAppId: credentials.appId,
      sealedCredentials: sealCredentials(this.#cipher, id, credentials),
      sealedVerifyToken: this.#cipher.seal(verifyToken, verifyTokenContext(id)),
      callingStatus: 'NOT_ENABLED',
      ...healthOf(health, new Date(nowMs)),
    } as const
  }

  async opened(tenantId: TenantId, numberId: NumberId): Promise<ChannelNumber | null> {
    const number = await this.#find(tenantId, numberId)
    if (!number) return null
    const connected = numberEvent('number.connected', { ...number, state: 'OPEN' })
    const written = await this.#database.query(OPEN, [
      tenantId,
      numberId,
      new Date(this.#clock.now()).toISOString(),
      toOutboxParameter([connected]),
    ])
    if (written.length > 0) this.#onEvents()
    return this.#find(tenantId, numberId)
  }

  async credentials(tenantId: TenantId, numberId: NumberId): ReturnType<OfficialStore['credentials']> {
    const row = await this.#database
      .entities({ tenantId })
      .readOne(ChannelNumberEntity, { id: numberId, officialPhoneId: { $ne: null } })
    const sealed = row?.sealedCredentials ?? null
    return sealed === null ? null : openCredentials(this.#cipher, numberId, sealed)
  }

  async replaceCredentials(
    tenantId: TenantId,
    numberId: NumberId,
    change: CredentialsChange,
    health: OfficialHealth,
  ): Promise<ChannelNumber | null> {
    const written = await this.#database.unitOfWork({ tenantId }, async (rows) => {
      // The lock lets changes of credentials go one after another.
      const held = await rows.readOne(
        ChannelNumberEntity,
        { id: numberId, officialPhoneId: { $ne: null } },
        { lock: 'no key update' },
      )
      const sealed = held?.sealedCredentials ?? null
      if (sealed === null) return []
      const next = { ...openCredentials(this.#cipher, numberId, sealed), ...change }
      const now = new Date(this.#clock.now())
      return rows.updated(
        ChannelNumberEntity,
        { id: numberId },
        {
          updatedAt: now,
          sealedCredentials: sealCredentials(this.#cipher, numberId, next),
          officialAppId: next.appId,
          isTokenValid: true,
          ...healthOf(health, now),
        },
      )
    })
    return written[0] ? toNumber(written[0]) : null
  }

  async save(
    tenantId: TenantId,
    numberId: NumberId,
    { health, isTokenValid, sessionHealth, callingStatus, callingRetry }: OfficialPatch,
  ): Promise<ChannelNumber | null> {
    const now = new Date(this.#clock.now())
    const [row] = await this.#database.entities({ tenantId }).updated(
      ChannelNumberEntity,
      { id: numberId, officialPhoneId: { $ne: null } },
      {
        updatedAt: now,
        ...(health === undefined ? {} : healthOf(health, now)),
        ...(isTokenValid === undefined ? {} : { isTokenValid }),
        ...(sessionHealth === undefined ? {} : { sessionHealth }),
        ...(callingStatus === undefined ? {} : { callingStatus }),
        ...(callingRetry === undefined
          ? {}
          : {
              callingTries: callingRetry?.tries ?? 0,
              callingDueAt: callingRetry && new Date(now.getTime() + callingRetry.inMs),
            }),
      },
    )
    if (row && (callingStatus !== undefined || sessionHealth !== undefined)) this.#onMoved.number(numberId)
    return row ? toNumber(row) : null
  }

  async saveLimits(tenantId: TenantId, accountId: string, limits: readonly PhoneLimits[]): Promise<NumberId[]> {
    const given = limits.map(({ phoneId, messagingLimitTier: tier, perSecond }) => ({
      phone_id: phoneId,
      tier,
      per_second: perSecond,
    }))
    const now = new Date(this.#clock.now()).toISOString()
    const changed = await this.#database.query<{ id: NumberId }>(SAVE_LIMITS, [
      tenantId,
      accountId,
      toRecordset(given),
      now,
    ])
    if (changed.length === 0) return []
    // A statement of its own: one that began before the limits were stored could miss who read the old ones.
    const held = await this.#database.query<{ number_id: NumberId }>(HELD, [changed.map(({ id }) => id)])
    return held.map((row) => row.number_id)
  }

  async findByPhone(phoneId: string): Promise<ChannelNumber | null> {
    const row = await this.#database.entities('everybody').readOne(ChannelNumberEntity, { officialPhoneId: phoneId })
    return row && toNumber(row)
  }

  async takeDueCalling(limit: number, leaseMs: number): Promise<DueCalling[]> {
    const nowMs = this.#clock.now()
    const times = [nowMs, nowMs + leaseMs].map((ms) => new Date(ms).toISOString())
    const rows = await this.#database.query<RowIn<typeof DUE>>(TAKE_DUE_CALLING, [...times, limit])
    return rows.map(DUE.read).map(({ id, callingTries, sealedCredentials, sealedVerifyToken, ...due }) => ({
      ...due,
      numberId: id,
      tries: callingTries,
      credentials: openCredentials(this.#cipher, id, sealedCredentials),
      verifyToken: openVerifyToken(this.#cipher, id, sealedVerifyToken),
    }))
  }

  hastenCalling(tenantId: TenantId, accountId: string): Promise<number> {
    const now = new Date(this.#clock.now())
    return this.#database
      .entities({ tenantId })
      .changed(ChannelNumberEntity, { officialAccountId: accountId, callingDueAt: { $gt: now } }, { callingDueAt: now })
  }

  async #find(tenantId: TenantId, id: NumberId): Promise<ChannelNumber | null> {
    const row = await this.#database.entities({ tenantId }).readOne(ChannelNumberEntity, { id })
    return row && toNumber(row)
  }
}

/** OFFICIAL numbers over an open database. */
export function openOfficialNumbers(engine: NumberDeps): {
  readonly official: OfficialStore
} {
  return { official: new SqlOfficialStore(engine) }
}
