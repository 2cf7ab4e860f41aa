import { PgBoss, type Db, type JobInsert } from 'pg-boss'
import { unlessAway } from '../domain/store-away.ts'
import type { Log } from '../ports/log.ts'
import { isDuplicate, type Database, type SqlParameter, type SqlSession } from '../storage/engine/database.ts'

/** A job about to be queued. */
export interface NewJob {
  /** The group of the job's webhook, by which `fetch` can leave jobs out. */
  readonly group: string
  readonly data: object
  /** The job is not fetched for this long, in ms by the database's clock; 0 for at once. */
  readonly delayMs: number
}

/** A fetched job. `id` and `claim` together end it, as long as no other node has fetched it since. */
export interface FetchedJob {
  readonly id: string
  readonly claim: number
  readonly data: object
}

/** One queue on pg-boss. Each method is one statement in the given session, and never any outside it. */
export interface Jobs {
  insert(session: SqlSession, jobs: readonly NewJob[]): Promise<void>
  /** Fetches due jobs, oldest first, but none of the groups in `except`. */
  fetch(session: SqlSession, limit: number, except: readonly string[]): Promise<FetchedJob[]>
  /** Ends jobs that still have this claim, and answers their ids: of two nodes that both hold a job, one ends it. */
  end(session: SqlSession, claims: readonly Pick<FetchedJob, 'id' | 'claim'>[]): Promise<ReadonlySet<string>>
  /** Reads jobs by id, whichever node holds them. */
  read(session: SqlSession, ids: readonly string[]): Promise<FetchedJob[]>
  /** Gives expired jobs back now instead of at the next look. */
  supervise(): Promise<void>
  /** The table of the queue, which the embedded database has to vacuum. */
  readonly table: string
  /** SQL that gives `data` of the jobs of a group (SQL) that are due now, or that a node holds. */
  underWay(group: string): string
  /**
   * SQL conditions: `deliveries` is true while jobs wait to be fetched, `expiries` while `supervise` has jobs to give
   * back.
   */
  readonly due: Readonly<Record<'deliveries' | 'expiries', string>>
  close(): Promise<void>
}

export interface JobsOptions {
  /**
   * A job that was fetched and not ended for this long comes back. Default 60 s: a try may take 15 s
   * ([webhooks.delivery.6]), after a wait of some seconds for its turn.
   */
  readonly expireSeconds?: number
  /** How often expired jobs are looked for without being told. Default 300 s. */
  readonly monitorSeconds?: number
}

const QUEUE = 'webhook-deliver'
const EXPIRE_SECONDS = 60
/** our choice: the look and the housekeeping of pg-boss cost a dozen statements; `due` tells of expired jobs sooner. */
const MONITOR_SECONDS = 300
/** our choice: the least time between two looks for expired jobs, on all nodes together. */
const MONITOR_PAUSE_SECONDS = 5
/** pg-boss gives a job up after so many expiries. Jobs here are never given up: only settling ends one. */
const NEVER_GIVEN_UP = 1_000_000
/**
 * The last try is 24 h after the one before ([webhooks.retries.1]); a job that nobody fetches for 14 days after its
 * time is deleted.
 */
const KEEP_SECONDS = 14 * 24 * 3600
/** our choice: a backlog this long is worth a warning. Retries of endpoints that are down count in it too. */
const WARNING_JOBS = 100_000
/**
 * our choice: pg-boss looks this rarely for flows and for changes of its own indexes, because this queue has neither.
 */
const RARELY_SECONDS = 3600

function toParameter(value: unknown): SqlParameter {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(String)
  return value instanceof Date ? value.toISOString() : JSON.stringify(value)
}

/** The database interface of pg-boss, bound to one transaction. */
function within(session: SqlSession): Db {
  return { executeSql: async (text, values = []) => ({ rows: await session.query(text, values.map(toParameter)) }) }
}

/** The database interface of pg-boss outside of transactions: a text without parameters may hold several statements. */
function outside(database: Database): Db {
  return {
    async executeSql(text, values = []) {
      return {
        rows:
          values.length === 0
            ? await database.script(text)
            : await database.chores.query(text, values.map(toParameter)),
      }
    },
  }
}

/**
 * The schema of the jobs. It has its own name beside the tables, so that installations that share a database keep
 * apart.
 */
async function schemaOf(database: Database): Promise<string> {
  const rows = await database.query<{ schema: string }>('select current_schema() as schema')
  const schema = rows[0]?.schema ?? 'public'
  return schema === 'public' ? 'pgboss' : `${schema}_jobs`
}

/**
 * Makes the schema before pg-boss does: when nodes start together, pg-boss's own way lets all but one fail (measured).
 */
async function makeSchema(database: Database, schema: string): Promise<void> {
  try {
    await database.query(`create schema if not exists ${schema}`)
  } catch (error) {
    // Another node made the schema at the same moment, and has committed.
    if (!isDuplicate(error, 'pg_namespace_nspname_index')) throw error
  }
}

