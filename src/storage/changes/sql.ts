import { newId, type TenantId } from '../../domain/ids.ts'
import { factsOf } from '../../domain/upstream-fields.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { OfficialChange } from '../../ports/official/changes.ts'
import type { InboundTarget } from '../../ports/stores/inbound-store.ts'
import { keptStatement, type SqlParameter } from '../engine/database.ts'
import { rowsOf, type RecordOf, type RowIn, type RowOf } from '../engine/rows-of.ts'
import { ChannelNumberEntity } from '../numbers/entity.ts'
import { openCredentials, openVerifyToken } from '../official/sql.ts'
import { InboundChangeEntity } from './entity.ts'

/** Of a change that waits: what is worked off has no value any more. */
export const PENDING = rowsOf(InboundChangeEntity).only('position', 'field', 'value', 'receivedAt').filled<'value'>()
export type PendingRow = RowIn<typeof PENDING>

/** One upstream post. */
export interface InboundPost {
  readonly target: InboundTarget
  readonly changes: readonly OfficialChange[]
}

const TARGETS = rowsOf(ChannelNumberEntity).only('id', 'tenantId', 'officialAccountId', 'sealedCredentials', 'sealedVerifyToken').filled<'officialAccountId'>()
/** An account may have many numbers: any of them has its app's secret, so the newest with one answers. */
export const FIND_TARGETS = `select ${TARGETS.list()} from channel_numbers
  where official_phone_id is not null and (id = $1 or official_account_id = $1) order by created_at desc, id desc`

export type TargetRow = RowIn<typeof TARGETS>

export function toTarget(cipher: Cipher, row: TargetRow): InboundTarget[] {
  const { id: numberId, tenantId, officialAccountId: accountId, sealedCredentials, sealedVerifyToken } = TARGETS.read(row)
  if (sealedCredentials === null || sealedVerifyToken === null) return []
  const { appSecret } = openCredentials(cipher, numberId, sealedCredentials)
  return [{ tenantId, numberId, accountId, appSecret, verifyToken: openVerifyToken(cipher, numberId, sealedVerifyToken) }]
}

/**
 * Stores what is new of many posts. A change concerns the number of its phone id, or all of its account when it has
 * none, within the tenant whose secret signed it. What is worked off for the account waits once, beside the keys that
 * each number has of it. Ids of events that go to many numbers are made from the one given:
 * the time stays, the rest is of both ids.
 */
export const ACCEPT = keptStatement(`with given as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
      with ordinality as listed (post, tenant_id, account_id, key, field, phone_id, value, envelope, event_id, reader, told_at, place)
  ), routed as (
    select given.*, n.id as number_id, given.reader = 'number' and n.id is not null as is_pending
    from given left join channel_numbers n on n.official_account_id = given.account_id and n.tenant_id = given.tenant_id
      and (given.phone_id = '' or n.official_phone_id = given.phone_id)
  ), stored as (
    insert into inbound_changes (tenant_id, account_id, key, number_id, field, value, is_pending, received_at)
    select tenant_id, account_id, key, number_id, field, case when is_pending or reader = '' then nullif(value, '') end, is_pending, $12::timestamptz
    from routed order by place
    on conflict do nothing
    returning tenant_id, account_id, key, number_id
  ), fresh as (
    select routed.* from routed join stored on stored.key = routed.key and stored.account_id = routed.account_id
      and stored.tenant_id = routed.tenant_id and stored.number_id is not distinct from routed.number_id
  ), waiting as (
    insert into account_changes (tenant_id, account_id, key, field, value, told_at, received_at)
    select distinct on (place) tenant_id, account_id, key, field, value, nullif(told_at, '')::timestamptz, $12::timestamptz from fresh
    where reader = 'account' and exists (select 1 from channel_numbers n where n.official_account_id = fresh.account_id and n.tenant_id = fresh.tenant_id)
    order by place
    on conflict do nothing
  ), told as (
    insert into events (id, tenant_id, number_id, event, data, created_at)
    select case when phone_id = '' then left(event_id, 14) || left(md5(event_id || number_id), 16) else event_id end,
      tenant_id, number_id, field, envelope, $12::timestamptz
    from fresh where number_id is not null and envelope <> '' order by place
    returning id, position
  ), queued as (
    insert into outbox (event_id) select id from told order by position
  )
  select post, number_id, account_id, bool_or(is_pending) as is_pending, bool_or(reader = 'account') as is_of_account,
    count(distinct key)::integer as stored, bool_or(number_id is not null and envelope <> '') as is_told
  from fresh group by post, number_id, account_id`)

/** `post`: its index. `is_of_account`: something of it is to be worked off for the account. */
export type Accepted = Pick<RowOf<RecordOf<typeof InboundChangeEntity>>, 'number_id' | 'account_id' | 'is_pending'>
  & { readonly post: string, readonly stored: number, readonly is_of_account: boolean, readonly is_told: boolean }

/**
 * The columns of ACCEPT. A change told twice in one batch is taken once. Values are kept of changes that wait to be
 * worked off, and of fields that nobody knows yet; the nine that are never forwarded leave their key alone (our choice).
 */
export function acceptParameters(posts: readonly InboundPost[], now: string): SqlParameter[] {
  const columns: string[][] = Array.from({ length: 11 }, () => [])
  const seen = new Set<string>()
  for (const [post, { target, changes }] of posts.entries()) {
    for (const change of changes) {
      const accountId = change.accountId ?? target.accountId
      const identity = `${target.tenantId} ${accountId} ${change.key}`
      if (seen.has(identity)) continue
      seen.add(identity)
      const row = toRow(String(post), target.tenantId, accountId, change)
      for (const [index, value] of row.entries()) columns[index]?.push(value)
    }
  }
  return [...columns, now]
}

function toRow(post: string, tenantId: TenantId, accountId: string, change: OfficialChange): string[] {
  const { key, field, phoneId, value, envelope, at } = change
  const facts = factsOf(field)
  const kept = facts === null || facts.reader !== null ? value : ''
  return [post, tenantId, accountId, key, field, phoneId ?? '', kept, facts?.isForwarded ? envelope : '', newId('evt'), facts?.reader ?? '', at?.toISOString() ?? '']
}
