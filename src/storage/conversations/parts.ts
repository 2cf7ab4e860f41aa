/**
 * SQL of the ids under which messages of a conversation lie, its own among them: those that were stored before two
 * conversations were joined keep the id of theirs. `id` is the SQL of a conversation's id.
 */
export function partsOf(id: string): string {
  return `select ${id} as id union select a.id from conversation_aliases a where a.conversation_id = ${id}`
}

/** SQL that is true of a row whose conversation is one of the parts of the conversation `id`. */
export function isOfParts(column: string, id: string): string {
  return `${column} = any(array(${partsOf(id)}))`
}

/**
 * Messages of one part, for a page along the index. The planner takes each conversation for one of average
 * length. Where that is less than a page it sees no gain in the order of the index, and may read and sort all of a long
 * conversation: 375 ms for a page of 110,000 instead of 0.4 (measured). It cannot tell how long the series is, expects
 * a thousand of each message, and so goes along the index, which ends with the page.
 */
const ALONG_CONVERSATION = 'messages cross join generate_series(1, (select 1)) as once'

/** Messages along the parts of a conversation. */
interface Walk {
  /** SQL of the parts, as `partsOf` makes it. */
  readonly parts: string
  /** Columns that are read, among them those of the order. */
  readonly columns: string
  /** Conditions on messages beside their conversation. */
  readonly conditions: readonly string[]
  readonly order: string
  /** SQL of how many messages of each part are enough. */
  readonly most: string
}

/** SQL of the first messages of each part of a conversation, in the order of the index; its reader sorts these few. */
export function alongParts({ parts, columns, conditions, order, most }: Walk): string {
  return `select m.* from (${parts}) part cross join lateral (
      select ${columns} from ${ALONG_CONVERSATION}
      where ${['conversation_id = part.id', ...conditions].join(' and ')} order by ${order} limit ${most}) m`
}
