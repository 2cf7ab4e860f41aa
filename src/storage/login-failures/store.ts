import { LOGIN_WINDOW_MS } from '../../domain/user.ts'
import type { LoginFailureStore, NotedFailure } from '../../ports/stores/login-failure-store.ts'
import type { Engine } from '../engine/engine.ts'
import { PURGE_BATCH, purgeRows } from '../engine/purge.ts'
import { digestOf, toDate } from '../engine/rows.ts'

const COUNTED = `select count(*) from unnest(f.failed_at) as t (at) where t.at > $3::timestamptz`

/** Answers no row where there are as many as may be. */
const NOTE = `insert into login_failures as f (bucket_hash, failed_at, ends_at) values ($1, array[$2::timestamptz], $4::timestamptz)
  on conflict (bucket_hash) do update set ends_at = excluded.ends_at,
    failed_at = array(select t.at from unnest(f.failed_at || excluded.failed_at) as t (at) where t.at > $3::timestamptz order by t.at)
  where (${COUNTED}) < $5::integer returning 1`

/** The last of those that have to go before there is one less than may be. */
const FREED = `select (array(select t.at from unnest(failed_at) as t (at) where t.at > $2::timestamptz order by t.at desc))[$3::integer] as freed_at from login_failures where bucket_hash = $1`

/** One of them, where several are of the same moment. */
const TAKE_BACK = `update login_failures set failed_at = failed_at[:array_position(failed_at, $2::timestamptz) - 1] || failed_at[array_position(failed_at, $2::timestamptz) + 1:]
  where bucket_hash = $1 and array_position(failed_at, $2::timestamptz) is not null`

const PURGE = `delete from login_failures where bucket_hash in (select bucket_hash from login_failures where ends_at <= $1::timestamptz limit ${PURGE_BATCH}) returning 1`

/** Failed logins, a row for what is counted. */
class SqlLoginFailures implements LoginFailureStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async note(bucket: string, most: number): ReturnType<LoginFailureStore['note']> {
    const nowMs = this.#clock.now()
    const hash = digestOf(bucket)
    const [at, since, endsAt] = [nowMs, nowMs - LOGIN_WINDOW_MS, nowMs + LOGIN_WINDOW_MS].map((ms) => new Date(ms).toISOString()) as [string, string, string]
    const noted = await this.#database.query(NOTE, [hash, at, since, endsAt, most])
    if (noted.length > 0) return { noted: { bucket, at: new Date(nowMs) } }
    const [row] = await this.#database.query<{ freed_at: string | null }>(FREED, [hash, since, most])
    const freedMs = row?.freed_at ? toDate(row.freed_at).getTime() + LOGIN_WINDOW_MS : nowMs
    return { noted: null, retryAfterMs: Math.max(1, freedMs - nowMs) }
  }

  async takeBack({ bucket, at }: NotedFailure): Promise<void> {
    await this.#database.query(TAKE_BACK, [digestOf(bucket), at.toISOString()])
  }

  purge(): Promise<number> {
    return purgeRows(this.#database, PURGE, new Date(this.#clock.now()).toISOString())
  }
}

/** Failed logins over an open database. */
export function openLoginFailures(engine: Pick<Engine, 'database' | 'clock'>): { readonly loginFailures: LoginFailureStore } {
  return { loginFailures: new SqlLoginFailures(engine) }
}
