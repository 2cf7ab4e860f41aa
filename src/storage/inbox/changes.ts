import type { MessageId, NumberId } from '../../domain/ids.ts'
import type { NumberState } from '../../domain/number.ts'
import { UNDER_WAY } from '../../ports/stores/inbox-store.ts'
import type { ChangeCursor, InboxChanges, LookedAt } from '../../ports/stores/inbox-store.ts'
import { keptStatement } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { isOf } from '../events/owner-sql.ts'
import { dataOf } from '../events/status-data.ts'
import { MOVE_EVENTS } from '../messages/moves.ts'

/**
 * Our choice: most rows of each kind that one look takes. A reader with more to take is faster reading everything anew.
 */
const MOST = 1_000

/**
 * Everything in one statement, so that rows and snapshot are of one moment. New messages are found by position, at the
 * end of the table; moves are found by the events that were stored with them. `$1` are the numbers, `$2` the position
 * and `$3` the transaction of the cursor (null for a first look), `$4` the most rows of a kind.
 */
const LOOK = keptStatement(`with moment as (
    select pg_snapshot_xmin(s)::text as oldest, pg_snapshot_xmax(s)::text as next, (select coalesce(max(position), 0) from messages)::text as position
    from (select pg_current_snapshot() as s) taken
  ), came as (
    select id, number_id, position::text as place from messages where position > coalesce($2::bigint, (select position from moment)::bigint - ${UNDER_WAY}) and number_id = any($1::text[]) order by position limit $4
  ), told as (
    select e.id, e.number_id, e.xid::text as place, e.data from unnest($1::text[]) as wanted (id) cross join lateral (
      select id, number_id, xid, data from events e
      where ${isOf('number', 'wanted.id')} and xid >= coalesce($3::xid8, pg_snapshot_xmin(pg_current_snapshot())) and event in (${MOVE_EVENTS.map((event) => `'${event}'`).join(', ')})
      order by xid, position limit $4) e limit $4
  )
  select 'moment' as kind, position as id, oldest as number_id, next as place, null as data from moment
  union all select 'message', id, number_id, place, null from came
  union all select 'move', id, number_id, place, data from told
  union all select 'state', id, id, state, null from channel_numbers where id = any($1::text[])`)

interface LookRow {
  readonly kind: 'moment' | 'message' | 'move' | 'state'
  readonly id: string
  readonly number_id: string
  readonly place: string
  readonly data: string | null
}

/** Reads what changed in the inbox from rows. */
export class SqlInboxChanges implements InboxChanges {
  readonly #database: Engine['database']

  constructor({ database }: Pick<Engine, 'database'>) {
    this.#database = database
  }

  async look(numberIds: readonly NumberId[], since: ChangeCursor | null): Promise<LookedAt> {
    const most = since === null ? UNDER_WAY : MOST
    const rows = await this.#database.queryKept<LookRow>(LOOK, [
      numberIds,
      since?.position ?? null,
      since?.transaction ?? null,
      most + 1,
    ])
    const { moment = [], message = [], move = [], state = [] } = Object.groupBy(rows, ({ kind }) => kind)
    const [taken] = moment
    if (!taken) throw new Error('a look has no snapshot')
    return {
      snapshot: { position: taken.id, oldest: taken.number_id, next: taken.place },
      messages: message
        .slice(0, most)
        .map((row) => ({ id: row.id as MessageId, numberId: row.number_id as NumberId, position: row.place })),
      moves: move.slice(0, most).flatMap(toMove),
      states: new Map(state.map((row) => [row.id as NumberId, row.place as NumberState])),
      isCut: message.length > most || move.length > most,
    }
  }
}

/** The move that an event tells of; none when privacy took the event's data away since. */
function toMove({ id, number_id: numberId, place, data }: LookRow): LookedAt['moves'][number][] {
  if (!data) return []
  const { internalMessageId } = dataOf(JSON.parse(data)) as { readonly internalMessageId?: MessageId }
  if (internalMessageId === undefined) return []
  return [{ eventId: id, transaction: place, numberId: numberId as NumberId, messageId: internalMessageId }]
}
