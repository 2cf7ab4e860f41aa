/**
 * Reads what an engine reports of messages, as leniently as its other events: missing values are null, an unknown type
 * is a text, and only a message without id or writer cannot be read.
 */
import { z } from 'zod'
import type { ReportedStatus } from '../../domain/message.ts'
import { isMessageId } from '../../domain/ids.ts'
import { toDigits } from '../../domain/phone.ts'
import { NAME_CHARACTERS } from '../../domain/storable.ts'
import type { JsonFrame } from '../../net/json-socket.ts'
import type { ReceivedMessage, ReportedMessage } from '../../ports/provider.ts'
import type { NamedPeer } from '../../ports/stores/message-inbox.ts'
import type { MessageChange } from '../../domain/message-change.ts'
import type { PollVote } from '../../domain/poll-vote.ts'
import { happenedAt } from '../message-time.ts'
import { messageFailureOf } from './error-map.ts'
import { readContent } from './message-content.ts'
import { bestAddress, namedWith, peerOfMessage } from './peer-events.ts'

type MessageReceived = { readonly type: 'messageReceived' } & ReceivedMessage
type MessageChanged = { readonly type: 'messageChanged' } & MessageChange
type PollVoted = { readonly type: 'pollVoted' } & PollVote
type MessageStatus = { readonly type: 'messageStatus' } & ReportedMessage

/**
 * A longer name makes the event unreadable. Names are looked up, and one that does not fit into an index would fail the
 * writes of others along with it.
 */
const text = z.string().min(1).max(NAME_CHARACTERS)
const optional = text.nullable().catch(null).default(null)
/** A group or a newsletter: `{id, name}`, or the id alone. */
const room = z
  .union([text.transform((id) => ({ id, name: null })), z.object({ id: text, name: optional })])
  .nullable()
  .catch(null)
  .default(null)
const timestamp = z.number().nullable().catch(null).default(null)

const MESSAGE = z.object({
  externalMessageId: text,
  from: text,
  fromName: optional,
  to: optional,
  group: room,
  newsletter: room,
  story: z.unknown().optional(),
  historical: z.boolean().catch(false).default(false),
  timestamp,
  content: z.record(z.string(), z.unknown()).catch({}).default({}),
  quoted: optional,
  peer: peerOfMessage,
})

/** The peer of such a message is its recipient, group or newsletter. */
const SENT_ELSEWHERE = MESSAGE.extend({ from: optional.transform((from) => from ?? '') }).refine(
  ({ to, group, newsletter }) => (newsletter ?? group ?? to) !== null,
)

/** A message event that this version does not use, but for the addresses that it may name. */
type Unused = { readonly type: 'unused' } | ({ readonly type: 'peerNamed' } & NamedPeer)

/**
 * Reads `message.received` for the session of `number`; a type that is no message is `unused`. Throws when the frame
 * cannot be read.
 */
export function readMessage(frame: JsonFrame, number: string): MessageReceived | Unused {
  return messageOf(MESSAGE.parse(frame), number, false)
}

/**
 * Reads `message.sent_elsewhere`, which the number's owner wrote on another device. Our choice: the number wrote it
 * whatever `from` says, so that no engine need know by which of its names a device writes. Throws when the frame cannot
 * be read or names no peer.
 */
export function readSentElsewhere(frame: JsonFrame, number: string): MessageReceived | Unused {
  const told = SENT_ELSEWHERE.parse(frame)
  const message = messageOf(told, number, true)
  return message.type === 'messageReceived'
    ? { ...message, from: number, fromName: told.fromName, isFromMe: true }
    : message
}

/** The sides of a message in the number's terms, with all that its peer is named by. `told.from` is the writer. */
function sidesOf(
  { from: told, to: reader, newsletter, peer }: z.infer<typeof MESSAGE>,
  number: string,
  isFromMe: boolean,
): Pick<ReceivedMessage, 'from' | 'to' | 'named'> {
  const [writer, recipient] = [digitsOf(told), reader === null ? number : digitsOf(reader)]
  const named = newsletter ? null : namedWith(isFromMe ? recipient : writer, peer)
  return {
    // A newsletter writes as itself, whoever runs it.
    from: newsletter ? newsletter.id : isFromMe ? writer : bestAddress(writer, peer),
    to: isFromMe ? bestAddress(recipient, peer) : recipient,
    ...(named ? { named } : {}),
  }
}

