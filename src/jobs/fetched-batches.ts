import { newId, type NodeId } from '../domain/ids.ts'
import type { DeliveryJob, FetchedDelivery } from '../ports/stores/delivery-store.ts'
import type { SqlSession } from '../storage/engine/database.ts'
import { ALONG_INDEX } from '../storage/engine/partitions.ts'
import { CLOCKS_APART } from '../storage/engine/statement.ts'

/** First tries of one webhook, as they are stored; their attempt is 1. */
interface BegunOfWebhook extends Pick<DeliveryJob, 'webhookId' | 'tenantId'> {
  readonly eventIds: readonly DeliveryJob['eventId'][]
}

/** What a node held when it was killed: jobs of the queue, and first tries that had none. */
interface Left {
  readonly jobs: string[]
  readonly begun: DeliveryJob[]
}

interface BatchRow {
  readonly jobs: string
  readonly begun: string | null
}

/**
 * Our choice: first tries that were not settled for this long, in s, are queued, as jobs of the queue come back that
 * were fetched and not ended (jobs.ts).
 */
const EXPIRE_SECONDS = 60
/** Our choice: batches of gone nodes that one look takes over, each of some hundred tries. */
const TAKEN_OVER = 20
/** Begins the ids of first tries, which no job of the queue has. */
const BEGUN = 'begun:'

const EXPIRED = `begun is not null and fetched_at < now() - interval '${EXPIRE_SECONDS} s'`

/** SQL that is true while first tries of a node wait that never settled them. */
export const BEGUN_EXPIRED = `(select true from delivery_batches where ${EXPIRED} limit 1)`

/** SQL that gives the ids of events of which a first try is under way. */
export const BEGUN_EVENTS = `select e from delivery_batches b cross join json_array_elements(b.begun::json) d
    cross join json_array_elements_text(d -> 'eventIds') e where b.begun is not null`

const TAKE_OVER = `delete from delivery_batches where id in (
    select id from delivery_batches where ${EXPIRED} order by id limit ${TAKEN_OVER} for update skip locked)
  returning jobs, begun`

/** Our choice: as many logs of a webhook are looked at, the newest; what is older is delivered twice at worst. */
const MOST_LOGS = 100_000

/**
 * A first try that was settled has left its log in the same transaction. No index of logs knows their events, so the
 * logs of the webhooks are read since their first event.
 */
const UNSETTLED = `with begun as materialized (
    select told as event_id, d."webhookId" as webhook_id, d."tenantId" as tenant_id, e.created_at
    from json_to_recordset($1::json) as d ("webhookId" text, "tenantId" text, "eventIds" json)
    cross join json_array_elements_text(d."eventIds") told left join events e on e.id = told
  ), settled as materialized (
    select l.event_id, l.webhook_id from (select webhook_id, min(created_at) - ${CLOCKS_APART} as since from begun group by 1) b
    cross join lateral (
      select event_id, webhook_id from webhook_logs ${ALONG_INDEX} where webhook_id = b.webhook_id and created_at >= b.since
      order by created_at desc, id desc limit ${MOST_LOGS}) l
    where l.event_id in (select event_id from begun)
  )
  select event_id, webhook_id, tenant_id from begun b
  where not exists (select 1 from settled s where s.event_id = b.event_id and s.webhook_id = b.webhook_id)`

/** True of the id of a first try that has no job in the queue. */
export function isBegun(jobId: string): boolean {
  return jobId.startsWith(BEGUN)
}

function batchIdOf(jobId: string): string {
  return jobId.slice(BEGUN.length, jobId.lastIndexOf('/'))
}

/**
 * What this node has fetched or begun and not settled, one row for each fetch or relay, so that a node that was killed
 * finds it again. A row goes when the last of its jobs is settled. A job in a row that stays behind is safe: its claim
 * fails once another node has fetched the job.
 *
 * First tries that a node begins as it relays their events have no job in the queue: their row is all that is stored of
 * them. Whoever deletes the row has them: the node that settles the last one, or the one that queues what is left.
 */
export class FetchedBatches {
  #nodeId: NodeId
  #batchOf = new Map<string, { readonly id: string; open: number }>()

  constructor(nodeId: NodeId) {
    this.#nodeId = nodeId
  }

  async add(session: SqlSession, deliveries: readonly FetchedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const jobs = deliveries.map(({ jobId }) => jobId)
    const id = newId('log')
    await this.#insert(session, id, { jobs: JSON.stringify(jobs), begun: null })
    this.#note(id, jobs)
  }

