import type { ExecutionContext } from 'ava'
import { setTimeout as pause } from 'node:timers/promises'
import type { Conversation } from './message-storm.ts'
import { connectOfficial } from './official-service.ts'
import { storedEvents, type StoredEnvelope } from './receiver-ledger.ts'
import type { Service } from './service.ts'
import { until } from './until.ts'

/**
 * Environment of a gateway with a failing upstream: messages to a peer follow each other soon, and a doubt ends within
 * half a minute.
 */
export const DOUBTFUL = {
  SENDS_PER_MINUTE: '1000000',
  UNOFFICIAL_RECIPIENT_SECONDS: '0.05',
  OFFICIAL_RECONCILE_SECONDS: '30',
}
/** How many messages may be accepted while a gateway is down. */
const WHILE_AWAY = 60
const ENDLESS = 1_000_000
const RANK = ['message.sent', 'message.delivered', 'message.read']

/** One request in five fails, in every way; of two faults that match, the first one applies. */
const FAULTS = [
  { match: { op: 'message.send' }, error: { code: 'FAILED', retryable: true }, rate: 0.06 },
  { match: { op: 'message.send' }, drop: true, rate: 0.05 },
  { match: { op: 'message.send' }, drop: 'after', rate: 0.06 },
  { match: { op: 'message.send' }, after: true, delayMs: 11_000, rate: 0.003 },
  { match: { method: 'POST', path: '/official/v24.0/' }, error: '2', rate: 0.05 },
  { match: { method: 'POST', path: '/official/v24.0/' }, error: '130429', rate: 0.03 },
  { match: { method: 'POST', path: '/official/v24.0/' }, drop: true, rate: 0.05 },
  { match: { method: 'POST', path: '/official/v24.0/' }, drop: 'after', rate: 0.06 },
  { match: { method: 'POST', path: '/official/v24.0/' }, after: true, delayMs: 11_000, rate: 0.003 },
] as const

/** A source of messages that makes them as far as it is allowed. */
interface Storm {
  readonly total: number
  allow(count: number): void
  untilAccepted(count: number): Promise<void>
  run(): Promise<void>
}

interface InboxItem {
  readonly from: string
  readonly text: string
}

async function expect201(asked: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await asked
  if (status >= 300) throw new Error(`refused: ${status} ${text}`)
}

/** Makes the upstream fail one request in five from now on. */
export async function failUpstream(service: Service): Promise<void> {
  // The sandbox posts callbacks in parallel; one after another they would fall behind more than any wait allows.
  await expect201(service.control('POST', '/official/webhooks', { parallel: true }))
  for (const fault of FAULTS) await expect201(service.control('POST', '/faults', { ...fault, times: ENDLESS }))
}

/** Conversations of numbers of both kinds in turn, each with this many peers. */
export async function conversationsOf(
  service: Service,
  numbersOfAKind: number,
  peers: number,
): Promise<Conversation[]> {
  const conversations: Conversation[] = []
  for (let at = 0; at < numbersOfAKind * 2; at++) {
    const kind = at % 2 === 0 ? 'OFFICIAL' : 'UNOFFICIAL'
    const number = kind === 'OFFICIAL' ? await connectOfficial(service) : await service.pairNumber()
    for (let peerAt = 0; peerAt < peers; peerAt++) {
      // Peers whose digits end in 0001 send the statuses sent, delivered and read.
      const peer = `55119${String(at * peers + peerAt).padStart(4, '0')}0001`
      // Free text needs the window of 24 hours, which the user's message opens.
      if (kind === 'OFFICIAL')
        await expect201(
          service.control('POST', `/peers/${peer}/messages`, { to: number.digits, type: 'text', text: 'hello' }),
        )
      conversations.push({ number, kind, peer, texts: [], ids: [] })
    }
  }
  return conversations
}

/**
 * Sends all messages. The seed decides at which points of the storm, and after which pauses, a program is killed and
 * restarted.
 */
export async function sendThroughKills({
  storm,
  kills,
  random,
  kill,
}: {
  readonly storm: Storm
  readonly kills: number
  readonly random: () => number
  readonly kill: () => Promise<unknown>
}): Promise<void> {
  const share = storm.total / (kills + 1)
  const points = Array.from({ length: kills }, (_, at) => Math.round(share * (at + 0.5 + random())))
  const sending = storm.run()
  // When a sender fails, the test ends where it is awaited; the waits below then give up.
  sending.catch(() => {})
  for (const point of points) {
    storm.allow(point + WHILE_AWAY)
    await storm.untilAccepted(point)
    await pause(random() * 300)
    await kill()
  }
  storm.allow(storm.total)
  await sending
}

