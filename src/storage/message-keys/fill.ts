import { messageKey } from '../../domain/message-key.ts'
import type { NumberId } from '../../domain/ids.ts'
import { writeMessages } from '../engine/deadlock.ts'
import type { Engine } from '../engine/engine.ts'
import { toRecordset } from '../engine/rows.ts'

/** Our choice: rows that one turn looks at, which takes some tens of milliseconds. */
const BATCH = 500

/** A turn: how many messages were filled, and the position down to which all are. */
export interface KeyFillTurn {
  readonly filled: number
  readonly position: number
}

/** The fill goes on below `position`, at first above all messages. No row: nothing is to be filled, or not yet. */
const PROGRESS = `select coalesce(position, (select coalesce(max(position), 0) + 1 from messages))::text as position from message_key_fill where begins_at <= $1::timestamptz`

/** Ordered by `m.position`: the plain name would be that of the text, and 999 is above 1000 as a text. */
const AHEAD = `select position::text, number_id, case when external_form is null then external_id end as external_id, case when quoted_key is null then quoted_id end as quoted_id
  from messages m where m.position < $1::bigint order by m.position desc limit ${BATCH}`

/** A row; its ids are null where it has none, or their key already. */
interface AheadRow {
  readonly position: string
  readonly number_id: NumberId
  readonly external_id: string | null
  readonly quoted_id: string | null
}

/**
 * Fills the rows `$1`, and notes how far that is. A message whose key another one has stays as it is: upstream's two
 * ids of it were stored as two messages, and each is found by its own.
 */
const FILL = `with given as (
    select * from json_to_recordset($1::json) as g (position bigint, external_id text, key text, quoted_key text)
  ), locked as (
    select m.position, m.number_id, m.external_id, g.key, g.quoted_key from messages m join given g on g.position = m.position
    where g.key is null or m.external_id = g.external_id order by m.id for update of m
  ), wanted as (
    select l.*, l.key is not null and not exists (select 1 from messages x where x.number_id = l.number_id and x.external_id = l.key) as is_free from locked l
  ), filled as (
    update messages m set external_id = case when w.is_free then w.key else m.external_id end,
      external_form = case when w.is_free then w.external_id else m.external_form end, quoted_key = coalesce(m.quoted_key, w.quoted_key)
    from wanted w where m.position = w.position and (w.is_free or w.quoted_key is not null) returning 1
  ), noted as (
    update message_key_fill set position = $2::bigint
  )
  select count(*)::integer as filled from filled`

const END = 'delete from message_key_fill'
const NOTE = 'update message_key_fill set position = $1::bigint'

/**
 * Gives messages that earlier versions stored the key of their id, from the newest down: a message is younger than what
 * it quotes, and its quote finds messages with and without a key. Each turn is one batch and notes how far it came, so
 * the fill goes on after a restart. Nodes that take the same batch do the same to it.
 */
export class KeyFill {
  readonly #engine: Pick<Engine, 'database' | 'clock'>
  #isDone = false

  constructor(engine: Pick<Engine, 'database' | 'clock'>) {
    this.#engine = engine
  }

  /** One turn; null when nothing is to be filled now. Position 0 is the end. */
  async fill(): Promise<KeyFillTurn | null> {
    if (this.#isDone) return null
    const { chores } = this.#engine.database
    const [progress] = await chores.query<{ position: string }>(PROGRESS, [
      new Date(this.#engine.clock.now()).toISOString(),
    ])
    if (!progress) {
      this.#isDone = !(await this.#isPlanned())
      return null
    }
    const rows = await chores.query<AheadRow>(AHEAD, [progress.position])
    const last = rows.at(-1)
    if (!last) {
      await chores.query(END)
      return { filled: 0, position: 0 }
    }
    const given = fillsOf(rows)
    if (given.length === 0) {
      await chores.query(NOTE, [last.position])
      return { filled: 0, position: Number(last.position) }
    }
    const [done] = await writeMessages(() =>
      chores.query<{ filled: number }>(FILL, [toRecordset(given), last.position]),
    )
    return { filled: done?.filled ?? 0, position: Number(last.position) }
  }

  async #isPlanned(): Promise<boolean> {
    return (await this.#engine.database.chores.query('select 1 from message_key_fill')).length > 0
  }
}

/** What is to be filled of a batch. Of two rows of a number with one key only the newer one gets it. */
function fillsOf(rows: readonly AheadRow[]) {
  const taken = new Set<string>()
  return rows.flatMap(({ position, number_id, external_id, quoted_id }) => {
    const name = keyBeside(external_id)
    const key = name === null || taken.has(`${number_id} ${name}`) ? null : name
    if (key !== null) taken.add(`${number_id} ${key}`)
    const quotedKey = keyBeside(quoted_id)
    return key === null && quotedKey === null ? [] : [{ position, external_id, key, quoted_key: quotedKey }]
  })
}

/** The key of an id, or null when the id is its own key. */
function keyBeside(id: string | null): string | null {
  const key = id === null ? null : messageKey(id)
  return key === id ? null : key
}
