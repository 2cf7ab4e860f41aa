import { INBOX_EVENTS } from '../routes/inbox/stream-schema.ts'
import { SAMPLE } from '../routes/samples.ts'
import type { ChannelFacts, MessageFacts } from './channel.ts'
import type { SchemaWriter } from './schemas.ts'

type InboxEvent = keyof typeof INBOX_EVENTS

const { conversationId, messageId, numberId, peer, createdAt, later, provider } = SAMPLE
const CURSOR = '1042713'

/** A text has no other parts: each of them is null. */
const NO_PARTS = Object.fromEntries(Object.keys(INBOX_EVENTS.message.shape.message.shape).map((name) => [name, null]))
const MESSAGE = {
  ...NO_PARTS,
  id: messageId,
  conversationId,
  direction: 'INBOUND',
  type: 'text',
  content: 'Good morning',
  from: peer,
  fromName: 'Ana',
  externalMessageId: '3EB0A9C1D2',
  status: 'RECEIVED',
  redacted: false,
  createdAt,
  conversationUnreadCount: 1,
  numberId,
}
const CONVERSATION = {
  id: conversationId,
  type: 'DIRECT',
  from: peer,
  fromName: 'Ana',
  identities: [{ kind: 'PHONE', value: peer, since: createdAt }],
  unreadCount: 1,
  lastMessageAt: later,
  lastMessagePreview: 'Good morning',
  windowExpiresAt: null,
  createdAt,
  numberId,
  provider,
  lastMessageDirection: 'INBOUND',
  lastMessageStatus: 'RECEIVED',
  lastMessageType: 'text',
  canSend: { free: true, reason: null },
  isMarkedUnread: false,
  archivedAt: null,
}

const EVENTS: Readonly<Record<InboxEvent, { readonly summary: string; readonly example: unknown }>> = {
  hello: { summary: 'The stream begins', example: { cursor: CURSOR } },
  message: { summary: 'A message is new, or says something else now', example: { message: MESSAGE } },
  status: {
    summary: 'A message has another status',
    example: {
      id: messageId,
      conversationId,
      status: 'SENT',
      errorCode: null,
      errorMessage: null,
      externalMessageId: '3EB0A9C1D2',
      sentAt: later,
    },
  },
  conversation: { summary: 'A conversation is new, or changed', example: { item: CONVERSATION } },
  number: { summary: 'A number connected, or lost its connection', example: { id: numberId, state: 'OPEN' } },
  unread: { summary: 'How much is unread changed', example: { total: 3 } },
  typing: {
    summary: 'The contact writes, or stopped; kept for nobody',
    example: { conversationId, state: 'typing' },
  },
  session: { summary: 'The session was refreshed', example: { expiresAt: later } },
  resync: { summary: 'More was missed than the 5 minutes that are kept: read everything anew', example: {} },
  expired: { summary: 'The session is over, and the stream ends', example: { reason: 'EXPIRED' } },
}

/** Events that have no place in the order, and so no id. */
const WITHOUT_ID: readonly InboxEvent[] = ['typing', 'session', 'resync', 'expired']

function messageOf(event: InboxEvent, writer: SchemaWriter): MessageFacts {
  const { summary, example } = EVENTS[event]
  const id = { type: 'string', description: 'Rises; `Last-Event-ID` of the next request takes it' }
  const hasId = !WITHOUT_ID.includes(event)
  return {
    summary,
    headers: {
      type: 'object',
      description: 'The fields of the server-sent event beside `data`',
      required: ['event'],
      properties: { event: { type: 'string', const: event }, ...(hasId ? { id } : {}) },
    },
    payload: writer.write(INBOX_EVENTS[event]),
    examples: [{ headers: { event, ...(hasId ? { id: CURSOR } : {}) }, payload: example }],
  }
}

/** The stream of an inbox ([embeds.stream.1]): server-sent events, `data` of which is the payload as JSON. */
export function inboxChannel(writer: SchemaWriter): ChannelFacts {
  const events = Object.keys(INBOX_EVENTS) as InboxEvent[]
  const named = events.map((event) => [`inbox.${event}`, messageOf(event, writer)] as const)
  return {
    address: '/api/public/embed/stream',
    title: 'Stream of an inbox',
    description:
      'Server-sent events: `data` is the payload as JSON. A reader that comes back with `Last-Event-ID` is told what it missed within 5 minutes. '
      + 'A comment comes every 15 s; a reader with over 1 MiB unsent is dropped, and a sixth stream of a session is 429.',
    server: 'gateway',
    messages: Object.fromEntries(named),
    operations: {
      streamInbox: {
        action: 'send',
        summary: 'The service tells what changes in an inbox',
        messages: named.map(([name]) => name),
        bindings: { http: { method: 'GET', bindingVersion: '0.3.0' } },
      },
    },
  }
}
