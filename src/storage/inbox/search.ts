import type { NumberId } from '../../domain/ids.ts'
import { SEARCHED, type ConversationQuery } from '../../ports/stores/inbox-store.ts'
import { digitsToFind } from '../../domain/phone-reading.ts'
import { isWithheld } from '../numbers/retention.ts'
import type { Parameters } from '../engine/statement.ts'

/** Conversations of some numbers, newest first, at most `limit`; each number is read along its index and no further than that. */
export function newestConversations(p: Parameters, numberIds: readonly NumberId[], { isUnreadOnly, before }: Pick<ConversationQuery, 'isUnreadOnly' | 'before'>, limit: number): string {
  const most = p.add(limit)
  const beyond = before && `and (last_message_at, last_message_id) < (${p.time(before.lastMessageAt)}, ${p.add(before.lastMessageId)})`
  const parts = numberIds.map((numberId) => `(select * from conversations
    where number_id = ${p.add(numberId)} ${isUnreadOnly ? 'and unread_count > 0' : ''} ${beyond ?? ''} order by last_message_at desc, last_message_id desc limit ${most})`)
  return `select * from (${parts.join(' union all ')}) newest order by last_message_at desc, last_message_id desc limit ${most}`
}

/** Those of the newest SEARCHED whose name or number has the text; what privacy withholds is not found. */
export function matchingConversations(p: Parameters, numberIds: readonly NumberId[], query: ConversationQuery, text: string, now: string): string {
  const part = p.add(text.toLowerCase())
  // `+49 151 23` is looked for as the digits that a number is kept as.
  const digits = digitsToFind(text)
  const isNumber = digits.length > 1 ? `or strpos(c.peer, ${p.add(digits)}) > 0` : ''
  return `select c.* from (${newestConversations(p, numberIds, query, SEARCHED)}) c join channel_numbers n on n.id = c.number_id
    where not ${isWithheld('c.last_message_at', now)} and (strpos(lower(c.peer_name), ${part}) > 0 or strpos(lower(c.peer), ${part}) > 0 ${isNumber})
    order by c.last_message_at desc, c.last_message_id desc limit ${p.add(query.limit + 1)}`
}

/** The text of a content, as JSON has it: it is the first of its fields. What users wrote is nothing the database can take apart as JSON. */
const TEXT = `substring(m.content from '^\\{"text":"((?:[^"\\\\]|\\\\.)*)"')`

/** Ids of those of the newest SEARCHED messages whose text has the part, newest first. */
export function newestMatches(p: Parameters, numberIds: readonly NumberId[], text: string, now: string, limit: number): string {
  const part = p.add(JSON.stringify(text.toLowerCase()).slice(1, -1))
  const parts = numberIds.flatMap((numberId) => {
    const number = p.add(numberId)
    return ['INBOUND', 'OUTBOUND'].map((direction) => `(select id, number_id, created_at, content from messages where number_id = ${number} and direction = '${direction}')`)
  })
  return `select m.id from (
      select * from (${parts.join(' union all ')}) every order by created_at desc, id desc limit ${SEARCHED}
    ) m join channel_numbers n on n.id = m.number_id
    where strpos(lower(m.content), ${part}) > 0 and strpos(lower(${TEXT}), ${part}) > 0 and not ${isWithheld('m.created_at', now)}
    order by m.created_at desc, m.id desc limit ${p.add(limit)}`
}
