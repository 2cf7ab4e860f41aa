import type { StoredEvent } from '../domain/events.ts'
import type { EventId, NodeId } from '../domain/ids.ts'
import type { WebhookId } from '../domain/webhook.ts'
import type { Cipher } from '../ports/cipher.ts'
import type { Clock } from '../ports/clock.ts'
import type {
  DeliveryJob,
  DeliveryStore,
  FailedOf,
  FailedRange,
  FetchedDelivery,
  Relayed,
  SettledAttempt,
  Subscriber,
} from '../ports/stores/delivery-store.ts'
import type { Database, SqlSession } from '../storage/engine/database.ts'
import { toDate } from '../storage/engine/rows.ts'
import { adoptEvents } from '../storage/events/store.ts'
import { storeAttempts } from './attempt-sql.ts'
import { failedEvents, holdWebhook } from './failed-sql.ts'
import { BEGUN_EXPIRED, FetchedBatches, isBegun, takeExpired } from './fetched-batches.ts'
import type { FetchedJob, Jobs, NewJob } from './jobs.ts'
import { purgeDeliveries } from './purge.ts'
import { subscribersOf, takeOutbox } from './relay-sql.ts'
import { loadPairs, type Loaded } from './target-sql.ts'

interface JobData {
  readonly eventId: EventId
  readonly webhookId: WebhookId
  readonly tenantId: DeliveryJob['tenantId']
  readonly attempt: number
}

function toNewJob({ eventId, webhookId, tenantId, attempt }: DeliveryJob, delayMs: number = 0): NewJob {
  const data: JobData = { eventId, webhookId, tenantId, attempt }
  return { group: webhookId, data, delayMs }
}

/** Id and claim in one text: with it a node proves, when it settles a job, that the job is still its own. */
function toJobId({ id, claim }: Pick<FetchedJob, 'id' | 'claim'>): string {
  return `${id}/${claim}`
}

function toClaim(jobId: string): Pick<FetchedJob, 'id' | 'claim'> {
  const [id = '', claim = ''] = jobId.split('/')
  return { id, claim: Number(claim) }
}

function toDelivery(job: FetchedJob): FetchedDelivery {
  const { eventId, webhookId, tenantId, attempt } = job.data as JobData
  return { jobId: toJobId(job), eventId, webhookId, tenantId, attempt }
}

export interface DeliveryRowsDeps {
  readonly database: Database
  readonly jobs: Jobs
  readonly cipher: Cipher
  readonly clock: Clock
  /** The name under which this node finds, after a crash, the jobs that it had fetched. */
  readonly nodeId: NodeId
}

/** Deliveries as rows, with pg-boss as their queue. */
export class RowDeliveries implements DeliveryStore {
  #database: Database
  #jobs: Jobs
  #cipher: Cipher
  #clock: Clock
  #batches: FetchedBatches

  constructor({ database, jobs, cipher, clock, nodeId }: DeliveryRowsDeps) {
    this.#database = database
    this.#jobs = jobs
    this.#cipher = cipher
    this.#clock = clock
    this.#batches = new FetchedBatches(nodeId)
  }

