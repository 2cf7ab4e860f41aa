import type { ConversationId } from '../../domain/ids.ts'
import type { SqlSession } from '../engine/database.ts'
import type { PeerIds } from './conversation-id.ts'

/**
 * SQL of the conversation that `id` leads to. `id` is the SQL of an id that an address made; a column has the name of
 * its table, because aliases have a column `conversation_id` too.
 */
export function ledTo(id: string): string {
  return `coalesce((select a.conversation_id from conversation_aliases a where a.id = ${id}), ${id})`
}

/**
 * SQL of the best address of a person whose conversation begins: where `id`, made from `address`, leads elsewhere, it
 * is the one that names that conversation.
 */
export function bestAddress(address: string, id: string, conversation: string): string {
  return `coalesce((select a.address from conversation_aliases a where ${conversation} <> ${id} and a.id = ${conversation}), ${address})`
}

/**
 * SQL of the conversation of a person: that to which the id of the address leads, or else the one that exists under
 * another form of the digits ([identities.joining.3]). `others` is the SQL of the ids of those forms, null without any.
 * Whether a conversation exists is read by its id: for `not exists` the planner may read all conversations (measured).
 */
export function ledToBy(id: string, others: string): string {
  return `coalesce((select a.conversation_id from conversation_aliases a where a.id = ${id}),
      case when ${others} is not null and (select c.id from conversations c where c.id = ${id}) is null then (
        select coalesce(a.conversation_id, c.id) from unnest(${others}) with ordinality as o (id, nth)
        left join conversation_aliases a on a.id = o.id left join conversations c on c.id = o.id
        where a.id is not null or c.id is not null order by o.nth limit 1) end, ${id})`
}

const FIND_LED = `select ${ledToBy('$1', '$2::text[]')} as id`

/** Reads to which conversation a peer leads ([identities.looking-up.1]); it need not exist. */
export async function findLed(session: SqlSession, { id, others }: PeerIds): Promise<ConversationId> {
  const [led] = await session.query<{ id: ConversationId }>(FIND_LED, [id, others])
  return led?.id ?? id
}
