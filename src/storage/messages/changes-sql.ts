import type { MessageType } from '../../domain/message.ts'
import { fencedColumns, ownedCtes } from '../engine/fenced-batch.ts'
import { isRow } from './moves.ts'

/** The messages that `$1` names by number and upstream id, where they are, and what waits for them. */
export const FIND_CHANGEABLE = `select g.place, m.id, m.type, m.content, m.edited_at, m.revoked_at,
    w.type as waiting_type, w.content as waiting_content, w.edited_at as waiting_edited_at, w.revoked_at as waiting_revoked_at
  from json_to_recordset($1::json) as g (place integer, number_id text, external_id text)
  left join messages m on m.number_id = g.number_id and m.external_id = g.external_id
  left join message_changes w on w.number_id = g.number_id and w.external_id = g.external_id`

export interface ChangeableRow {
  readonly place: number
  /** Null: no such message yet. */
  readonly id: string | null
  readonly type: MessageType | null
  readonly content: string | null
  readonly edited_at: string | null
  readonly revoked_at: string | null
  readonly waiting_type: MessageType | null
  readonly waiting_content: string | null
  readonly waiting_edited_at: string | null
  readonly waiting_revoked_at: string | null
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
