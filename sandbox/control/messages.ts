import { z } from 'zod'
import type { BridgeContent } from '../../src/domain/device-bridge.ts'
import type { ReceivedMessage, SentMessage } from '../devices/message-book.ts'
import type { DeviceNetwork } from '../devices/network.ts'
import { findLinked, readNumber, readPeer } from './read.ts'
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

/** Routes that act as peers in conversations. */
export function messageRoutes(network: DeviceNetwork): Route[] {
  return [
    {
      method: 'POST',
      path: '/control/peers/:peer/messages',
      answer: ({ params, body }) => {
        const message = readBody(messageSchema, body)
        const session = findLinked(network, readNumber(message.to))
        const { quoted, group, newsletter, story, fromName, historical, timestamp } = message
        const { externalMessageId } = network.messages.receive(session, {
          from: readNumber(params['peer']),
          content: toContent(message),
          ...present({ quoted, group, newsletter, story, fromName, historical, timestamp }),
        })
        return json(201, { externalMessageId })
      },
    },
    {
      method: 'GET',
      path: '/control/peers/:peer/inbox',
      answer: ({ params }) => json(200, { messages: network.messages.inbox(readPeer(params['peer'])).map(presentInbox) }),
    },
    {
      method: 'GET',
      path: '/control/peers/:peer/outbox',
      answer: ({ params }) => json(200, { messages: network.messages.outbox(readPeer(params['peer'])).map(presentOutbox) }),
    },
  ]
}
