import { newId, type TenantId } from '../../domain/ids.ts'
import { factsOf } from '../../domain/upstream-fields.ts'
import type { OfficialChange } from '../../ports/official/changes.ts'
import type { AcceptedChanges, InboundStore, InboundTarget } from '../../ports/stores/inbound-store.ts'
import { keptStatement, type SqlParameter } from '../engine/database.ts'
import { despiteDeadlock } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { Gathered } from '../engine/gathered.ts'
import { inPieces } from '../engine/pieces.ts'
import type { RecordOf, RowOf } from '../engine/rows-of.ts'
import type { InboundChangeEntity } from './entity.ts'

/**
 * Our choice: statements that store posts side by side on a node. Posts of one tenant go one after another, because two
 * statements that share changes in different orders would wait for each other.
 */
const LANES = 4
/**
 * Our choice, in characters: most that one statement stores, about a thousand changes as upstream writes them. A larger
 * post is stored in pieces, with other posts in between.
 */
const TOGETHER = 2_000_000
/** Our choice, in characters: weight of a change beside its texts. */
const CHANGE = 500

/** One upstream post. */
interface InboundPost {
  readonly target: InboundTarget
  readonly changes: readonly OfficialChange[]
}

/**
 * Stores the changes of many posts that are new. A change without a phone id concerns every number of its account,
 * otherwise the number of that phone id, always within the tenant whose secret signed the post. A change that is worked
 * off for the account waits once, beside the keys that each number has of it. An event that goes to many numbers gets
 * an id for each: the time part of the given id, then a hash of that id and the number's.
 */
const ACCEPT = keptStatement(`with given as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $13::text[])
      with ordinality as listed (post, tenant_id, account_id, key, field, phone_id, value, envelope, event_id, reader, told_at, trace, place)
  ), routed as (
    select given.*, n.id as number_id, given.reader = 'number' and n.id is not null as is_pending
    from given left join channel_numbers n on n.official_account_id = given.account_id and n.tenant_id = given.tenant_id
      and (given.phone_id = '' or n.official_phone_id = given.phone_id)
  ), stored as (
    insert into inbound_changes (tenant_id, account_id, key, number_id, field, value, is_pending, received_at, trace)
    select tenant_id, account_id, key, number_id, field, case when is_pending or reader = '' then nullif(value, '') end, is_pending, $12::timestamptz, case when is_pending then nullif(trace, '') end
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
    insert into events (id, tenant_id, number_id, event, data, created_at, trace)
    select case when phone_id = '' then left(event_id, 14) || left(md5(event_id || number_id), 16) else event_id end,
      tenant_id, number_id, field, envelope, $12::timestamptz, nullif(trace, '')
    from fresh where number_id is not null and envelope <> '' order by place
    returning id, position
  ), queued as (
    insert into outbox (event_id) select id from told order by position
  )
  select post, number_id, account_id, bool_or(is_pending) as is_pending, bool_or(reader = 'account') as is_of_account,
    count(distinct key)::integer as stored, bool_or(number_id is not null and envelope <> '') as is_told
  from fresh group by post, number_id, account_id`)

/**
 * A row that ACCEPT answers. `post` is the index of the post; `is_of_account` is true when something is to be worked
 * off for the account.
 */
type Accepted = Pick<RowOf<RecordOf<typeof InboundChangeEntity>>, 'number_id' | 'account_id' | 'is_pending'> & {
  readonly post: string
  readonly stored: number
  readonly is_of_account: boolean
  readonly is_told: boolean
}

/**
 * The parameters of ACCEPT, a list for each column. A change told twice in one batch is taken once. Values are kept of
 * changes that wait to be worked off and of fields that nobody knows yet; of the nine fields that are never forwarded
 * ([events.native.5]) only the key is kept (our choice).
 */
function acceptParameters(posts: readonly InboundPost[], now: string): SqlParameter[] {
  const columns: string[][] = Array.from({ length: 12 }, () => [])
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
  const traces = columns.pop() ?? []
  return [...columns, now, traces]
}

function toRow(post: string, tenantId: TenantId, accountId: string, change: OfficialChange): string[] {
  const { key, field, phoneId, value, envelope, at, trace } = change
  const facts = factsOf(field)
  const kept = facts === null || facts.reader !== null ? value : ''
  return [
    post,
    tenantId,
    accountId,
    key,
    field,
    phoneId ?? '',
    kept,
    facts?.isForwarded ? envelope : '',
    newId('evt'),
    facts?.reader ?? '',
    at?.toISOString() ?? '',
    trace ?? '',
  ]
}

/**
 * Posts of upstream as they are accepted. Posts that arrive while a statement runs share the next one: under load, many
 * posts share one commit.
 */
export class AcceptedPosts implements Pick<InboundStore, 'accept'> {
  #database: Engine['database']
  #clock: Engine['clock']
  #onEvents: Engine['onEvents']
  #lanes: readonly Gathered<InboundPost, AcceptedChanges>[]

  constructor({ database, clock, onEvents }: Pick<Engine, 'database' | 'clock' | 'onEvents'>) {
    this.#database = database
    this.#clock = clock
    this.#onEvents = onEvents
    this.#lanes = Array.from(
      { length: LANES },
      () =>
        new Gathered<InboundPost, AcceptedChanges>({
          run: (posts) => this.#store(posts),
          weightOf: ({ changes }) => changes.reduce((sum, change) => sum + weightOf(change), 0),
          maxWeight: TOGETHER,
        }),
    )
  }

  async accept(target: InboundTarget, changes: readonly OfficialChange[]): Promise<AcceptedChanges> {
    const lane = this.#lanes[laneOf(target.tenantId)]
    if (!lane) throw new Error('there is no such lane')
    const accepted: AcceptedChanges[] = []
    for (const piece of inPieces(changes, TOGETHER / 2, weightOf))
      accepted.push(await lane.add({ target, changes: piece }))
    return together(accepted)
  }

  async #store(posts: readonly InboundPost[]): Promise<AcceptedChanges[]> {
    const parameters = acceptParameters(posts, new Date(this.#clock.now()).toISOString())
    // Two nodes may store the same changes in different orders.
    const rows = await despiteDeadlock(() => this.#database.queryKept<Accepted>(ACCEPT, parameters))
    if (rows.some((row) => row.is_told)) this.#onEvents()
    const byPost = Map.groupBy(rows, (row) => Number(row.post))
    return posts.map((_, index) => toAccepted(byPost.get(index) ?? []))
  }
}

function toAccepted(rows: readonly Accepted[]): AcceptedChanges {
  return {
    stored: rows.reduce((sum, row) => sum + row.stored, 0),
    numbers: rows.flatMap((row) => (row.is_pending && row.number_id !== null ? [row.number_id] : [])),
    accounts: [...new Set(rows.flatMap((row) => (row.is_of_account ? [row.account_id] : [])))],
  }
}

/** Joins the results of one post that was stored in pieces. */
function together(pieces: readonly AcceptedChanges[]): AcceptedChanges {
  return {
    stored: pieces.reduce((sum, { stored }) => sum + stored, 0),
    numbers: [...new Set(pieces.flatMap(({ numbers }) => numbers))],
    accounts: [...new Set(pieces.flatMap(({ accounts }) => accounts))],
  }
}

function weightOf({ value, envelope }: OfficialChange): number {
  return CHANGE + value.length + envelope.length
}

/** Index of the lane of a tenant's posts, always the same. */
function laneOf(tenantId: TenantId): number {
  let hash = 0
  for (let i = 0; i < tenantId.length; i++) hash = (hash * 31 + tenantId.charCodeAt(i)) >>> 0
  return hash % LANES
}
