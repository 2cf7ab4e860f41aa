import { HELD_EVENT, type SetAsideItem, type SetAsideLine } from '../../domain/set-aside.ts'
import type { SqlParameter, SqlSession } from '../engine/database.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { SetAsideEntity } from './entity.ts'

/** What a line held of an item, parsed from JSON. */
type Held = Readonly<Record<string, string | null>>

const OWNERS = rowsOf(SetAsideEntity).only('tenantId', 'numberId', 'accountId')
type Owners = Pick<SetAsideItem, 'tenantId' | 'numberId' | 'accountId'>

interface Left extends Owners {
  readonly item: string
  readonly held: Held
}

/** An item to be put back. */
export interface Back extends Owners {
  readonly id: string
  readonly held: Held
  /** The present, ISO 8601. */
  readonly now: string
}

interface ReturningLine {
  /** Stores the item where its line finds it. Putting it back twice stores it once. */
  putBack(session: SqlSession, back: Back): Promise<void>
}

/** A line with rows: the transaction that sets an item aside takes it out of them. */
export interface LeavingLine extends ReturningLine {
  /** Null when the item is no longer there. */
  take(session: SqlSession, keys: readonly SqlParameter[]): Promise<Left | null>
}

/** Makes a `take` from `sql`, which answers the removed row, with `held` as JSON text that can be sealed. */
function taking(sql: string): LeavingLine['take'] {
  return async (session, keys) => {
    const [row] = await session.query<Partial<RowIn<typeof OWNERS>> & { readonly item: string; readonly held: string }>(
      sql,
      keys,
    )
    return row
      ? {
          item: row.item,
          ...OWNERS.read({ tenant_id: null, number_id: null, account_id: null, ...row }),
          held: JSON.parse(row.held) as Held,
        }
      : null
  }
}

/** SQL of JSON with the columns as texts; PostgreSQL can read the text of a time again. */
const held = (columns: readonly string[], of: string) =>
  `json_build_object(${columns.map((column) => `'${column}', ${of}.${column}::text`).join(', ')})::text as held`

const CHANGE = `with old as (select * from inbound_changes where number_id = $1 and position = $2::bigint and is_pending for update), left_line as (
    update inbound_changes c set is_pending = false, value = null from old where c.position = old.position)
  select position::text as item, tenant_id, number_id, account_id, ${held(['position', 'key', 'field', 'value', 'received_at'], 'old')} from old`
const CHANGE_BACK = `insert into inbound_changes (tenant_id, account_id, key, number_id, field, value, is_pending, received_at)
  values ($1, $2, $3, $4, $5, $6, true, $7::timestamptz)
  on conflict (account_id, key, tenant_id, number_id) do update set is_pending = true, value = excluded.value`

const ACCOUNT_CHANGE = `with gone as (delete from account_changes where position = $1::bigint returning *)
  select position::text as item, tenant_id, account_id, ${held(['key', 'field', 'value', 'told_at', 'received_at'], 'gone')} from gone`
const ACCOUNT_CHANGE_BACK = `insert into account_changes (tenant_id, account_id, key, field, value, told_at, received_at)
  values ($1, $2, $3, $4, $5, $6::timestamptz, $7::timestamptz) on conflict (account_id, key, tenant_id) do nothing`

const OUTBOX = `with gone as (delete from outbox where position in (select position from outbox order by position limit 1 for update skip locked) returning event_id)
  select gone.event_id as item, e.tenant_id, e.number_id, ${held(['event_id'], 'gone')} from gone left join events e on e.id = gone.event_id`
const OUTBOX_BACK = 'insert into outbox (event_id) select $1 where exists (select 1 from events where id = $1)'

const ERRAND = `with gone as (delete from number_errands where id = $1::bigint returning *)
  select gone.id::text as item, gone.number_id, n.tenant_id, ${held(['errand'], 'gone')} from gone left join channel_numbers n on n.id = gone.number_id`
const ERRAND_BACK = `insert into number_errands (number_id, errand, created_at, due_at)
  select id, $2, $3::timestamptz, $3::timestamptz from channel_numbers where id = $1`

const NOTICE = `with gone as (delete from lead_notices where leadgen_id = $1 and page_id = $2 returning *)
  select gone.page_id || '/' || gone.leadgen_id as item, p.tenant_id, p.number_id, ${held(['leadgen_id', 'page_id', 'form_id', 'ad_id', 'noticed_at'], 'gone')}
  from gone left join lead_pages p on p.page_id = gone.page_id`
const NOTICE_BACK = `insert into lead_notices (leadgen_id, page_id, form_id, ad_id, due_at, noticed_at)
  select $1, page_id, $3, $4, $6::timestamptz, $5::timestamptz from lead_pages where page_id = $2 on conflict (leadgen_id, page_id) do nothing`

/**
 * How an item leaves each line and comes back. Null when it is not put back here: the outcome of a send was told
 * already, and a delivery is queued again by whoever retries it. An event of an engine comes back as a change of its
 * number.
 */
export const LINES = {
  changes: {
    take: taking(CHANGE),
    putBack: async (
      session,
      { tenantId, accountId, numberId, held: { key, field, value, received_at: receivedAt }, now },
    ) => {
      await session.query(CHANGE_BACK, [
        tenantId,
        accountId,
        key ?? '',
        numberId,
        field ?? '',
        value ?? null,
        receivedAt ?? now,
      ])
    },
  },
  'account-changes': {
    take: taking(ACCOUNT_CHANGE),
    putBack: async (
      session,
      { tenantId, accountId, held: { key, field, value, told_at: toldAt, received_at: receivedAt }, now },
    ) => {
      await session.query(ACCOUNT_CHANGE_BACK, [
        tenantId,
        accountId,
        key ?? '',
        field ?? '',
        value ?? '',
        toldAt ?? null,
        receivedAt ?? now,
      ])
    },
  },
  'device-events': {
    putBack: async (session, { id, tenantId, numberId, held: given, now }) => {
      await session.query(CHANGE_BACK, [
        tenantId,
        '',
        `${HELD_EVENT}:${id}`,
        numberId,
        HELD_EVENT,
        JSON.stringify(given),
        now,
      ])
    },
  },
  outbox: {
    take: taking(OUTBOX),
    putBack: async (session, { held: { event_id: eventId } }) => {
      await session.query(OUTBOX_BACK, [eventId ?? ''])
    },
  },
  deliveries: null,
  errands: {
    take: taking(ERRAND),
    putBack: async (session, { numberId, held: { errand }, now }) => {
      await session.query(ERRAND_BACK, [numberId, errand ?? '', now])
    },
  },
  'lead-notices': {
    take: taking(NOTICE),
    putBack: async (
      session,
      { held: { leadgen_id: leadgenId, page_id: pageId, form_id: formId, ad_id: adId, noticed_at: noticedAt }, now },
    ) => {
      await session.query(NOTICE_BACK, [
        leadgenId ?? '',
        pageId ?? '',
        formId ?? null,
        adId ?? null,
        noticedAt ?? now,
        now,
      ])
    },
  },
  sends: null,
  // The row never left its table: the next start of the number finds it again.
  'live-calls': { putBack: async () => {} },
} as const satisfies Readonly<Record<SetAsideLine, LeavingLine | ReturningLine | null>>
