import { messageKey } from '../../domain/message-key.ts'

/*
 * Upstream names a message by several ids that hold one key ([identities.looking-up.3]). `external_id` of a message is
 * the key, so one unique index finds it by each of them and stores it once. `external_form` is the id as it came, null
 * when that is the key itself, as on the device network. Messages stored by earlier versions have the id as it came in
 * `external_id` until `KeyFill` has passed, so every look-up compares with both.
 */

/** The columns of an upstream id, null when there is none. */
export function idFields(id: string | null) {
  const key = id === null ? null : messageKey(id)
  return { external_id: key, external_form: key === id ? null : id }
}

/** The columns of an item that `idFields` gives, for `json_to_recordset`. */
export const ID_COLUMNS = 'external_id text, external_form text'

/** The columns of the id of a quoted message: the id as it came, and its key when that is another text. */
export function quotedFields(id: string | null) {
  const key = id === null ? null : messageKey(id)
  return { quoted_id: id, quoted_key: key === id ? null : key }
}

/** The texts that `external_id` of the messages with these ids may have. */
export function idsOf(ids: readonly string[]): string[] {
  return [...new Set(ids.flatMap((id) => [messageKey(id), id]))]
}

/** SQL that is true when row `row` of `message_changes` has the upstream id of `item`, see `idFields`. */
export function isCalled(row: string, item: string): string {
  return `${row}.external_id = any(array[${item}.external_id, ${item}.external_form])`
}

/**
 * SQL of the messages `q` of the number of `item` that have its upstream id, see `idFields`, and of which `isIt` is
 * true. Each text is looked for by itself, because of two the planner may look for neither in the index, and read all
 * messages of the number (measured).
 */
export function messagesCalled(columns: string, item: string, isIt = 'true'): string {
  return messagesBy([`${item}.external_id`, `${item}.external_form`], columns, item, isIt)
}

/** SQL of the messages `q` that `item` quotes, see `quotedFields`; as `messagesCalled`. */
export function messagesQuoted(columns: string, item: string): string {
  return messagesBy([`${item}.quoted_key`, `${item}.quoted_id`], columns, item, 'true')
}

function messagesBy(texts: readonly string[], columns: string, item: string, isIt: string): string {
  return texts
    .map(
      (text) =>
        `select ${columns} from messages q where q.number_id = ${item}.number_id and q.external_id = ${text} and ${isIt}`,
    )
    .join(' union all ')
}

/** SQL that is true when message `row` is the one that `item` quotes; see `quotedFields`. */
export function isQuoted(row: string, item: string): string {
  return `${row}.external_id = any(array[${item}.quoted_key, ${item}.quoted_id])`
}

/** SQL of the upstream id of message `row` as upstream named it. */
export function shownId(row: string): string {
  return `coalesce(${row}.external_form, ${row}.external_id)`
}

/** SQL assignments that give message `m` the upstream id of `item`, if it has none and no other message has it. */
export function namedBy(item: string): string {
  const isNamed = `${item}.is_free and m.external_id is null`
  return `external_id = case when ${isNamed} then ${item}.external_id else m.external_id end, external_form = case when ${isNamed} then ${item}.external_form else m.external_form end`
}
