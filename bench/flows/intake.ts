import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { messagesPost, post, type Post } from '../posts.ts'
import { median, type Installation } from '../programs.ts'
import type { FlowNumber } from './number.ts'

const TURNS = 3
const CONNECTIONS = 32
const PEERS = 2_000
const FIRST_PEER = 5_511_990_000_009
const FIELDS = JSON.stringify({
  flow_token: 'unused',
  day: '2026-01-12',
  hour: '10:30',
  notes: 'the bell is broken, please knock',
})

let last = 0

function came({ official }: FlowNumber, said: (peerAt: number) => object): Post {
  const peerAt = ++last % PEERS
  const from = String(FIRST_PEER + peerAt * 10)
  return messagesPost(official, {
    contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
    messages: [{ from, id: `wamid.in${last}`, timestamp: String(Math.floor(Date.now() / 1_000)), ...said(peerAt) }],
  })
}

/** Both texts and answers refer to a message, as the answer to a Flow always does. */
const text = (number: FlowNumber) =>
  came(number, (peerAt) => ({
    type: 'text',
    context: { from: number.official.number, id: `wamid.flow${peerAt}` },
    text: { body: FIELDS },
  }))
const reply = (number: FlowNumber) =>
  came(number, (peerAt) => ({
    type: 'interactive',
    context: { from: number.official.number, id: `wamid.flow${peerAt}` },
    interactive: { type: 'nfm_reply', nfm_reply: { response_json: FIELDS, body: 'Sent', name: 'flow' } },
  }))

async function storedIn(client: pg.Client, { ref }: FlowNumber): Promise<number> {
  const {
    rows: [{ count }],
  } = await client.query(
    `select count(*)::integer as count from messages where number_id = $1 and direction = 'INBOUND'`,
    [ref.id],
  )
  return count
}

/** Messages per second from the first post to the last stored message. */
async function turn(
  client: pg.Client,
  number: FlowNumber,
  next: (number: FlowNumber) => Post,
  count: number,
): Promise<number> {
  const posts = Array.from({ length: count }, () => next(number))
  const before = await storedIn(client, number)
  const startMs = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let one = posts.pop(); one; one = posts.pop()) await post(number.official.webhookUrl, one.body, one.headers)
    }),
  )
  while ((await storedIn(client, number)) < before + count) await pause(10)
  return (count / (performance.now() - startMs)) * 1_000
}

/** Stores a sent message with the Flow in each conversation. */
async function sendFlows(client: pg.Client, { ref, flowId }: FlowNumber): Promise<void> {
  await client.query(
    `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, from_address, to_address,
      external_id, correlation_id, is_unread, created_at, sent_at, flow_id, flow_token)
    select 'msg_flow' || peer, tenant_id, number_id, 'OFFICIAL', id, 'DIRECT', 'OUTBOUND', 'SENT', 'flow', '5511999990001', peer,
      'wamid.flow' || (peer::bigint - ${FIRST_PEER}) / 10, 'msg_flow' || peer, false, now(), now(), $2, 'ft_' || peer
    from conversations where number_id = $1`,
    [ref.id, flowId],
  )
  await client.query('vacuum (analyze) messages')
}

/** Compares storing answers to Flows with storing plain texts, in turns. */
export async function compareIntake({ databaseUrl }: Installation, number: FlowNumber, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '' })
  await client.connect()
  try {
    await turn(client, number, text, Math.max(count, PEERS))
    await sendFlows(client, number)
    await turn(client, number, reply, count)
    const rates: { texts: number[]; replies: number[] } = { texts: [], replies: [] }
    for (let i = 0; i < TURNS; i++) {
      rates.texts.push(await turn(client, number, text, count))
      rates.replies.push(await turn(client, number, reply, count))
    }
    const {
      rows: [{ joined }],
    } = await client.query(
      'select count(*)::integer as joined from flow_responses where number_id = $1 and flow_id = $2 and message_id is not null',
      [number.ref.id, number.flowId],
    )
    if (joined !== count * (TURNS + 1)) throw new Error(`${joined} answers were joined`)
    console.log(
      `answers to Flows taken and stored: ${median(rates.replies).toFixed(0)}/s; plain texts ${median(rates.texts).toFixed(0)}/s: ${(median(rates.replies) / median(rates.texts)).toFixed(2)} (target 0.85)`,
    )
  } finally {
    await client.end()
  }
}