  /**
   * Gives back the jobs that this node had fetched when it was killed, so that they go out at once and not after their
   * expiry. It is awaited once at start, before the first fetch. Answers how many there were.
   */
  async recover(): Promise<number> {
    await adoptEvents(this.#database)
    return this.#database.transaction(async (session) => {
      const left = await this.#batches.takeOld(session)
      const claims = left.jobs.map(toClaim)
      const known = new Map(
        (
          await this.#jobs.read(
            session,
            claims.map(({ id }) => id),
          )
        ).map((job) => [job.id, job]),
      )
      const ended = await this.#jobs.end(session, claims)
      const back = [...[...ended].flatMap((id) => known.get(id) ?? []).map(toDelivery), ...left.begun]
      await this.#jobs.insert(
        session,
        back.map((job) => toNewJob(job)),
      )
      return back.length
    })
  }

  async relay(
    limit: number,
    match: (event: StoredEvent, subscribers: readonly Subscriber[]) => readonly DeliveryJob[],
    choose: (jobs: readonly DeliveryJob[]) => ReadonlySet<DeliveryJob> = () => new Set(),
  ): Promise<Relayed> {
    return this.#database.transaction(async (session) => {
      const { taken, events } = await takeOutbox(session, limit)
      const subscribers = await subscribersOf(session, events)
      const jobs = events.flatMap((event) => match(event, subscribers(event)))
      const chosen = choose(jobs)
      const queued = jobs.filter((job) => !chosen.has(job))
      await this.#jobs.insert(
        session,
        queued.map((job) => toNewJob(job)),
      )
      return { taken, queued: queued.length, begun: await this.#batches.begin(session, [...chosen]) }
    })
  }

  async fetch(limit: number, except: readonly WebhookId[]): Promise<FetchedDelivery[]> {
    return this.#database.transaction(async (session) => {
      const fetched = (await this.#jobs.fetch(session, limit, except)).map(toDelivery)
      await this.#batches.add(session, fetched)
      return fetched
    })
  }

  async load(deliveries: readonly DeliveryJob[], isPausedToo: boolean = false): Promise<Loaded> {
    return loadPairs(this.#database, this.#cipher, this.#clock.now(), deliveries, isPausedToo)
  }

  async settle(attempts: readonly SettledAttempt[]): Promise<void> {
    const jobIds = attempts.flatMap(({ jobId }) => jobId ?? [])
    await this.#database.transaction(async (session) => {
      await storeAttempts(session, attempts)
      const retried = attempts.flatMap(({ jobId, retry }) => (retry === null ? [] : (jobId ?? [])))
      const mine = await this.#end(session, jobIds, retried)
      // A job that expired and was tried by another node as well gets its retry from the node that ended it.
      const retries = attempts.flatMap(({ jobId, retry }) =>
        retry !== null && (jobId === null || mine.has(jobId)) ? [retry] : [],
      )
      await this.#jobs.insert(
        session,
        retries.map(({ job, delayMs }) => toNewJob(job, delayMs)),
      )
      await this.#batches.remove(session, jobIds)
    })
    this.#batches.forget(jobIds)
  }

  /** Ends what is in the queue of these. Answers those of `asked` that were still this node's. */
  async #end(session: SqlSession, jobIds: readonly string[], asked: readonly string[]): Promise<ReadonlySet<string>> {
    const ended = await this.#jobs.end(session, jobIds.filter((jobId) => !isBegun(jobId)).map(toClaim))
    const held = await this.#batches.hold(session, asked)
    return new Set(asked.filter((jobId) => held.has(jobId) || ended.has(toClaim(jobId).id)))
  }

  async keep(event: StoredEvent): Promise<void> {
    await this.#database.query(
      `insert into events (id, tenant_id, number_id, event, data, created_at)
       select $1, tenant_id, id, $4, $5, $6::timestamptz from channel_numbers where tenant_id = $2 and id = $3`,
      [
        event.id,
        event.tenantId,
        event.numberId,
        event.event,
        JSON.stringify(event.data),
        event.createdAt.toISOString(),
      ],
    )
  }

  async putBack(deliveries: readonly FetchedDelivery[]): Promise<void> {
    const jobIds = deliveries.map(({ jobId }) => jobId)
    await this.#database.transaction(async (session) => {
      const mine = await this.#end(session, jobIds, jobIds)
      await this.#jobs.insert(
        session,
        deliveries.filter(({ jobId }) => mine.has(jobId)).map((job) => toNewJob(job)),
      )
      await this.#batches.remove(session, jobIds)
    })
    this.#batches.forget(jobIds)
  }

  async enqueue(job: DeliveryJob): Promise<void> {
    await this.#database.transaction((session) => this.#jobs.insert(session, [toNewJob(job)]))
  }

  async enqueueFailed(webhook: FailedOf, range: FailedRange, most: number): Promise<number> {
    return this.#database.transaction(async (session) => {
      if (!(await holdWebhook(session, webhook))) return 0
      const events = await failedEvents(session, this.#jobs, webhook, { range, most, nowMs: this.#clock.now() })
      const { id: webhookId, tenantId } = webhook
      await this.#jobs.insert(
        session,
        events.map((eventId) => toNewJob({ eventId, webhookId, tenantId, attempt: 1 })),
      )
      return events.length
    })
  }

  async outboxAgeMs(): Promise<number> {
    const rows = await this.#database.query<{ created_at: string }>(
      'select e.created_at from outbox o join events e on e.id = o.event_id order by o.position limit 1',
    )
    return rows[0] ? Math.max(0, this.#clock.now() - toDate(rows[0].created_at).getTime()) : 0
  }

  /** Makes jobs that a node fetched and never ended wait again, and queues first tries that it never settled. */
  async supervise(): Promise<void> {
    await this.#jobs.supervise()
    await this.#database.transaction(async (session) => {
      const left = await takeExpired(session)
      await this.#jobs.insert(
        session,
        left.map((job) => toNewJob(job)),
      )
    })
  }

  /** SQL conditions by name of the work that may wait (jobs.ts). */
  get due(): Jobs['due'] {
    const { deliveries, expiries } = this.#jobs.due
    return { deliveries, expiries: `(coalesce(${expiries}, false) or coalesce(${BEGUN_EXPIRED}, false))` }
  }

  purge(): Promise<number> {
    return purgeDeliveries({ database: this.#database, clock: this.#clock }, this.#jobs.table)
  }
}
