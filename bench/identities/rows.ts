import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { NumberId, TenantId } from '../../src/domain/ids.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import type { Cipher } from '../../src/ports/cipher.ts'
import { conversationIdOf } from '../../src/storage/conversations/conversation-id.ts'

/** A number of the bench, whose lease has token 1. */
export interface Owned {
  readonly id: NumberId
  readonly tenantId: TenantId
  readonly key: string
}

/** The digits of the `nth` person; of a country whose numbers have one form. */
export function personOf(nth: number): string {
  return String(4_915_100_000_000 + nth)
}

/** Upstream's id of the `nth` person. */
export function hiddenOf(nth: number): string {
  return `DE.${nth}`
}

/** Stores conversations with `length` messages each, of which every tenth is unread. */
export async function fillConversations(
  client: pg.Client,
  cipher: Cipher,
  { id, tenantId }: Owned,
  peers: readonly string[],
  length: number,
): Promise<void> {
  const ids = peers.map((peer) => conversationIdOf(cipher, id, peer))
  await client.query(
    `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, from_address, to_address,
      external_id, correlation_id, is_unread, created_at, sent_at)
    select 'msg_' || $3 || place || '.' || n, $1, $2, 'UNOFFICIAL', c.id, 'DIRECT', case when n % 2 = 1 then 'INBOUND' else 'OUTBOUND' end,
      case when n % 2 = 1 then 'RECEIVED' else 'SENT' end, 'text', $4, '4915100000001', '4915100000002', $3 || place || '.' || n, $3 || place || '.' || n,
      n % 10 = 1, now() - n * interval '1 second', now()
    from unnest($5::text[]) with ordinality as c (id, place) cross join generate_series(1, $6::integer) n`,
    [
      tenantId,
      id,
      randomBytes(4).toString('hex'),
      JSON.stringify({ ...NO_CONTENT, text: 'Your order 4711 is on its way.' }),
      ids,
      length,
    ],
  )
  await client.query(
    `insert into conversations (id, tenant_id, number_id, type, peer, unread_count, last_message_id, last_message_at, created_at)
    select c.id, $1, $2, 'DIRECT', c.peer, k.unread, k.last_id, k.last_at, k.first_at
    from unnest($3::text[], $4::text[]) as c (id, peer) cross join lateral (
      select count(*) filter (where is_unread) as unread, max(created_at) as last_at, min(created_at) as first_at, (array_agg(id order by created_at desc))[1] as last_id
      from messages where conversation_id = c.id) k`,
    [tenantId, id, ids, peers],
  )
}

/** Names many persons by digits and by an id, as `MessageInbox.name` does for those who never wrote: two rows each. */
export async function fillIdentities(client: pg.Client, cipher: Cipher, { id }: Owned, people: number): Promise<void> {
  const AT_ONCE = 20_000
  for (let first = 0; first < people; first += AT_ONCE) {
    const nths = Array.from({ length: Math.min(AT_ONCE, people - first) }, (_, place) => first + place)
    const led = nths.map((nth) => conversationIdOf(cipher, id, personOf(nth)))
    await client.query(
      `insert into conversation_aliases (id, number_id, conversation_id, created_at, address, since)
      select alias.id, $1, alias.led, now() - interval '1 day', alias.address, now() - interval '1 day'
      from unnest($2::text[], $3::text[], $4::text[]) as alias (id, led, address)`,
      [
        id,
        [...led, ...nths.map((nth) => conversationIdOf(cipher, id, hiddenOf(nth)))],
        [...led, ...led],
        [...nths.map(personOf), ...nths.map(hiddenOf)],
      ],
    )
  }
  await client.query('vacuum (analyze) conversation_aliases')
}
