import { z } from 'zod'
import { TYPING_STATES } from '../../src/domain/device-ops.ts'
import type { SentMedia } from '../devices/message-media.ts'
import type { ReceivedMessage, SentMessage } from '../devices/message-record.ts'
import type { ServedMedia } from '../media/served-media.ts'
import type { OfficialReceived, OfficialSent, OfficialSentMedia } from '../official/messages/message-record.ts'
import type { Networks } from './calls.ts'
import { deviceFields, toPeerMessage } from './message-body.ts'
import { officialFields, writeOfficial } from './official-messages.ts'
import { findLinked, readNumber, readPeer, readPerson } from './read.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type ControlAnswer, type ControlRequest, type Route } from './router.ts'

const messageSchema = z.object({ to: z.string(), ...deviceFields, ...officialFields })

/** `group` is the id of a group in which the peer writes. */
const typingSchema = z.object({ to: z.string(), group: z.string().min(1).optional(), state: z.enum(TYPING_STATES) })

function presentMedia({ sha256, sizeBytes, mimeType, fileName, ...rest }: SentMedia | OfficialSentMedia) {
  return {
    sha256,
    size: sizeBytes,
    mimeType,
    fileName,
    ...('voice' in rest ? { voice: rest.voice, waveform: rest.waveform } : { mediaId: rest.mediaId }),
  }
}

function presentInbox({
  externalMessageId,
  messageId,
  from,
  to,
  content,
  media,
  quoted,
  status,
  atMs,
  editedAtMs,
  revokedAtMs,
}: SentMessage) {
  return {
    externalMessageId,
    messageId,
    from,
    to,
    type: content.type,
    text: content.text ?? null,
    content,
    media: media.map(presentMedia),
    quoted,
    status,
    receivedAt: new Date(atMs).toISOString(),
    editedAt: editedAtMs === null ? null : new Date(editedAtMs).toISOString(),
    revokedAt: revokedAtMs === null ? null : new Date(revokedAtMs).toISOString(),
  }
}

function presentOutbox({ externalMessageId, from, to, content, isDelivered, isRead, atMs }: ReceivedMessage) {
  return {
    externalMessageId,
    from,
    to,
    type: content.type,
    text: content.text ?? null,
    content,
    isDelivered,
    isRead,
    sentAt: new Date(atMs).toISOString(),
  }
}

function presentOfficialInbox({
  externalMessageId,
  from,
  to,
  type,
  text,
  content,
  media,
  quoted,
  status,
  atMs,
  edge,
}: OfficialSent) {
  return {
    externalMessageId,
    messageId: null,
    from,
    to,
    type,
    text,
    content,
    media: media.map(presentMedia),
    quoted,
    status,
    edge,
    receivedAt: new Date(atMs).toISOString(),
  }
}

function presentOfficialOutbox({ externalMessageId, from, to, type, text, content, isRead, atMs }: OfficialReceived) {
  return {
    externalMessageId,
    from,
    to,
    type,
    text,
    content,
    isDelivered: true,
    isRead,
    sentAt: new Date(atMs).toISOString(),
  }
}

async function write(
  { network, official }: Networks,
  served: ServedMedia,
  { params, body, origin }: ControlRequest,
): Promise<ControlAnswer> {
  const message = readBody(messageSchema, body)
  const [from, to] = [readPerson(params['peer']), readNumber(message.to)]
  const number = official.registry.byDigits(to)
  if (number)
    return json(201, {
      externalMessageId: await writeOfficial(official, number, readNumber(from), message, origin),
      isDelivered: true,
    })
  const { externalMessageId, isDelivered } = network.messages.receive(
    findLinked(network, to),
    toPeerMessage(from, message, served, origin),
  )
  return json(201, { externalMessageId, isDelivered })
}

function mediaBytes({ network, official }: Networks, { params, query }: ControlRequest): ControlAnswer {
  const index = Number(query.get('index') ?? 0)
  const id = params['messageId'] ?? ''
  const bytes = network.media.bytesOf(id, index) ?? official.messaging.bytesOf(id, index)
  if (!bytes) throw new ControlRefusal(404, 'MEDIA_NOT_KEPT', 'There is no such media, or its bytes are not kept')
  return { status: 200, bytes, contentType: 'application/octet-stream' }
}

/** Routes that act as peers in conversations. */
export function messageRoutes(networks: Networks, served: ServedMedia): Route[] {
  const { network, official } = networks
  return [
    { method: 'POST', path: '/control/peers/:peer/messages', answer: (request) => write(networks, served, request) },
    {
      method: 'GET',
      path: '/control/peers/:peer/inbox',
      answer: ({ params }) => {
        const peer = readPeer(params['peer'])
        const messages = [
          ...network.messages.inbox(peer).map(presentInbox),
          ...official.messaging.messages.inbox(peer).map(presentOfficialInbox),
        ]
        return json(200, { messages: messages.toSorted((a, b) => a.receivedAt.localeCompare(b.receivedAt)) })
      },
    },
    {
      method: 'GET',
      path: '/control/peers/:peer/outbox',
      answer: ({ params }) => {
        const peer = readPeer(params['peer'])
        const messages = [
          ...network.messages.outbox(peer).map(presentOutbox),
          ...official.messaging.users.outbox(peer).map(presentOfficialOutbox),
        ]
        return json(200, { messages: messages.toSorted((a, b) => a.sentAt.localeCompare(b.sentAt)) })
      },
    },
    {
      method: 'GET',
      path: '/control/peers/:peer/typing',
      answer: ({ params }) => {
        const peer = readPeer(params['peer'])
        const shown = [...network.typing.of(peer), ...official.messaging.messages.typing.of(peer)]
        return json(200, {
          typing: shown.map(({ from, state, atMs }) => ({ from, state, shownAt: new Date(atMs).toISOString() })),
        })
      },
    },
    {
      method: 'POST',
      path: '/control/peers/:peer/typing',
      answer: ({ params, body }) => {
        const peer = readPerson(params['peer'])
        const { to, group, state } = readBody(typingSchema, body)
        const session = findLinked(network, readNumber(to))
        return json(202, { isSent: session.hint({ ev: 'peer.typing', peer, ...(group ? { group } : {}), state }) })
      },
    },
    { method: 'GET', path: '/control/messages/:messageId/media', answer: (request) => mediaBytes(networks, request) },
  ]
}
