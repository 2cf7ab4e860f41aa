import { Pool, type PoolConfig } from 'pg'
import type { Clock, Timer } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Counter, Gauge, Metrics } from '../../ports/metrics.ts'
import { awayKindOf } from './failures.ts'
import { type SqlParameter, toParameter } from './rows.ts'

/**
 * How long a replica is waited for, in ms; all are our choice. Less than the primary is (patience.ts): who asks has
 * time left for that one.
 */
const REPLICA_CONNECT_MS = 1_000
const REPLICA_STATEMENT_MS = 2_000
/** From one look at the replica to the next, ms (our choice). */
const LOOK_MS = 1_000
/** Our choice: lists are not read where they would be older than this, ms. */
const MOST_LAG_MS = 5_000
/**
 * Our choice: places that are remembered, one a look. Of a replica that is behind them all it is known that it is far
 * behind.
 */
const MOST_MARKS = 600

export interface ReplicaOptions {
  readonly url: string
  readonly schema: string | undefined
  readonly poolSize: number
  /** How columns are read, as the primary's are. */
  readonly types: PoolConfig['types']
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics | null
  /** Where the log of the primary is now, as `pg_lsn` in text. Rejects while it is away. */
  readonly primaryPlace: () => Promise<string>
}

/** With a name it is parsed and planned once a connection. */
interface ListStatement {
  readonly name?: string
  readonly sql: string
}

/** A place of the primary's log, and when it was there, monotonic ms. */
interface Mark {
  readonly place: bigint
  readonly atMs: number
}

/** `X/Y`, two hexadecimal halves, as a number that rises. */
function toPlace(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/**
 * A copy of the database that lists are read from. While it cannot be had, or is far behind, they are read from the
 * primary: `read` answers null. How far behind it is, is told by places of the primary's log that it has come to;
 * clocks of servers are not compared.
 */
export class ReadReplica {
  readonly #options: ReplicaOptions
  readonly #pool: Pool
  readonly #reads: Counter | null
  readonly #lag: Gauge | null
  #marks: Mark[] = []
  #isServing = false
  /** It was said that it does not serve. */
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
    // Told by what waits, too; without a listener it would end the process.
    this.#pool.on('error', () => {})
    this.#reads =
      metrics?.counter('database_list_reads_total', 'Statements of lists, by where they were read.', ['from']) ?? null
    this.#lag =
      metrics?.gauge('database_replica_lag_seconds', 'How far the replica was behind at the last look; -1: it is away.')
      ?? null
  }

  /** Looks for the first time, and goes on looking. */
  async start(): Promise<void> {
    await this.#look()
    this.#lookLater()
  }

  /** Answers rows; null: they are to be read from the primary, which also says what is wrong with a statement. */
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

  /** Idempotent. */
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

  /** While the primary is away nothing new is stored there, and no mark is made. */
  async #mark(): Promise<void> {
    const atMs = this.#options.clock.monotonicMs()
    const place = await this.#options.primaryPlace().catch(() => null)
    if (place === null) return
    this.#marks.push({ place: toPlace(place), atMs })
    if (this.#marks.length > MOST_MARKS) this.#marks.shift()
  }

  /** One that replays no log, as a copy by other means, is taken to be up to date: it does not say. */
  #judge(replayed: string | null): void {
    const nowMs = this.#options.clock.monotonicMs()
    const reached =
      replayed === null ? this.#marks.length - 1 : this.#marks.findLastIndex(({ place }) => place <= toPlace(replayed))
    // All that is known of one that has reached no mark is that it is behind the first.
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