function messageOf(told: z.infer<typeof MESSAGE>, number: string, isElsewhere: boolean): MessageReceived | Unused {
  const {
    externalMessageId,
    from,
    fromName,
    group,
    newsletter,
    story,
    historical,
    timestamp: time,
    content,
    quoted,
  } = told
  const isFromMe = (isElsewhere || digitsOf(from) === number) && newsletter === null
  const { named, ...sides } = sidesOf(told, number, isFromMe)
  const read = readContent(content)
  if (read === null) return named ? { type: 'peerNamed', ...named } : { type: 'unused' }
  return {
    type: 'messageReceived',
    externalMessageId,
    ...sides,
    fromName: newsletter ? (newsletter.name ?? fromName) : fromName,
    isFromMe,
    group,
    newsletter,
    isStory: Boolean(story),
    isHistorical: historical,
    at: happenedAt(time),
    ...read,
    quotedMessageId: quoted,
    ...(named ? { named } : {}),
  }
}

function digitsOf(address: string): string {
  return toDigits(address) ?? address
}

const STATUSES: ReadonlyMap<string, ReportedStatus> = new Map([
  ['SENT', 'SENT'],
  ['DELIVERED', 'DELIVERED'],
  ['READ', 'READ'],
  ['PLAYED', 'READ'],
  ['FAILED', 'FAILED'],
])
const ERROR = z
  .object({ code: text, message: z.string().catch(''), retryable: z.boolean().catch(false) })
  .nullable()
  .catch(null)
  .default(null)
/** The service's message id; null for any other text. */
const ours = z.string().refine(isMessageId).nullable().catch(null).default(null)
const STATUS = z.object({ externalMessageId: text, messageId: ours, status: text, error: ERROR, timestamp })

/** Reads `message.status`; an unknown status is `unused`. Throws when the frame cannot be read. */
export function readStatus(frame: JsonFrame): MessageStatus | { readonly type: 'unused' } {
  const { externalMessageId, messageId, status: word, error, timestamp: time } = STATUS.parse(frame)
  const status = STATUSES.get(word.toUpperCase())
  if (!status) return { type: 'unused' }
  return {
    type: 'messageStatus',
    externalMessageId,
    messageId,
    status,
    failure: status === 'FAILED' ? messageFailureOf(error) : null,
    at: happenedAt(time),
  }
}

const CHANGE = z.object({
  externalMessageId: text,
  timestamp,
  content: z.record(z.string(), z.unknown()).nullable().catch(null).default(null),
})

/**
 * Reads `message.edited`; throws when the frame cannot be read. The media stays that of the message: it cannot be
 * edited, and the engine's address must not be shown.
 */
export function readEdit(frame: JsonFrame): MessageChanged {
  const { externalMessageId, timestamp: time, content } = CHANGE.parse(frame)
  const read = content && readContent(content)
  // An unreadable edit is told without its content, so that the message keeps what it said.
  const edited =
    read && read.messageType !== 'unsupported' ? { ...read, content: { ...read.content, media: null } } : null
  return { type: 'messageChanged', externalMessageId, kind: 'EDIT', at: happenedAt(time), edited }
}

/** Reads `message.revoked`; throws when the frame cannot be read. */
export function readRevocation(frame: JsonFrame): MessageChanged {
  const { externalMessageId, timestamp: time } = CHANGE.parse(frame)
  return { type: 'messageChanged', externalMessageId, kind: 'REVOKE', at: happenedAt(time), edited: null }
}

/** Our choice: most options of one vote that are told; the network has 12 in a poll. */
const MOST_OPTIONS = 100
const VOTE = z.object({
  externalMessageId: text,
  messageId: ours,
  from: text,
  fromName: optional,
  group: room,
  options: z.array(z.string()).max(MOST_OPTIONS),
  timestamp,
})

/** Reads `message.poll_vote` ([message-verbs.modes.6]); throws when the frame cannot be read. */
export function readVote(frame: JsonFrame): PollVoted {
  const { externalMessageId, messageId, from, fromName, group, options, timestamp: time } = VOTE.parse(frame)
  const at = happenedAt(time)
  return { type: 'pollVoted', externalMessageId, messageId, from: digitsOf(from), fromName, group, options, at }
}
