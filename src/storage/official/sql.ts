import type { NumberId, TenantId } from '../../domain/ids.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { OfficialCredentials } from '../../ports/official/credentials.ts'
import type { OfficialHealth } from '../../ports/official/health.ts'
import type { DueCalling, NewOfficialNumber, OfficialPatch } from '../../ports/stores/official-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { credentialsContext, numberEvent, verifyTokenContext, type NumberFacts } from '../numbers/rows.ts'
import { eventCtes, toOutboxParameter } from '../engine/outbox.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { Parameters } from '../engine/statement.ts'
import { KNOW_ACCOUNT } from '../official-accounts/sql.ts'

export function openCredentials(cipher: Cipher, numberId: NumberId, sealed: string): OfficialCredentials {
  return JSON.parse(cipher.open(sealed, credentialsContext(numberId))) as OfficialCredentials
}

export function openVerifyToken(cipher: Cipher, numberId: NumberId, sealed: string): string {
  return cipher.open(sealed, verifyTokenContext(numberId))
}

/** A new OFFICIAL number's own columns, secrets already sealed. */
interface OfficialColumns {
  readonly phoneId: string
  readonly accountId: string
  readonly appId: string | null
  readonly sealedCredentials: string
  readonly sealedVerifyToken: string
}

export function sealOfficial(cipher: Cipher, { id, credentials, verifyToken }: NewOfficialNumber): OfficialColumns {
  return {
    phoneId: credentials.phoneId, accountId: credentials.accountId, appId: credentials.appId,
    sealedCredentials: cipher.seal(JSON.stringify(credentials), credentialsContext(id)), sealedVerifyToken: cipher.seal(verifyToken, verifyTokenContext(id)),
  }
}

/** Fills the columns of a number that was inserted in this transaction, and has the templates of its account listed. */
export async function makeOfficial(session: SqlSession, numberId: NumberId, columns: OfficialColumns, health: OfficialHealth, nowMs: number): Promise<void> {
  const p = new Parameters()
  const sets = [
    `official_phone_id = ${p.add(columns.phoneId)}`, `official_account_id = ${p.add(columns.accountId)}`, `official_app_id = ${p.add(columns.appId)}`,
    `sealed_credentials = ${p.add(columns.sealedCredentials)}`, `sealed_verify_token = ${p.add(columns.sealedVerifyToken)}`,
    `calling_status = 'NOT_ENABLED'`, ...healthSets(p, health, nowMs),
  ]
  await session.query(`update channel_numbers set ${sets.join(', ')} where id = ${p.add(numberId)}`, p.values)
  // Last: whoever removes another number of the account is waited for, and holds no row that was locked before.
  await session.query(KNOW_ACCOUNT, [numberId])
}

function healthSets(p: Parameters, health: OfficialHealth, nowMs: number): string[] {
  return [
    `quality_rating = ${p.add(health.qualityRating)}`, `messaging_limit_tier = ${p.add(health.messagingLimitTier)}`,
    `official_status = ${p.add(health.officialStatus)}`, `official_checked_at = ${p.time(nowMs)}`,
  ]
}

/** Moves a closed number to OPEN with number.connected, in one statement; a number that is open stays as it is. */
export async function openOfficial(session: SqlSession, tenantId: TenantId, number: NumberFacts, nowMs: number): Promise<boolean> {
  const p = new Parameters()
  const now = p.time(nowMs)
  const connected = numberEvent('number.connected', { ...number, state: 'OPEN' })
  const rows = await session.query(`with written as (
      update channel_numbers set state = 'OPEN', is_fully_connected = true, updated_at = ${now}
      where tenant_id = ${p.add(tenantId)} and id = ${p.add(number.id)} and state <> 'OPEN' returning tenant_id, id as number_id
    ), ${eventCtes('written', p.add(toOutboxParameter([connected])), now)}
    select number_id from written`, p.values)
  return rows.length > 0
}

/** Statement that stores what became known of a number; answers the row. */
export function patchOfficial(tenantId: TenantId, numberId: NumberId, patch: OfficialPatch, nowMs: number): { sql: string, values: Parameters['values'] } {
  const p = new Parameters()
  const sets = [`updated_at = ${p.time(nowMs)}`]
  if (patch.health !== undefined) sets.push(...healthSets(p, patch.health, nowMs))
  if (patch.isTokenValid !== undefined) sets.push(`is_token_valid = ${p.add(patch.isTokenValid)}`)
  if (patch.callingStatus !== undefined) sets.push(`calling_status = ${p.add(patch.callingStatus)}`)
  if (patch.callingRetry !== undefined) {
    const { callingRetry: retry } = patch
    sets.push(`calling_tries = ${p.add(retry?.tries ?? 0)}::integer`, `calling_due_at = ${p.time(retry ? nowMs + retry.inMs : null)}`)
  }
  const where = `tenant_id = ${p.add(tenantId)} and id = ${p.add(numberId)} and official_phone_id is not null`
  return { sql: `update channel_numbers set ${sets.join(', ')} where ${where} returning *`, values: p.values }
}

/** Whoever changes credentials waits for who does so already. */
export const LOCK_CREDENTIALS = `select sealed_credentials from channel_numbers
  where tenant_id = $1 and id = $2 and official_phone_id is not null and sealed_credentials is not null for no key update`

/** Statement that replaces the credentials of a number whose row is locked; answers the row. */
export function replaceOfficial(cipher: Cipher, numberId: NumberId, credentials: OfficialCredentials, health: OfficialHealth, nowMs: number): { sql: string, values: Parameters['values'] } {
  const p = new Parameters()
  const sealed = cipher.seal(JSON.stringify(credentials), credentialsContext(numberId))
  const sets = [
    `updated_at = ${p.time(nowMs)}`, `sealed_credentials = ${p.add(sealed)}`, `official_app_id = ${p.add(credentials.appId)}`, 'is_token_valid = true',
    ...healthSets(p, health, nowMs),
  ]
  return { sql: `update channel_numbers set ${sets.join(', ')} where id = ${p.add(numberId)} returning *`, values: p.values }
}

const DUE = rowsOf(ChannelNumberEntity).only('tenantId', 'id', 'callingStatus', 'callingTries', 'sealedCredentials', 'sealedVerifyToken')
  .filled<'callingStatus' | 'sealedCredentials' | 'sealedVerifyToken'>()
export type DueRow = RowIn<typeof DUE>

export function toDueCalling(cipher: Cipher, row: DueRow): DueCalling {
  const { id, callingTries, sealedCredentials, sealedVerifyToken, ...due } = DUE.read(row)
  return { ...due, numberId: id, tries: callingTries, credentials: openCredentials(cipher, id, sealedCredentials), verifyToken: openVerifyToken(cipher, id, sealedVerifyToken) }
}

/** Due numbers, put off for other nodes until `leaseMs` from now; `skip locked`: nodes share them out. */
export const TAKE_DUE_CALLING = `update channel_numbers set calling_due_at = $2::timestamptz
  where id in (
    select id from channel_numbers where calling_due_at <= $1::timestamptz order by calling_due_at limit $3 for update skip locked)
  returning ${DUE.list()}`

export const HASTEN_CALLING = `update channel_numbers set calling_due_at = $1::timestamptz
  where tenant_id = $2 and official_account_id = $3 and calling_due_at > $1::timestamptz returning id`