  /** Stores that this node makes first tries, and gives each its id. */
  async begin(session: SqlSession, jobs: readonly DeliveryJob[]): Promise<FetchedDelivery[]> {
    if (jobs.length === 0) return []
    const id = newId('log')
    await this.#insert(session, id, { jobs: '[]', begun: JSON.stringify(byWebhook(jobs)) })
    const begun = jobs.map((job, at) => ({ ...job, jobId: `${BEGUN}${id}/${at}` }))
    this.#note(
      id,
      begun.map(({ jobId }) => jobId),
    )
    return begun
  }

  async #insert(session: SqlSession, id: string, { jobs, begun }: BatchRow): Promise<void> {
    await session.query('insert into delivery_batches (id, node_id, jobs, begun) values ($1, $2, $3, $4)', [
      id,
      this.#nodeId,
      jobs,
      begun,
    ])
  }

  #note(id: string, jobIds: readonly string[]): void {
    const batch = { id, open: jobIds.length }
    for (const jobId of jobIds) this.#batchOf.set(jobId, batch)
  }

  /** Holds the rows of first tries until the transaction ends, and gives those tries whose row nobody has taken. */
  async hold(session: SqlSession, jobIds: readonly string[]): Promise<ReadonlySet<string>> {
    const ids = [...new Set(jobIds.filter(isBegun).map(batchIdOf))]
    if (ids.length === 0) return new Set()
    const rows = await session.query<{ id: string }>(
      'select id from delivery_batches where id = any($1::text[]) order by id for update',
      [ids],
    )
    const held = new Set(rows.map(({ id }) => id))
    return new Set(jobIds.filter((jobId) => isBegun(jobId) && held.has(batchIdOf(jobId))))
  }

  /** Deletes the rows whose last jobs these were. The caller calls `forget` once that is committed. */
  async remove(session: SqlSession, jobIds: readonly string[]): Promise<void> {
    const settled = Map.groupBy(
      jobIds.filter((jobId) => this.#batchOf.has(jobId)),
      (jobId) => this.#batchOf.get(jobId),
    )
    const done = [...settled].flatMap(([batch, ids]) =>
      batch !== undefined && ids.length >= batch.open ? [batch.id] : [],
    )
    if (done.length > 0) await session.query('delete from delivery_batches where id = any($1::text[])', [done])
  }

  forget(jobIds: readonly string[]): void {
    for (const jobId of jobIds) {
      const batch = this.#batchOf.get(jobId)
      if (batch) batch.open -= 1
      this.#batchOf.delete(jobId)
    }
  }

  /** Deletes all rows that this node wrote before its start, and answers what they held. */
  async takeOld(session: SqlSession): Promise<Left> {
    const rows = await session.query<BatchRow>(
      'delete from delivery_batches where node_id = $1 returning jobs, begun',
      [this.#nodeId],
    )
    return { jobs: rows.flatMap(({ jobs }) => JSON.parse(jobs) as string[]), begun: await unsettled(session, rows) }
  }
}

function byWebhook(jobs: readonly DeliveryJob[]): BegunOfWebhook[] {
  return [...Map.groupBy(jobs, ({ webhookId }) => webhookId).values()].flatMap((its) => {
    const [first] = its
    return first === undefined
      ? []
      : [{ webhookId: first.webhookId, tenantId: first.tenantId, eventIds: its.map(({ eventId }) => eventId) }]
  })
}

/** Takes the first tries that no node has settled in time, and answers those that were never settled. */
export async function takeExpired(session: SqlSession): Promise<DeliveryJob[]> {
  return unsettled(session, await session.query<BatchRow>(TAKE_OVER))
}

async function unsettled(session: SqlSession, rows: readonly BatchRow[]): Promise<DeliveryJob[]> {
  const begun = rows.flatMap((row) => (row.begun === null ? [] : (JSON.parse(row.begun) as BegunOfWebhook[])))
  if (begun.length === 0) return []
  const left = await session.query<{
    event_id: DeliveryJob['eventId']
    webhook_id: DeliveryJob['webhookId']
    tenant_id: DeliveryJob['tenantId']
  }>(UNSETTLED, [JSON.stringify(begun)])
  return left.map((row) => ({
    eventId: row.event_id,
    webhookId: row.webhook_id,
    tenantId: row.tenant_id,
    attempt: 1,
  }))
}
