import { Pool, type PoolConfig } from 'pg'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Counter, Gauge, Metrics } from '../../ports/metrics.ts'
import { awayKindOf } from './failures.ts'
import { type SqlParameter, toParameter } from './rows.ts'

/**
 * How long a replica is waited for, ms (our choice). It is less than for the primary (patience.ts), so that a request
 * has time left for that one.
 */
const REPLICA_CONNECT_MS = 1_000
const REPLICA_STATEMENT_MS = 2_000
/** Pause between looks at the replica, ms (our choice). */
const LOOK_MS = 1_000
/** Our choice: lists are not read from a replica that is further behind than this, ms. */
const MOST_LAG_MS = 5_000
/** Our choice: marks that are kept, one a look. A replica behind all of them is far behind. */
const MOST_MARKS = 600

export interface ReplicaOptions {
  readonly url: string
  readonly schema: string | undefined
  readonly poolSize: number
  /** How columns are read, the same as the primary's. */
  readonly types: PoolConfig['types']
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics | null
  /** The place that the primary's log has reached, `pg_lsn` as text. Rejects while the primary is away. */
  readonly primaryPlace: () => Promise<string>
}

/** A statement of a list. One with a name is parsed and planned once per connection. */
interface ListStatement {
  readonly name?: string
  readonly sql: string
}

/** A place of the primary's log, and when it was reached, monotonic ms. */
interface Mark {
  readonly place: bigint
  readonly atMs: number
}

/** Reads a place `X/Y`, two hexadecimal halves, as a number that rises. */
function toPlace(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/**
 * A copy of the database that lists are read from. While it is away or far behind, `read` answers null and lists are
 * read from the primary. Its lag is measured by marks of the primary's log that it has replayed; clocks of servers are
 * not compared.
 */
export class ReadReplica {
  readonly #options: ReplicaOptions
  readonly #pool: Pool
  readonly #reads: Counter | null
  readonly #lag: Gauge | null
  #marks: Mark[] = []
  #isServing = false
  /** True once the log says that it does not serve. */
  #isTold = false
  #timer: Timer | null = null
  #isClosed = false
  #looking: Promise<void> = Promise.resolve()

  constructor(options: ReplicaOptions) {
    const { url, schema, poolSize, types, metrics } = options
    this.#options = options
    this.#pool = new Pool({
      connectionString: url,
      max: poolSize,
      ...(types === undefined ? {} : { types }),
      keepAlive: true,
      connectionTimeoutMillis: REPLICA_CONNECT_MS,
      statement_timeout: REPLICA_STATEMENT_MS,
      query_timeout: REPLICA_STATEMENT_MS + LOOK_MS,
      options: `-c default_transaction_read_only=on${schema === undefined ? '' : ` -c search_path=${schema}`}`,
    })
    // A waiting statement gets the same error; without a listener it would end the process.
    this.#pool.on('error', () => {})
    this.#reads =
      metrics?.counter('database_list_reads_total', 'Statements of lists, by where they were read.', ['from']) ?? null
    this.#lag =
      metrics?.gauge('database_replica_lag_seconds', 'How far the replica was behind at the last look; -1: it is away.')
      ?? null
  }

  /** Looks at the replica, and repeats that regularly. */
  async start(): Promise<void> {
    await this.#look()
    this.#lookLater()
  }

  /**
   * Answers the rows; null when they are to be read from the primary, which also tells what is wrong with a statement.
   */
  async read(statement: ListStatement, parameters: readonly SqlParameter[]): Promise<object[] | null> {
    if (!this.#isServing) return this.#passOn()
    try {
      const { rows } = await this.#pool.query<object>({
        ...(statement.name === undefined ? {} : { name: statement.name }),
        text: statement.sql,
        values: parameters.map(toParameter),
      })
      this.#reads?.add({ from: 'replica' })
      return rows
    } catch (error) {
      const kind = awayKindOf(error)
      if (kind !== null && kind !== 'slow') this.#setAway(kind)
      return this.#passOn()
    }
  }

  /** Ends the looks and the connections. Idempotent. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#timer?.cancel()
    await this.#looking
    await this.#pool.end()
  }

  #passOn(): null {
    this.#reads?.add({ from: 'primary' })
    return null
  }

  #lookLater(): void {
    if (this.#isClosed) return
    this.#timer = this.#options.clock.after(LOOK_MS, () => {
      this.#looking = this.#look().finally(() => this.#lookLater())
    })
  }

  async #look(): Promise<void> {
    await this.#mark()
    try {
      const { rows } = await this.#pool.query<{ place: string | null }>(
        'select pg_last_wal_replay_lsn()::text as place',
      )
      this.#judge(rows[0]?.place ?? null)
    } catch (error) {
      this.#setAway(awayKindOf(error) ?? 'refused')
    }
  }

  /** Notes how far the primary's log is. While the primary is away nothing new is stored, and no mark is made. */
  async #mark(): Promise<void> {
    const atMs = this.#options.clock.monotonicMs()
    const place = await this.#options.primaryPlace().catch(() => null)
    if (place === null) return
    this.#marks.push({ place: toPlace(place), atMs })
    if (this.#marks.length > MOST_MARKS) this.#marks.shift()
  }

  /**
   * Judges the lag. A server that replays no log, as a copy made by other means, does not tell, and counts as up to
   * date.
   */
  #judge(replayed: string | null): void {
    const nowMs = this.#options.clock.monotonicMs()
    const reached =
      replayed === null ? this.#marks.length - 1 : this.#marks.findLastIndex(({ place }) => place <= toPlace(replayed))
    // A replica that has reached no mark is known only to be behind the first.
    const lagMs = reached === this.#marks.length - 1 ? 0 : nowMs - (this.#marks[Math.max(0, reached)]?.atMs ?? nowMs)
    this.#lag?.set(lagMs / 1000)
    if (reached > 0) this.#marks = this.#marks.slice(reached)
    if (lagMs > MOST_LAG_MS) return this.#pause('behind')
    if (this.#isTold) this.#options.log.info({}, 'the replica serves lists again')
    this.#isServing = true
    this.#isTold = false
  }

  #setAway(kind: string): void {
    this.#lag?.set(-1)
    this.#pause(kind)
  }

  #pause(why: string): void {
    this.#isServing = false
    if (this.#isTold || this.#isClosed) return
    this.#isTold = true
    this.#options.log.warn({ why }, 'the replica is away or behind; lists are read from the primary until it is back')
  }
}
