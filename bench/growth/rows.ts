import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { FILLS } from '../../migrations/0008-message-counts.ts'
import { KEEP_LONG } from '../../migrations/0009-long-conversations.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import type { NumberId, TenantId } from '../../src/domain/ids.ts'
import type { Cipher } from '../../src/ports/cipher.ts'
import { conversationIdOf } from '../../src/storage/conversations/conversation-id.ts'

/** Peers of a number. The first one has three of four messages; every tenth is a group. */
const PEERS = 5_000
const FIRST_PEER = 5_511_990_000_009
/** Days that the messages of a number are spread over. */
export const PAST_DAYS = 365

/** The address of the `at`-th peer. */
export function peerAddress(at: number): string {
  return at % 10 === 9 ? `1203630${FIRST_PEER + at}@g.us` : String(FIRST_PEER + at)
}

export interface PastNumber {
  readonly id: NumberId
  readonly tenantId: TenantId
  readonly key: string
  readonly messages: number
}

/** Stores the messages of a number: half of them came in, and one of ten of those is unread. */
export async function fillPast(
  client: pg.Client,
  cipher: Cipher,
  { id, tenantId, messages }: PastNumber,
): Promise<void> {
  if (messages === 0) return
  const peers = Array.from({ length: PEERS }, (_, at) => peerAddress(at))
  const ids = peers.map((peer) => conversationIdOf(cipher, id, peer))
  const types = peers.map((peer) => (peer.endsWith('@g.us') ? 'GROUP' : 'DIRECT'))
  // Half of the messages of each conversation came in, the other half went out.
  await client.query(
    `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, from_address, to_address,
      external_id, correlation_id, is_unread, created_at, sent_at)
    select 'msg_' || $4 || n, $1, $2, 'UNOFFICIAL', ($5::text[])[place], ($6::text[])[place], case when is_in then 'INBOUND' else 'OUTBOUND' end,
      case when is_in then 'RECEIVED' else 'SENT' end, 'text', $7, '5511999990001', '5511999990002', 'up.' || n, 'msg_' || $4 || n, is_in and n % 10 = 0, at, at
    from (select n, case when n % 4 <> 0 then 1 else 2 + (n / 4) % ($8::integer - 1) end as place, (n / 4 / $8::integer + n) % 2 = 0 as is_in,
        now() - ($3::bigint - n) * (interval '${PAST_DAYS} days' / $3::bigint) as at
      from generate_series(1::bigint, $3::bigint) n) spread`,
    [
      tenantId,
      id,
      messages,
      randomBytes(4).toString('hex'),
      ids,
      types,
      JSON.stringify({ ...NO_CONTENT, text: 'Your order 4711 is on its way.' }),
      PEERS,
    ],
  )
  await client.query(
    `insert into conversations (id, tenant_id, number_id, type, peer, unread_count, last_message_id, last_message_at, created_at)
    select c.id, $1, $2, c.type, c.peer, k.unread, k.last_id, k.last_at, k.first_at
    from unnest($3::text[], $4::text[], $5::text[]) as c (id, type, peer)
    join (select conversation_id, count(*) filter (where is_unread) as unread, max(created_at) as last_at, min(created_at) as first_at,
      (array_agg(id order by position desc))[1] as last_id from messages where number_id = $2 group by 1) k on k.conversation_id = c.id`,
    [tenantId, id, ids, types, peers],
  )
}

/** Counts all rows as the migrations do; resolves to the duration in ms. */
export async function fillCounts(client: pg.Client): Promise<number> {
  const startMs = performance.now()
  // One transaction, because the running gateway looks for long conversations too.
  await client.query('begin')
  await client.query('truncate number_counts, conversation_counts, counted_conversations')
  for (const statement of [...FILLS, ...KEEP_LONG]) await client.query(statement)
  await client.query('commit')
  const tookMs = performance.now() - startMs
  for (const table of ['messages', 'conversations', 'number_counts', 'conversation_counts', 'counted_conversations'])
    await client.query(`vacuum (analyze) ${table}`)
  return tookMs
}
