/**
 * Measures what identities cost: joins of two conversations by their length, and how long sends, arrivals and lists
 * take on a number before and after it has a million identities. Needs PostgreSQL (bench/programs.ts).
 *
 *   node bench/identities/bench.ts [share of those sizes, 1]
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { newId } from '../../src/domain/ids.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import type { Fence } from '../../src/ports/leases.ts'
import { systemClock } from '../../src/process/clock.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { openMessages, type MessageStores } from '../../src/storage/messages/messages.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { at, install, median, postJson, type Installation } from '../programs.ts'
import { fillCounts } from '../growth/rows.ts'
import { loudLog } from '../webhooks/world.ts'
import { fillConversations, fillIdentities, hiddenOf, personOf, type Owned } from './rows.ts'

const SHARE = Number(process.argv[2] ?? 1)
const LENGTHS = [1, 10_000, 100_000]
const JOINS = 7
const JOIN_TARGET_MS = 50
const PEOPLE = Math.round(500_000 * SHARE)
const LOOKS = 400

const encryptionKey = randomBytes(32)
const cipher = new AesCipher(encryptionKey)

async function createNumber({ gateway, tenantKey }: Installation, client: pg.Client, nth: number): Promise<Owned> {
  const { id, apiKey } = await postJson(
    `http://127.0.0.1:${gateway.port}/v1/numbers`,
    { name: 'Bench', number: String(5_511_980_000_000 + nth) },
    { 'x-api-key': tenantKey },
  )
  const { rows } = await client.query('select tenant_id from channel_numbers where id = $1', [id])
  await client.query(
    `insert into number_leases (number_id, node_id, token, expires_at) values ($1, 'bench', 1, now() + interval '1 day')
    on conflict (number_id) do update set node_id = excluded.node_id, token = excluded.token, expires_at = excluded.expires_at`,
    [id],
  )
  return { id, tenantId: rows[0].tenant_id, key: apiKey.key }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await run()
  return performance.now() - startMs
}

/** Joins conversations of some length, each pair once. */
async function measureJoins(client: pg.Client, { inbox }: MessageStores, owned: Owned): Promise<void> {
  const fence: Fence = { numberId: owned.id, token: 1 }
  for (const [nth, length] of LENGTHS.map((one) => Math.max(1, Math.round(one * SHARE))).entries()) {
    const pairs = Array.from({ length: JOINS }, (_, place) => nth * JOINS + place)
    for (const place of pairs)
      await fillConversations(client, cipher, owned, [hiddenOf(place), personOf(place)], length)
    await fillCounts(client)
    const times: number[] = []
    for (const place of pairs)
      times.push(await timed(() => inbox.name(fence, { addresses: [personOf(place), hiddenOf(place)] })))
    const sorted = times.toSorted((a, b) => a - b)
    console.log(
      `join of two conversations of ${length.toLocaleString('en')} messages: p50 ${at(sorted, 0.5).toFixed(1)} ms, most ${(sorted.at(-1) ?? 0).toFixed(1)} ms (target ${JOIN_TARGET_MS})`,
    )
  }
}

/** The median times, in ms, of one send, one arrival and two lists, each with another person. */
async function look(installation: Installation, stores: MessageStores, owned: Owned): Promise<number[]> {
  const fence: Fence = { numberId: owned.id, token: 1 }
  const people = Array.from({ length: LOOKS }, () => personOf(1_000 + Math.floor(Math.random() * 1_000)))
  const times: number[][] = [[], [], [], []]
  for (const person of people) {
    const made = { at: new Date(), id: newId('msg') }
    times[0]?.push(await timed(() => stores.messages.accept(sendTo(owned, person, made), null)))
    times[1]?.push(await timed(() => stores.inbox.receive(fence, arrivalFrom(person))))
    for (const [nth, list] of [`messages/history?peer=${person}`, 'conversations'].entries())
      times[2 + nth]?.push(
        await timed(() =>
          fetch(`http://127.0.0.1:${installation.gateway.port}/v1/${list}`, {
            headers: { 'x-api-key': owned.key },
          }).then((response) => response.text()),
        ),
      )
  }
  return times.map(median)
}

function sendTo(
  owned: Owned,
  address: string,
  { id, at: createdAt }: { id: ReturnType<typeof newId<'msg'>>; at: Date },
) {
  return {
    id,
    tenantId: owned.tenantId,
    numberId: owned.id,
    provider: 'UNOFFICIAL',
    to: { type: 'DIRECT', address },
    type: 'text',
    content: { ...NO_CONTENT, text: 'hello' },
    outgoing: { mode: 'text', text: 'hello', buttons: [], header: null, footer: null },
    quotedMessageId: null,
    correlationId: id,
    template: null,
    templateId: null,
    seenTemplate: null,
    flow: null,
    deliverAt: new Date(createdAt.getTime() + 86_400_000),
    deliverUntil: null,
    createdAt,
  } as const
}

function arrivalFrom(peer: string) {
  return {
    id: newId('msg'),
    externalMessageId: `in.${randomBytes(8).toString('hex')}`,
    peer,
    conversationType: 'DIRECT',
    peerName: 'Ann',
    isFromMe: false,
    from: peer,
    fromName: 'Ann',
    to: '5511980000000',
    type: 'text',
    content: { ...NO_CONTENT, text: 'hi' },
    quotedMessageId: null,
    flowReply: null,
    referral: null,
    happenedAt: new Date(),
    isUnread: true,
    events: [],
    replyEvent: null,
  } as const
}

async function measureGrowth(installation: Installation, client: pg.Client, stores: MessageStores, owned: Owned) {
  const names = ['send', 'arrival', 'history by peer', 'conversations']
  for (let nth = 1_000; nth < 2_000; nth += 100)
    await fillConversations(
      client,
      cipher,
      owned,
      Array.from({ length: 100 }, (_, place) => personOf(nth + place)),
      5,
    )
  await fillCounts(client)
  await look(installation, stores, owned)
  const before = await look(installation, stores, owned)
  await fillIdentities(client, cipher, owned, PEOPLE)
  const after = await look(installation, stores, owned)
  for (const [nth, name] of names.entries())
    console.log(
      `${name}: p50 ${before[nth]?.toFixed(2)} ms without, ${after[nth]?.toFixed(2)} ms with ${(2 * PEOPLE).toLocaleString('en')} identities`,
    )
}

const installation = await install('postgres', { LOG_LEVEL: 'warn', ENCRYPTION_KEY: encryptionKey.toString('base64') })
const client = new pg.Client({ connectionString: installation.databaseUrl ?? '' })
const database = await openDatabase({ ...installation, log: loudLog, clock: systemClock })
try {
  await client.connect()
  const stores = openMessages({
    database,
    cipher,
    clock: systemClock,
    limits: { requestsPerMinute: 1e7, sendsPerMinute: 1e7 },
    onEvents() {},
    onMoved: { call() {}, number() {}, conversation() {} },
    onAds() {},
    onChanged() {},
  })
  await measureJoins(client, stores, await createNumber(installation, client, 1))
  await measureGrowth(installation, client, stores, await createNumber(installation, client, 2))
} finally {
  await database.close()
  await client.end()
  await installation.close()
}
