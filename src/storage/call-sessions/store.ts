import type { CallId } from '../../domain/ids.ts'
import type { RealtimeSessionState } from '../../domain/realtime-session.ts'
import type { CallSessionStore } from '../../ports/stores/call-session-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { Gathered } from '../engine/gathered.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { CallSessionEntity } from './entity.ts'

const SESSIONS = rowsOf(CallSessionEntity).without('numberId', 'callId')

/** A host tells of its session in order, and tells it again to the next owner of the number: the end stays. */
const SAVE = `insert into call_sessions as s (id, number_id, call_id, direction, mode, dialect, status, opened_at, closed_at, close_code, error)
  select $2, c.number_id, c.id, $3, $4, $5, $6, $7::timestamptz, $8::timestamptz, $9::integer, $10 from calls c where c.id = $1
  on conflict (id) do update set mode = excluded.mode, status = excluded.status, opened_at = excluded.opened_at, closed_at = excluded.closed_at, close_code = excluded.close_code, error = excluded.error
  where s.closed_at is null and s.call_id = excluded.call_id`

/** Our choice: most calls whose sessions one statement reads. */
const READ_TOGETHER = 100
/** The newest sessions of each call, at most `$2` of one. */
const LIST = keptStatement(`select wanted.place::integer as place, newest.*
  from unnest($1::text[]) with ordinality as wanted (call_id, place)
  cross join lateral (select ${SESSIONS.list('s')} from call_sessions s where s.call_id = wanted.call_id order by s.id desc limit $2::integer) newest
  order by wanted.place, newest.id desc`)

interface Wanted {
  readonly callId: CallId
  readonly limit: number
}

type ListedRow = RowIn<typeof SESSIONS> & { readonly place: number }

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

class SqlCallSessionStore implements CallSessionStore {
  readonly #database: Engine['database']
  /** Calls are read together with their sessions, by the thousand: a statement for each would be half of the cost. */
  readonly #lists: Gathered<Wanted, readonly RealtimeSessionState[]>

  constructor({ database }: Pick<Engine, 'database'>) {
    this.#database = database
    this.#lists = new Gathered({
      run: (wanted) => this.#read(wanted),
      weightOf: () => 1,
      maxWeight: READ_TOGETHER,
    })
  }

  async save(callId: CallId, session: RealtimeSessionState): Promise<void> {
    const { id, direction, mode, dialect, status, openedAtMs, closedAtMs, closeCode, error } = session
    const times = [toIso(openedAtMs), toIso(closedAtMs)]
    await this.#database.query(SAVE, [callId, id, direction, mode, dialect, status, ...times, closeCode, error])
  }

  list(callId: CallId, limit: number): Promise<readonly RealtimeSessionState[]> {
    return this.#lists.add({ callId, limit })
  }

  async #read(wanted: readonly Wanted[]): Promise<readonly (readonly RealtimeSessionState[])[]> {
    const rows = await this.#database.queryKept<ListedRow>(LIST, [
      wanted.map(({ callId }) => callId),
      Math.max(...wanted.map(({ limit }) => limit)),
    ])
    const found: RealtimeSessionState[][] = wanted.map(() => [])
    for (const row of rows) found[row.place - 1]?.push(toState(row))
    return found.map((sessions, at) => sessions.slice(0, wanted[at]?.limit))
  }
}

function toState(row: RowIn<typeof SESSIONS>): RealtimeSessionState {
  const { openedAt, closedAt, ...session } = SESSIONS.read(row)
  return { ...session, openedAtMs: openedAt?.getTime() ?? null, closedAtMs: closedAt?.getTime() ?? null }
}

/** Realtime sessions over an open database. */
export function openCallSessions(engine: Pick<Engine, 'database'>): { readonly callSessions: CallSessionStore } {
  return { callSessions: new SqlCallSessionStore(engine) }
}
