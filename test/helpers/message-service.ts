import { threadId } from 'node:worker_threads'
import type { OfficialNumber } from './official-service.ts'
import { connectOfficial } from './official-service.ts'
import type { StoredEnvelope } from './receiver-ledger.ts'
import { storedEvents } from './receiver-ledger.ts'
import type { PairedNumber, Service } from './service.ts'
import { until } from './until.ts'

/**
 * Environment of services that send in tests: no pause between two messages to a peer, doubts that end soon, no limit
 * on sends.
 */
export const FAST = { SENDS_PER_MINUTE: '1000000', UNOFFICIAL_RECIPIENT_SECONDS: '0', OFFICIAL_RECONCILE_SECONDS: '1' }

export interface BothNumbers {
  readonly OFFICIAL: OfficialNumber
  readonly UNOFFICIAL: PairedNumber
}
export const KINDS = ['OFFICIAL', 'UNOFFICIAL'] as const
export type Kind = (typeof KINDS)[number]

export async function numbersOfBothKinds(service: Service): Promise<BothNumbers> {
  return { OFFICIAL: await connectOfficial(service), UNOFFICIAL: await service.pairNumber() }
}

/** Test files that share a service have peers of their own, because each runs in a thread of its own. */
let nextPeer = (threadId % 100) * 100

/** A peer that no other test uses; `ending` chooses its behaviour ([sandbox.peers.1] and following). */
export function newPeer(ending = '0001'): string {
  // Begins anew after 10,000, because numbers of the country have no more digits.
  return `55119${String(nextPeer++ % 10_000).padStart(4, '0')}${ending}`
}

/** A peer writes to a number; resolves to the upstream's id of the message. */
export async function write(
  service: Service,
  peer: string,
  number: PairedNumber,
  message: object = { text: 'hello' },
): Promise<string> {
  const { status, body, text } = await service.control('POST', `/peers/${peer}/messages`, {
    to: number.digits,
    ...message,
  })
  if (status !== 201) throw new Error(`not written: ${status} ${text}`)
  return body.externalMessageId
}

/** A peer that may get free text: on OFFICIAL numbers it has opened the window of 24 hours. */
export async function reachablePeer(service: Service, number: PairedNumber, ending?: string): Promise<string> {
  const peer = newPeer(ending)
  if ('phoneId' in number) await write(service, peer, number, { text: 'opens the window' })
  return peer
}

/** Sends a message; throws unless it is accepted. */
export async function send(
  service: Service,
  number: PairedNumber,
  message: object,
  headers?: Record<string, string>,
): Promise<any> {
  const { status, body, text } = await service.api('POST', '/v1/messages/send', number.key, message, headers)
  if (status !== 202) throw new Error(`not accepted: ${status} ${text}`)
  return body
}

export async function sendText(
  service: Service,
  number: PairedNumber,
  peer: string,
  text: string,
  more: object = {},
): Promise<any> {
  return await send(service, number, { destinationNumber: peer, text, ...more })
}

/** Waits until the message has one of the statuses; resolves to it. */
export async function untilStatus(
  service: Service,
  number: PairedNumber,
  id: string,
  statuses: readonly string[],
): Promise<any> {
  let last = ''
  return await until(`${id} is ${statuses.join(' or ')}`, async () => {
    const { body, text } = await service.api('GET', `/v1/messages/${id}`, number.key)
    last = text
    return statuses.includes(body?.status) ? body : null
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${last}`)
  })
}

/** The messages of the number that reached a peer, oldest first. */
export async function inboxOf(service: Service, peer: string, number: PairedNumber): Promise<any[]> {
  const { body } = await service.control('GET', `/peers/${peer}/inbox`)
  return body.messages.filter(({ from }: { from: string }) => from === number.digits)
}

/** Waits until `count` messages of the number reached the peer; resolves to them. */
export async function untilInbox(service: Service, peer: string, number: PairedNumber, count: number): Promise<any[]> {
  return await until(`${count} messages reached ${peer}`, async () => {
    const inbox = await inboxOf(service, peer, number)
    return inbox.length >= count ? inbox : null
  })
}

/** The bytes of a media file that reached a peer. */
export async function mediaBytes(service: Service, externalMessageId: string, index = 0): Promise<Buffer> {
  const response = await fetch(
    `http://127.0.0.1:${service.ports['sandboxPort']}/control/messages/${encodeURIComponent(externalMessageId)}/media?index=${index}`,
  )
  if (!response.ok) throw new Error(`no media: ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

/** The stored events of a sent message, oldest first. */
export async function eventsOf(service: Service, number: PairedNumber, id: string): Promise<StoredEnvelope[]> {
  return (await storedEvents(service, number.key)).filter(({ data }) => data.internalMessageId === id)
}

/** Waits until the last of these events of a sent message is stored; resolves to all of them. */
export async function untilEvents(
  service: Service,
  number: PairedNumber,
  id: string,
  last: string,
): Promise<StoredEnvelope[]> {
  return await until(`${last} of ${id}`, async () => {
    const events = await eventsOf(service, number, id)
    return events.some(({ event }) => event === last) ? events : null
  })
}

/** Waits until an event of a received message is stored; resolves to it. */
export async function untilTold(
  service: Service,
  number: PairedNumber,
  event: string,
  externalMessageId: string,
): Promise<StoredEnvelope> {
  return await until(`${event} of ${externalMessageId}`, async () =>
    (await storedEvents(service, number.key)).find(
      (stored) => stored.event === event && stored.data.messageId === externalMessageId,
    ),
  )
}

/** A page of history, newest first. */
export async function historyOf(service: Service, number: PairedNumber, query = ''): Promise<any> {
  const { status, body, text } = await service.api('GET', `/v1/messages/history?pageSize=100${query}`, number.key)
  if (status !== 200) throw new Error(`no history: ${status} ${text}`)
  return body
}

/** Waits until the number's inbound history has a message with the upstream's id; resolves to the item. */
export async function untilInHistory(
  service: Service,
  number: PairedNumber,
  externalMessageId: string,
  query = '',
): Promise<any> {
  return await until(`${externalMessageId} is in the history`, async () =>
    (await historyOf(service, number, query)).messages.find(
      (item: any) => item.externalMessageId === externalMessageId,
    ),
  )
}

/** Makes the upstream's next send requests of one number fail. */
export async function failSends(service: Service, number: PairedNumber, fault: object): Promise<void> {
  const match =
    'phoneId' in number
      ? { method: 'POST', path: `/official/v24.0/${(number as OfficialNumber).phoneId}/messages` }
      : { op: 'message.send', path: `/devices/sessions/${number.id}` }
  const { status, text } = await service.control('POST', '/faults', { match, ...fault })
  if (status >= 300) throw new Error(`no fault: ${text}`)
}

/** The send requests of the number to the upstream, oldest first. */
export async function sendRequests(service: Service, number: PairedNumber): Promise<any[]> {
  const query =
    'phoneId' in number
      ? `path=/official/v24.0/${(number as OfficialNumber).phoneId}/messages`
      : `path=/devices/sessions/${number.id}&op=message.send`
  return (await service.control('GET', `/requests?${query}`)).body.requests
}
