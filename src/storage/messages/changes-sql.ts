import type { WaitingChange } from '../../domain/message-change.ts'
import { fencedColumns, ownedCtes } from '../engine/fenced-batch.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { MessageChangeEntity } from './change-entity.ts'
import { MessageEntity } from './entity.ts'
import { isRow } from './moves.ts'

const CHANGEABLE = rowsOf(MessageEntity).only('id', 'type', 'content', 'editedAt', 'revokedAt')
const WAITING = rowsOf(MessageChangeEntity).only('type', 'content', 'editedAt', 'revokedAt')
type WaitingRow = RowIn<typeof WAITING>

/** The messages that `$1` names by number and upstream id, where they are, and what waits for them. */
export const FIND_CHANGEABLE = `select g.place, ${CHANGEABLE.list('m')},
    w.type as waiting_type, w.content as waiting_content, w.edited_at as waiting_edited_at, w.revoked_at as waiting_revoked_at
  from json_to_recordset($1::json) as g (place integer, number_id text, external_id text)
  left join messages m on m.number_id = g.number_id and m.external_id = g.external_id
  left join message_changes w on w.number_id = g.number_id and w.external_id = g.external_id`

/** `id` null: no such message yet. */
export type ChangeableRow = { readonly place: number } & (RowIn<typeof CHANGEABLE> | { readonly id: null }) & { readonly [Column in keyof WaitingRow as `waiting_${Column}`]: WaitingRow[Column] }

/** The message, where it is. */
export function toChangeable(row: ChangeableRow): ReturnType<typeof CHANGEABLE.read> | null {
  return row.id === null ? null : CHANGEABLE.read(row)
}

/** What waits for it, if anything does. */
export function toWaiting(row: ChangeableRow): WaitingChange | null {
  const { type, content, editedAt, revokedAt } = WAITING.read({ type: row.waiting_type, content: row.waiting_content, edited_at: row.waiting_edited_at, revoked_at: row.waiting_revoked_at })
  if (editedAt === null && revokedAt === null) return null
  return { edited: type && content ? { messageType: type, content } : null, editedAt, revokedAt }
}

/**
 * Stores what messages say now, or what waits for them. What privacy wiped meanwhile stays wiped, RELAY_ONLY keeps of a change that it was
 * there, and the file of a message that was taken back expires. `$2` is the present.
 */
export function changeSql(isAlone: boolean): string {
  const columns = 'external_id text, message_id text, file_id text, type text, content text, edited_at timestamptz, revoked_at timestamptz'
  return `with ${ownedCtes(columns, isAlone)}, wanted as (
      select o.*, n.pii_mode <> 'RELAY_ONLY' as is_kept from owned o join channel_numbers n on n.id = o.number_id
    ), changed as (
      update messages m set type = w.type, content = case when w.is_kept and m.content is not null then w.content end, edited_at = w.edited_at, revoked_at = w.revoked_at
      from wanted w where ${isRow('m', 'w.message_id', 'w.number_id')}
    ), expired as (
      update message_files f set expires_at = $2::timestamptz from wanted w where f.id = w.file_id and f.number_id = w.number_id and f.expires_at > $2::timestamptz
    ), applied as (
      delete from message_changes c using wanted w where c.number_id = w.number_id and c.external_id = w.external_id and w.message_id is not null
    ), waiting as (
      insert into message_changes as c (number_id, external_id, type, content, edited_at, revoked_at, created_at)
      select number_id, external_id, type, case when is_kept then content end, edited_at, revoked_at, $2::timestamptz
      from wanted where message_id is null and (edited_at is not null or revoked_at is not null) order by number_id, external_id
      on conflict (number_id, external_id) do update
        set type = excluded.type, content = excluded.content, edited_at = excluded.edited_at, revoked_at = excluded.revoked_at, created_at = excluded.created_at
    )
    select ${fencedColumns('owned')} from given`
}

/** SQL that is true where a change waits for the message of row `row`, which has `number_id` and `external_id`. */
export function isAwaited(row: string): string {
  return `exists (select 1 from message_changes w where w.number_id = ${row}.number_id and w.external_id = ${row}.external_id)`
}