class BossJobs implements Jobs {
  readonly table: string
  readonly due: Jobs['due']
  readonly underWay: Jobs['underWay']
  #boss: PgBoss

  constructor(boss: PgBoss, schema: string, table: string) {
    this.#boss = boss
    this.table = `${schema}.${table}`
    const named = `select true from ${this.table} where name = '${QUEUE}'`
    // By the clock, not the transaction's time: who waited for another's lock began before its jobs were due.
    this.underWay = (group) =>
      `select data from ${this.table} where name = '${QUEUE}' and group_id = ${group}
        and (state = 'active' or (state < 'active' and start_after <= clock_timestamp()))`
    this.due = {
      deliveries: `(${named} and state < 'active' and not blocked and start_after <= ${schema}.job_now() limit 1)`,
      // The condition repeats that of the index: jobs that any node has fetched now.
      expiries: `(${named} and group_id is not null and state = 'active' and started_on + expire_seconds * interval '1 s' < ${schema}.job_now() limit 1)`,
    }
  }

  async insert(session: SqlSession, jobs: readonly NewJob[]): Promise<void> {
    if (jobs.length === 0) return
    const inserts = jobs.map(({ group, data, delayMs }): JobInsert => ({
      data,
      group: { id: group },
      ...(delayMs > 0 ? { startAfter: delayMs / 1000 } : {}),
    }))
    await this.#boss.insert(QUEUE, inserts, { db: within(session) })
  }

  async fetch(session: SqlSession, limit: number, except: readonly string[]): Promise<FetchedJob[]> {
    const jobs = await this.#boss.fetch<object>(QUEUE, {
      batchSize: limit,
      ignoreGroups: [...except],
      db: within(session),
    })
    return jobs.map(({ id, retryCount, data }) => ({ id, claim: retryCount, data }))
  }

  async end(session: SqlSession, claims: readonly Pick<FetchedJob, 'id' | 'claim'>[]): Promise<ReadonlySet<string>> {
    if (claims.length === 0) return new Set()
    const attempts = claims.map(({ id, claim }) => ({ id, retryCount: claim }))
    const ended: object = await this.#boss.deleteJob(QUEUE, attempts, { db: within(session) })
    // The answer holds the ids of the jobs although its type does not say so; a test shows that it does.
    if (!('settled' in ended) || !Array.isArray(ended.settled))
      throw new Error('the queue did not say which jobs it ended')
    return new Set(ended.settled.map(String))
  }

  async read(session: SqlSession, ids: readonly string[]): Promise<FetchedJob[]> {
    const found = []
    for (const id of ids) found.push(...(await this.#boss.findJobs<object>(QUEUE, { id, db: within(session) })))
    return found.map(({ id, retryCount, data }) => ({ id, claim: retryCount, data }))
  }

  async supervise(): Promise<void> {
    await this.#boss.supervise(QUEUE)
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, close: false })
  }
}

/**
 * Starts pg-boss over an open database, in a schema of its own, with its one queue. The queue is looked up here once
 * and then cached, because a look-up outside an open transaction of the embedded database would wait for ever. Throws
 * when the schema cannot be made.
 */
export async function openJobs(database: Database, log: Log, options: JobsOptions = {}): Promise<Jobs> {
  const schema = await schemaOf(database)
  await makeSchema(database, schema)
  const monitorSeconds = options.monitorSeconds ?? MONITOR_SECONDS
  const boss = new PgBoss({
    db: outside(database),
    schema,
    backend: database.kind === 'pglite' ? 'pglite' : 'postgres',
    createSchema: false,
    schedule: false,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: Math.min(monitorSeconds, MONITOR_PAUSE_SECONDS),
    bamIntervalSeconds: RARELY_SECONDS,
    flowIntervalSeconds: RARELY_SECONDS,
    monitorVacuum: database.kind === 'postgres',
  })
  // Without a listener an error would end the process.
  boss.on('error', (error) => unlessAway(error, () => log.error({ error: error.message }, 'job queue failed')))
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'job queue warns'))
  await boss.start()
  const rules = {
    expireInSeconds: options.expireSeconds ?? EXPIRE_SECONDS,
    retryLimit: NEVER_GIVEN_UP,
    retryDelay: 0,
    retryBackoff: false,
    retentionSeconds: KEEP_SECONDS,
    warningQueueSize: WARNING_JOBS,
  }
  // The queue is made once; nodes that start together agree on it.
  await boss.createQueue(QUEUE, { ...rules, policy: 'standard', partition: true })
  await boss.updateQueue(QUEUE, rules)
  const queue = await boss.getQueue(QUEUE)
  if (!queue) throw new Error('the queue was not made')
  // An empty insert makes pg-boss look the queue up and cache it.
  await boss.insert(QUEUE, [])
  return new BossJobs(boss, schema, queue.table)
}
