import { dayOf } from '../engine/statement.ts'
import { tallyCte } from '../usage/tally.ts'

const NUMBER_KEY = 'number_id, direction, conversation_type, day'
export const CONVERSATION_KEY = 'number_id, conversation_id, direction, conversation_type, day'

/** True of long conversations; a short one is counted by its index (long-conversations.ts). */
const IS_LONG = '(number_id, conversation_id) in (select number_id, conversation_id from counted_conversations)'

/** SQL of the messages of the CTE `added` in the form that usage takes ([usage.objects.2]). */
const USED = `select tenant_id, day, number_id, 'messages.' || lower(direction) || '.' || type as metric, 1 as amount from added`

/**
 * SQL of CTEs that count new messages. `stored` is a query of `tenant_id, number_id, conversation_id, direction,
 * conversation_type, type, day, is_unread, is_first`, the last true for one message of each new conversation. Counts
 * come last in a statement and in one order everywhere, conversations before numbers before usage, each by its key. So
 * they are locked briefly, and nodes do not wait for each other in a circle.
 */
export function countCtes(stored: string): string {
  return `added as (
      ${stored}
    ), ${conversationCountsCte('select *, 1 as messages from added')},
    ${numberCountsCte('select *, 1 as messages, is_unread::integer as unread, is_first::integer as conversations from added')},
    ${tallyCte(USED)}`
}

/**
 * SQL of a CTE that adds to the counts of long conversations what `changes` lists: `number_id, conversation_id,
 * direction, conversation_type, day, messages`.
 */
function conversationCountsCte(changes: string): string {
  return `in_conversations as (
      insert into conversation_counts as c (${CONVERSATION_KEY}, messages)
      select ${CONVERSATION_KEY}, sum(messages) from (${changes}) changes where ${IS_LONG} group by ${CONVERSATION_KEY} order by ${CONVERSATION_KEY}
      on conflict (${CONVERSATION_KEY}) do update set messages = c.messages + excluded.messages
    )`
}

/**
 * SQL of a CTE that adds to the counts of numbers what `changes` lists: `number_id, direction, conversation_type, day,
 * messages, unread, conversations`.
 */
export function numberCountsCte(changes: string): string {
  return `counted_numbers as (
      insert into number_counts as c (${NUMBER_KEY}, messages, unread, conversations)
      select ${NUMBER_KEY}, sum(messages), sum(unread), sum(conversations) from (${changes}) changes group by ${NUMBER_KEY} order by ${NUMBER_KEY}
      on conflict (${NUMBER_KEY}) do update
        set messages = c.messages + excluded.messages, unread = c.unread + excluded.unread, conversations = c.conversations + excluded.conversations
    )`
}

/** SQL of CTEs that take the messages of the CTE `removed` (rows of `messages`) from the counts. */
export const UNCOUNT = `less as (
    select number_id, conversation_id, direction, conversation_type, ${dayOf('created_at')} as day, -count(*) as messages, -count(*) filter (where is_unread) as unread
    from removed group by 1, 2, 3, 4, 5
  ), ${conversationCountsCte('select * from less')}, ${numberCountsCte('select *, 0 as conversations from less')}`
