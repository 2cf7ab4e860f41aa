import type { FailureLimit } from '../../domain/user.ts'
import type { LoginFailureStore, NotedFailure } from '../../ports/stores/login-failure-store.ts'
import type { Engine } from '../engine/engine.ts'
import { purgePast } from '../engine/purge.ts'
import { digestOf, toDate } from '../engine/rows.ts'
import { LoginFailuresEntity } from './entity.ts'

/**
 * Notes a failure. `$5` and `$6` are, for each limit, since when failures count and how many are allowed. Answers no
 * row when any limit is full.
 */
const NOTE = `insert into login_failures as f (bucket_hash, failed_at, ends_at) values ($1, array[$2::timestamptz], $4::timestamptz)
  on conflict (bucket_hash) do update set ends_at = excluded.ends_at,
    failed_at = array(select t.at from unnest(f.failed_at || excluded.failed_at) as t (at) where t.at > $3::timestamptz order by t.at)
  where not exists (select 1 from unnest($5::timestamptz[], $6::integer[]) as l (since, most) where (select count(*) from unnest(f.failed_at) as t (at) where t.at > l.since) >= l.most)
  returning 1`

/**
 * When every limit has room again: the latest end of the failures that have to lapse before. `$2` to `$4` are, for each
 * limit, since when failures count, how many are allowed, and its span in ms.
 */
const FREED = `select max(freeing.at + l.within_ms * interval '1 millisecond') as freed_at
  from login_failures, unnest($2::timestamptz[], $3::integer[], $4::bigint[]) as l (since, most, within_ms),
    lateral (select (array(select t.at from unnest(failed_at) as t (at) where t.at > l.since order by t.at desc))[l.most] as at) as freeing
  where bucket_hash = $1`

/** Takes one failure back, even when several have the same time. */
const TAKE_BACK = `update login_failures set failed_at = failed_at[:array_position(failed_at, $2::timestamptz) - 1] || failed_at[array_position(failed_at, $2::timestamptz) + 1:]
  where bucket_hash = $1 and array_position(failed_at, $2::timestamptz) is not null`

/** Failed logins, a row for each bucket. */
class SqlLoginFailures implements LoginFailureStore {
  readonly #database: Engine['database']
  readonly #clock: Engine['clock']

  constructor({ database, clock }: Pick<Engine, 'database' | 'clock'>) {
    this.#database = database
    this.#clock = clock
  }

  async note(bucket: string, limits: readonly FailureLimit[]): ReturnType<LoginFailureStore['note']> {
    const nowMs = this.#clock.now()
    const hash = digestOf(bucket)
    const longestMs = Math.max(...limits.map(({ withinMs }) => withinMs))
    const [sinces, mosts] = [
      limits.map(({ withinMs }) => textOf(nowMs - withinMs)),
      limits.map(({ most }) => String(most)),
    ]
    const noted = await this.#database.query(NOTE, [
      hash,
      textOf(nowMs),
      textOf(nowMs - longestMs),
      textOf(nowMs + longestMs),
      sinces,
      mosts,
    ])
    if (noted.length > 0) return { noted: { bucket, at: new Date(nowMs) } }
    const [row] = await this.#database.query<{ freed_at: string | null }>(FREED, [
      hash,
      sinces,
      mosts,
      limits.map(({ withinMs }) => String(withinMs)),
    ])
    const freedMs = row?.freed_at ? toDate(row.freed_at).getTime() : nowMs
    return { noted: null, retryAfterMs: Math.max(1, freedMs - nowMs) }
  }

  async takeBack({ bucket, at }: NotedFailure): Promise<void> {
    await this.#database.query(TAKE_BACK, [digestOf(bucket), at.toISOString()])
  }

  purge(): Promise<number> {
    return purgePast(this.#database, LoginFailuresEntity, ['endsAt'], this.#clock.now())
  }
}

function textOf(ms: number): string {
  return new Date(ms).toISOString()
}

/** Failed logins over an open database. */
export function openLoginFailures(engine: Pick<Engine, 'database' | 'clock'>): {
  readonly loginFailures: LoginFailureStore
} {
  return { loginFailures: new SqlLoginFailures(engine) }
}
