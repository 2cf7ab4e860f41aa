import { failSends, historyOf, inboxOf } from './message-service.ts'
import { storedEvents, type StoredEnvelope } from './receiver-ledger.ts'
import type { Service } from './service.ts'
import { isLater, type Sender, type SentTemplate } from './template-sends.ts'
import { until } from './until.ts'

const ENDS = ['message.read', 'message.failed']
const ENDLESS = 1_000_000
/**
 * Permanent refusals of templates by the upstream. Each number has one of them, so that it is known how a message must
 * end.
 */
export const REFUSALS = [
  { error: '132015', code: 'OFFICIAL_TEMPLATE_PAUSED' },
  { error: '132001', code: 'OFFICIAL_TEMPLATE_NOT_APPROVED' },
] as const
const OFFICIAL_FAULTS = [
  { error: '130429', rate: 0.05 },
  { error: '2', rate: 0.04 },
  { status: 503, rate: 0.03 },
  { drop: 'after', rate: 0.02 },
] as const
const UNOFFICIAL_FAULTS = [
  { error: { code: 'FAILED', retryable: true }, rate: 0.08 },
  { error: { code: 'RATE_LIMITED', retryable: true }, rate: 0.05 },
  { drop: true, rate: 0.03 },
  { drop: 'after', rate: 0.03 },
] as const

export function refusalOf(at: number): (typeof REFUSALS)[number] {
  return REFUSALS[at % REFUSALS.length] ?? REFUSALS[0]
}

/** Makes the upstream fail a fifth of the number's sends. `refusal` is a permanent error. */
export async function failAFifth(service: Service, { number, kind }: Sender, refusal: string): Promise<void> {
  const faults = kind === 'OFFICIAL' ? [{ error: refusal, rate: 0.07 }, ...OFFICIAL_FAULTS] : UNOFFICIAL_FAULTS
  // One failure is certain, so that each code occurs.
  if (kind === 'OFFICIAL') await failSends(service, number, { error: refusal })
  for (const fault of faults) await failSends(service, number, { ...fault, times: ENDLESS })
}

/** All events of messages, once each of these has ended. */
export async function untilEnded(service: Service, senders: readonly Sender[]): Promise<StoredEnvelope[]> {
  const open = new Set(senders.flatMap(({ sent }) => [...sent.values()].flat().map(({ id }) => id)))
  const stored: StoredEnvelope[] = []
  const take = async (): Promise<boolean> => {
    const before = open.size
    const fresh = await storedEvents(service, service.tenantKey, stored.at(-1)?.id)
    stored.push(...fresh)
    for (const { event, data } of fresh) if (ENDS.includes(event)) open.delete(data.internalMessageId)
    return open.size === 0 || open.size < before
  }
  while (open.size > 0) await until(`another of ${open.size} messages, such as ${[...open][0]}, has ended`, take)
  return stored.filter(({ event }) => event.startsWith('message.'))
}

/** Faults in how the messages of a number ended: each must end once, as accepted or refused with the number's code. */
export async function faultsOfEnds(
  service: Service,
  sender: Sender,
  events: readonly StoredEnvelope[],
  code: string,
): Promise<string[]> {
  const all = [...sender.sent.values()].flat()
  const contents = new Map(await contentsOf(service, sender))
  const ends = Map.groupBy(
    events.filter(({ event }) => ENDS.includes(event)),
    ({ data }) => data.internalMessageId as string,
  )
  const faults = all.flatMap((message) =>
    faultsOfMessage(message, contents.get(message.id), ends.get(message.id) ?? [], sender, code),
  )
  for (const [peer, sent] of sender.sent)
    faults.push(...(await faultsOfPeer(service, sender, peer, sent, { contents, ends })))
  return faults
}

async function contentsOf(service: Service, { number, peers }: Sender): Promise<[string, string][]> {
  const pages = await Promise.all(peers.map((peer) => historyOf(service, number, `&direction=OUTBOUND&peer=${peer}`)))
  return pages.flatMap(({ messages }) => messages.map(({ id, content }: any) => [id, content]))
}

function faultsOfMessage(
  { id, template, texts }: SentTemplate,
  content: string | undefined,
  ends: readonly StoredEnvelope[],
  { kind }: Sender,
  code: string,
): string[] {
  const [end] = ends
  const codes = kind === 'UNOFFICIAL' ? [] : [code, ...(template === 'goes' ? ['OFFICIAL_TEMPLATE_NOT_APPROVED'] : [])]
  return [
    ...(content !== undefined && texts.includes(content)
      ? []
      : [`${id} was accepted as ${content}, not as ${texts.join(' or ')}`]),
    ...(ends.length === 1 ? [] : [`${id} ended ${ends.length} times: ${ends.map(({ event }) => event).join(', ')}`]),
    ...(end?.event === 'message.failed' && !codes.includes(end.data.code)
      ? [`${id} of ${template} failed with ${end.data.code}: ${end.data.errorMessage}`]
      : []),
  ]
}

interface Ended {
  readonly contents: ReadonlyMap<string, string>
  readonly ends: ReadonlyMap<string, readonly StoredEnvelope[]>
}

/**
 * Faults in what reached a peer: the accepted messages in order, without the refused ones. An OFFICIAL message whose
 * answer was lost may arrive twice.
 */
async function faultsOfPeer(
  service: Service,
  { number, kind }: Sender,
  peer: string,
  sent: readonly SentTemplate[],
  { contents, ends }: Ended,
): Promise<string[]> {
  const inbox = await inboxOf(service, peer, number)
  const arrived = inbox.map(({ content }) => content.body as string)
  const first = [...new Set(arrived)]
  const wanted = sent.filter(({ id }) => ends.get(id)?.[0]?.event === 'message.read').map(({ id }) => contents.get(id))
  const odd = inbox.find(
    ({ content, text }) =>
      JSON.stringify(partsOf(content)) !== JSON.stringify(isLater(content.body) ? [] : ['News', 'Acme', 'Yes'])
      || !(text ?? content.body).includes(content.body),
  )
  return [
    ...(JSON.stringify(first) === JSON.stringify(wanted) ? [] : [`${kind} to ${peer}: ${difference(first, wanted)}`]),
    ...(kind === 'UNOFFICIAL' && arrived.length > first.length
      ? [`${peer} got ${arrived.length - first.length} twice`]
      : []),
    ...(odd ? [`${peer} got other parts: ${JSON.stringify(odd).slice(0, 300)}`] : []),
  ]
}

/** Header, footer and button label as they reached the peer. */
function partsOf({ header, footer, buttons }: any): string[] {
  return [header?.text ?? header, footer, buttons?.[0]?.text].filter((part) => part !== undefined && part !== null)
}

function difference(arrived: readonly string[], wanted: readonly (string | undefined)[]): string {
  const [extra, missing] = [
    arrived.filter((text) => !wanted.includes(text)),
    wanted.filter((text) => !arrived.includes(text ?? '')),
  ]
  const at = arrived.findIndex((text, index) => text !== wanted[index])
  return extra.length + missing.length > 0
    ? `arrived, and did not end so: ${extra.join(', ').slice(0, 300)}; missing: ${missing.join(', ').slice(0, 300)}`
    : `out of order at ${at}: ${arrived[at]} in place of ${wanted[at]}`
}
