import { z } from 'zod'
import type { BridgeContent } from '../../src/domain/device-bridge.ts'
import type { ReceivedMessage, SentMessage } from '../devices/message-book.ts'
import type { OfficialReceived, OfficialSent } from '../official/message-book.ts'
import type { OfficialNumber } from '../official/registry.ts'
import type { Networks } from './calls.ts'
import { findLinked, readNumber, readPeer } from './read.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type Route } from './router.ts'

const mediaSchema = z.object({
  url: z.string(), mimeType: z.string(), fileName: z.string().optional(), size: z.number().optional(),
})
const messageSchema = z.object({
  to: z.string(),
  type: z.string().min(1).default('text'),
  text: z.string().optional(),
  media: mediaSchema.optional(),
  location: z.unknown().optional(),
  contacts: z.unknown().optional(),
  reaction: z.unknown().optional(),
  group: z.unknown().optional(),
  newsletter: z.unknown().optional(),
  story: z.unknown().optional(),
  /** Official numbers alone: the ad that the user came from. */
  referral: z.unknown().optional(),
  /** Official numbers alone: what stands under the name of the type, as upstream has it. */
  content: z.unknown().optional(),
  quoted: z.string().optional(),
  fromName: z.string().nullable().optional(),
  historical: z.boolean().optional(),
  /** Ms since the epoch. */
  timestamp: z.int().optional(),
})
type MessageBody = z.infer<typeof messageSchema>

/** Leaves out what was not given: the gateway tells absent from undefined. */
function present<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> }
}

function toContent({ type, text, media, location, contacts, reaction }: MessageBody): BridgeContent {
  return present({ type, text, media, location, contacts, reaction }) as BridgeContent
}

function presentInbox({ externalMessageId, messageId, from, to, content, quoted, status, atMs }: SentMessage) {
  return { externalMessageId, messageId, from, to, type: content.type, text: content.text ?? null, content, quoted, status, receivedAt: new Date(atMs).toISOString() }
}

function presentOutbox({ externalMessageId, from, to, content, isRead, atMs }: ReceivedMessage) {
  return { externalMessageId, from, to, type: content.type, text: content.text ?? null, content, isRead, sentAt: new Date(atMs).toISOString() }
}

function presentOfficialInbox({ externalMessageId, from, to, type, text, content, quoted, status, atMs }: OfficialSent) {
  return { externalMessageId, messageId: null, from, to, type, text, content, quoted, status, receivedAt: new Date(atMs).toISOString() }
}

function presentOfficialOutbox({ externalMessageId, from, to, type, text, content, isRead, atMs }: OfficialReceived) {
  return { externalMessageId, from, to, type, text, content, isRead, sentAt: new Date(atMs).toISOString() }
}

/** The peer writes to an official number: the change goes out by webhook. */
function writeOfficial({ official }: Networks, number: OfficialNumber, from: string, message: MessageBody): string {
  const { type, text, location, contacts, reaction, content, fromName, quoted, referral } = message
  const given: unknown = content ?? (type === 'text' ? { body: text ?? '' } : { location, contacts, reaction }[type])
  if (given === undefined) throw new ControlRefusal(400, 'VALIDATION', 'A message of this type to an official number needs its content')
  return official.messages.receive(number, from, { type, content: given, fromName: fromName ?? undefined, quoted, referral }).externalMessageId
}

/** The peer writes to a linked device. */
function writeDevice({ network }: Networks, to: string, from: string, message: MessageBody): string {
  const { quoted, group, newsletter, story, fromName, historical, timestamp } = message
  return network.messages.receive(findLinked(network, to), {
    from, content: toContent(message), ...present({ quoted, group, newsletter, story, fromName, historical, timestamp }),
  }).externalMessageId
}

/** Routes that act as peers in conversations. */
export function messageRoutes(networks: Networks): Route[] {
  const { network, official } = networks
  return [
    {
      method: 'POST',
      path: '/control/peers/:peer/messages',
      answer: ({ params, body }) => {
        const message = readBody(messageSchema, body)
        const [from, to] = [readNumber(params['peer']), readNumber(message.to)]
        const number = official.registry.byDigits(to)
        const externalMessageId = number ? writeOfficial(networks, number, from, message) : writeDevice(networks, to, from, message)
        return json(201, { externalMessageId })
      },
    },
    {
      method: 'GET',
      path: '/control/peers/:peer/inbox',
      answer: ({ params }) => {
        const peer = readPeer(params['peer'])
        const messages = [...network.messages.inbox(peer).map(presentInbox), ...official.messages.inbox(peer).map(presentOfficialInbox)]
        return json(200, { messages: messages.toSorted((a, b) => a.receivedAt.localeCompare(b.receivedAt)) })
      },
    },
    {
      method: 'GET',
      path: '/control/peers/:peer/outbox',
      answer: ({ params }) => {
        const peer = readPeer(params['peer'])
        const messages = [...network.messages.outbox(peer).map(presentOutbox), ...official.messages.outbox(peer).map(presentOfficialOutbox)]
        return json(200, { messages: messages.toSorted((a, b) => a.sentAt.localeCompare(b.sentAt)) })
      },
    },
  ]
}