/** All events, once every message is read or failed. */
export async function untilEnded(service: Service, conversations: readonly Conversation[]): Promise<StoredEnvelope[]> {
  const open = new Map(
    conversations.flatMap((conversation) => conversation.ids.map((id) => [id, conversation] as const)),
  )
  const stored: StoredEnvelope[] = []
  const take = async (): Promise<boolean> => {
    const before = open.size
    const fresh = await storedEvents(service, service.tenantKey, stored.at(-1)?.id)
    stored.push(...fresh)
    for (const { event, data } of fresh)
      if (event === 'message.read' || event === 'message.failed') open.delete(data.internalMessageId)
    return open.size === 0 || open.size < before
  }
  const takeAll = async (): Promise<void> => {
    while (open.size > 0) await until('another message has ended', take)
  }
  await takeAll().catch(async (error: unknown) => {
    const shown = [...open].slice(0, 5).map(async ([id, { number, kind, peer }]) => {
      const { body } = await service.api('GET', `/v1/messages/${id}`, number.key)
      return `${kind} to ${peer}: ${JSON.stringify(body)}`
    })
    throw new Error(`${String(error)}; ${open.size} have not:\n${(await Promise.all(shown)).join('\n')}`)
  })
  return stored.filter(({ event }) => event.startsWith('message.'))
}

export async function assertReached(
  t: ExecutionContext,
  service: Service,
  conversations: readonly Conversation[],
): Promise<void> {
  const faults: string[] = []
  let twice = 0
  for (const { number, kind, peer, texts } of conversations) {
    const { body } = await service.control('GET', `/peers/${peer}/inbox`)
    const arrived = (body.messages as InboxItem[]).filter(({ from }) => from === number.digits).map(({ text }) => text)
    const first = [...new Set(arrived)]
    if (JSON.stringify(first) !== JSON.stringify(texts))
      faults.push(`${kind} ${number.digits} to ${peer}: ${describe(first, texts)}`)
    if (arrived.length > first.length && kind === 'UNOFFICIAL')
      faults.push(`${number.digits} to ${peer}: ${arrived.length - first.length} arrived twice`)
    if (kind === 'OFFICIAL') twice += arrived.length - first.length
  }
  t.log(
    `OFFICIAL messages that arrived twice, because their answer was lost and no status named them in time: ${twice}`,
  )
  t.deepEqual(faults.slice(0, 10), [], `${faults.length} conversations are not as they were accepted`)
}

/** Describes the difference between the arrived and the accepted messages. */
export function describe(arrived: readonly string[], accepted: readonly string[]): string {
  const missing = accepted.filter((text) => !arrived.includes(text))
  if (missing.length > 0) return `missing ${missing.join(', ')}`
  const at = arrived.findIndex((text, index) => text !== accepted[index])
  return `out of order at ${at}: ${arrived[at]} instead of ${accepted[at]}`
}

/**
 * Faults of what was told of sends. Each message must be told once as sent, delivered and read, in this order when all
 * three are told, and never as failed; no event may be of an unknown message.
 */
export function eventFaults(events: readonly StoredEnvelope[], conversations: readonly Conversation[]): string[] {
  const ids = new Set(conversations.flatMap((conversation) => conversation.ids))
  const faults: string[] = []
  const told = Map.groupBy(
    events.filter(({ event }) => RANK.includes(event) || event === 'message.failed'),
    ({ data }) => data.internalMessageId as string,
  )
  for (const [id, its] of told) {
    const ranks = its.map(({ event }) => RANK.indexOf(event))
    if (!ids.has(id)) faults.push(`${id} was never accepted`)
    if (ranks.includes(-1))
      faults.push(`${id} failed: ${its.find(({ event }) => event === 'message.failed')?.data.errorMessage}`)
    if (ranks.some((rank, index) => index > 0 && rank <= (ranks[index - 1] ?? 0)))
      faults.push(`${id} moved backwards: ${its.map(({ event }) => event).join(', ')}`)
    if (ranks.filter((rank) => rank === 2).length !== 1)
      faults.push(`${id} was read ${ranks.filter((rank) => rank === 2).length} times`)
  }
  for (const id of ids) if (!told.has(id)) faults.push(`${id} has no events`)
  return faults
}

/** Asserts that what was told of sends has no faults. */
export function assertEvents(
  t: ExecutionContext,
  events: readonly StoredEnvelope[],
  conversations: readonly Conversation[],
): void {
  const faults = eventFaults(events, conversations)
  t.deepEqual(faults.slice(0, 10), [], `${faults.length} faults`)
}

/**
 * Usage counts each message once that was accepted, and each that opened a window, whatever was killed and repeated
 * ([usage.exact.1]).
 */
export async function assertUsage(
  t: ExecutionContext<unknown>,
  service: Service,
  conversations: readonly Conversation[],
): Promise<void> {
  const { body } = await service.api('GET', '/v1/usage', service.tenantKey)
  const outbound = conversations.reduce((sum, { ids }) => sum + ids.length, 0)
  const inbound = conversations.filter(({ kind }) => kind === 'OFFICIAL').length
  t.deepEqual(body.total.messages, { outbound, inbound, byType: { text: outbound + inbound } })
}
