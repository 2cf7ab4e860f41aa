import { PgBoss, type Db, type JobInsert } from 'pg-boss'
import { unlessAway } from '../domain/store-away.ts'
import type { Log } from '../ports/log.ts'
import { isDuplicate, type Database, type SqlParameter, type SqlSession } from '../storage/engine/database.ts'

/** A job about to be queued. */
export interface NewJob {
  /** What `fetch` may leave out. */
  readonly group: string
  readonly data: object
  /** Not fetched before, by the database's clock and to the millisecond; 0 for at once. */
  readonly delayMs: number
}

/** A fetched job; `id` and `claim` together end it, and only while nobody else has fetched it since. */
export interface FetchedJob {
  readonly id: string
  readonly claim: number
  readonly data: object
}

/** One queue on pg-boss. Each method is one statement in the given session, and never any outside it. */
export interface Jobs {
  insert(session: SqlSession, jobs: readonly NewJob[]): Promise<void>
  /** Due jobs, oldest first, none of the groups in `except`. */
  fetch(session: SqlSession, limit: number, except: readonly string[]): Promise<FetchedJob[]>
  /** Ends jobs that are still claimed so, and answers their ids: of two nodes that both hold a job, one ends it. */
  end(session: SqlSession, claims: readonly Pick<FetchedJob, 'id' | 'claim'>[]): Promise<ReadonlySet<string>>
  /** Jobs by id, whoever holds them. */
  read(session: SqlSession, ids: readonly string[]): Promise<FetchedJob[]>
  /** Gives back expired jobs now and not at the next look. */
  supervise(): Promise<void>
  /** The table of the queue, for vacuum of the embedded database. */
  readonly table: string
  /** SQL that is true while jobs wait to be fetched, and while some are to be given back by `supervise`. */
  readonly due: Readonly<Record<'deliveries' | 'expiries', string>>
  close(): Promise<void>
}

export interface JobsOptions {
  /**
   * A job fetched and not ended for this long comes back. Default 60 s: a try may take 15 s (contract 5), and waits its
   * turn for some.
   */
  readonly expireSeconds?: number
  /** How often such jobs are looked for without being told. Default 300 s. */
  readonly monitorSeconds?: number
}

const QUEUE = 'webhook-deliver'
const EXPIRE_SECONDS = 60
/**
 * our choice: pg-boss's own look and what else it keeps in order costs a dozen statements; `due` tells of jobs sooner.
 */
const MONITOR_SECONDS = 300
/** our choice: the least time from one look for such jobs to the next, on all nodes. */
const MONITOR_PAUSE_SECONDS = 5
/** pg-boss gives up after so many expiries; ours never do: only settling ends a job. */
const NEVER_GIVEN_UP = 1_000_000
/** The last try is 24 h after the one before (contract 5); a job nobody fetches for 14 days past its time goes. */
const KEEP_SECONDS = 14 * 24 * 3600
/** our choice: a backlog this long is worth a warning; retries of endpoints that are down wait in it too. */
const WARNING_JOBS = 100_000
/**
 * our choice: flows and changes of pg-boss's own indexes, neither of which this queue has, are looked for this rarely.
 */
const RARELY_SECONDS = 3600

function toParameter(value: unknown): SqlParameter {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(String)
  return value instanceof Date ? value.toISOString() : JSON.stringify(value)
}

/** A transaction as pg-boss wants its database. */
function within(session: SqlSession): Db {
  return { executeSql: async (text, values = []) => ({ rows: await session.query(text, values.map(toParameter)) }) }
}

/** The database as pg-boss wants it: texts without parameters may hold several statements. */
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

/** Schema of the jobs: beside the tables, so that installations that share a database keep apart. */
async function schemaOf(database: Database): Promise<string> {
  const rows = await database.query<{ schema: string }>('select current_schema() as schema')
  const schema = rows[0]?.schema ?? 'public'
  return schema === 'public' ? 'pgboss' : `${schema}_jobs`
}

/** Makes the schema beforehand: of nodes that start together, pg-boss's own way lets all but one fail (measured). */
async function makeSchema(database: Database, schema: string): Promise<void> {
  try {
    await database.query(`create schema if not exists ${schema}`)
  } catch (error) {
    // Another node made it at the same moment, and has committed.
    if (!isDuplicate(error, 'pg_namespace_nspname_index')) throw error
  }
}

class BossJobs implements Jobs {
  readonly table: string
  readonly due: Jobs['due']
  #boss: PgBoss

  constructor(boss: PgBoss, schema: string, table: string) {
    this.#boss = boss
    this.table = `${schema}.${table}`
    const named = `select true from ${this.table} where name = '${QUEUE}'`
    this.due = {
      deliveries: `(${named} and state < 'active' and not blocked and start_after <= ${schema}.job_now() limit 1)`,
      // Named as its index is: jobs that are fetched at this moment, on all nodes.
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
    // The answer names the jobs, though its type does not say so; a test holds it to that.
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
 * Starts pg-boss over an open database, in a schema of its own, with its one queue made and
 * known. It must be known: a look-up of the queue outside an open transaction of the embedded
 * database would wait for ever. Throws when the schema cannot be made.
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
  // Made once; nodes that start together agree on it.
  await boss.createQueue(QUEUE, { ...rules, policy: 'standard', partition: true })
  await boss.updateQueue(QUEUE, rules)
  const queue = await boss.getQueue(QUEUE)
  if (!queue) throw new Error('the queue was not made')
  // Looks the queue up and so knows it from here on.
  await boss.insert(QUEUE, [])
  return new BossJobs(boss, schema, queue.table)
}
