import type { MessageId } from '../../../src/domain/ids.ts'
import { kindOf } from '../../../src/domain/kinds/kinds.ts'
import type { ConversationType, MessageContent } from '../../../src/domain/message.ts'
import type { EventName, NewEvent } from '../../../src/domain/events.ts'
import type { MessageChange } from '../../../src/domain/message-change.ts'
import { messageEvent, sentElsewhereEvent } from '../../../src/domain/message-event.ts'
import type { ToldMessage } from '../../../src/domain/message-event.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { PollVote } from '../../../src/domain/poll-vote.ts'
import type { ProviderEvent, ReceivedMessage, ReportedMessage } from '../../../src/ports/provider.ts'
import type { IncomingMessage, NamedPeer } from '../../../src/ports/stores/message-inbox.ts'
import type { ReadyNumber, Step } from '../state.ts'
import { isStateless, step } from '../state.ts'
import type { Keeping } from './state.ts'

const EVENT_OF: Readonly<Record<ConversationType, EventName>> = {
  DIRECT: 'message.received',
  GROUP: 'message.group',
  NEWSLETTER: 'message.newsletter',
}

function conversationOf({ group, newsletter }: ReceivedMessage): ConversationType {
  if (newsletter) return 'NEWSLETTER'
  return group ? 'GROUP' : 'DIRECT'
}

/**
 * Whether the number's settings drop a message: it is not stored, marked read or told ([numbers.settings.3]
 * [numbers.settings.7]).
 */
function isDropped(
  { settings }: ChannelNumber,
  { isStory, isFromMe, isHistorical, group, newsletter }: ReceivedMessage,
): boolean {
  // Our choice: posts of the number itself do not count as posts of a contact.
  if (isStory) return settings.ignoreStatus === true || isFromMe || isHistorical
  if (isHistorical && !settings.historyImportEnabled) return true
  return (group !== null && settings.ignoreGroups === true) || (newsletter !== null && settings.ignoreNewsletters)
}

/** What is done with a message; null when it is dropped. */
export function keepingOf(number: ChannelNumber, message: ReceivedMessage): Keeping | null {
  if (isDropped(number, message)) return null
  const { isStory, isFromMe, isHistorical } = message
  const conversationType = conversationOf(message)
  const { mediaDownload, inboundEvents, nativeEvents } = kindOf(number).can
  // Our choice: received media is not kept for a number that keeps nothing.
  const isRehosted = !mediaDownload && number.piiMode !== 'RELAY_ONLY'
  if (isStory)
    return {
      conversationType,
      isStored: false,
      isUnread: false,
      marksRead: false,
      event: 'message.stories',
      replyEvent: null,
      isRehosted,
    }
  // A system message of upstream was not written by the peer.
  const isUnread = !isFromMe && !isHistorical && message.messageType !== 'system'
  const isTold = !isFromMe && (!isHistorical || number.settings.webhookHistoricalMessages)
  // A native change goes out unchanged ([events.native.1]); only a reply has an event of the service beside it.
  return {
    conversationType,
    isStored: true,
    isUnread,
    isRehosted,
    marksRead:
      isUnread && !isStateless(number) && conversationType !== 'NEWSLETTER' && number.settings.readMessages === true,
    event: !inboundEvents
      ? null
      : isTold
        ? EVENT_OF[conversationType]
        : isFromMe && !isHistorical
          ? 'message.sent'
          : null,
    replyEvent: isTold && nativeEvents && message.quotedMessageId !== null ? 'message.reply' : null,
  }
}

function toldAs(
  event: EventName | null,
  number: ChannelNumber,
  message: ReceivedMessage,
  id: MessageId,
  content: MessageContent,
): NewEvent | null {
  if (event === null) return null
  const { externalMessageId, from, fromName, to, isStory, isFromMe, messageType, group, quotedMessageId, at } = message
  const told: ToldMessage = {
    id,
    numberId: number.id,
    externalMessageId,
    from,
    fromName,
    to: isStory ? null : to,
    isFromMe,
    type: messageType,
    content,
    groupId: group?.id ?? null,
    groupName: group?.name ?? null,
    quotedMessageId,
    at,
  }
  const made = isFromMe ? sentElsewhereEvent(told, peerOf(message)) : messageEvent(event, told)
  return message.trace ? { ...made, trace: message.trace } : made
}

/** The events of a message that is not stored. `content` has the media at the address where it can be fetched now. */
export function eventsOf(
  number: ChannelNumber,
  message: ReceivedMessage,
  keeping: Keeping,
  id: MessageId,
  content: MessageContent,
): NewEvent[] {
  return [toldAs(keeping.event, number, message, id, content)].filter((event) => event !== null)
}

/** The message as it is stored, with its events. */
export function incomingOf(
  number: ChannelNumber,
  message: ReceivedMessage,
  keeping: Keeping,
  id: MessageId,
  content: MessageContent,
): IncomingMessage {
  const { isFromMe, flowReply = null, referral = null, group, newsletter } = message
  const room = newsletter ?? group
  return {
    id,
    externalMessageId: message.externalMessageId,
    from: message.from,
    fromName: message.fromName,
    isFromMe,
    quotedMessageId: message.quotedMessageId,
    flowReply,
    referral,
    peer: peerOf(message),
    conversationType: keeping.conversationType,
    peerName: room ? room.name : isFromMe ? null : message.fromName,
    to: isFromMe && room ? room.id : message.to,
    type: message.messageType,
    content,
    happenedAt: message.at,
    isUnread: keeping.isUnread,
    events: eventsOf(number, message, keeping, id, content),
    replyEvent: toldAs(keeping.replyEvent, number, message, id, content),
  }
}

/** The peer of the message's conversation. */
export function peerOf({ newsletter, group, isFromMe, from, to }: ReceivedMessage): string {
  return (newsletter ?? group)?.id ?? (isFromMe ? to : from)
}

/** Takes a message, from a session or (`seq` below zero) from a change. */
export function receiveMessage(state: ReadyNumber, message: ReceivedMessage, seq: number): Step<ReadyNumber> {
  // A leaving number takes nothing more. The unsettled message comes again to the next owner.
  if (state.leaving) return step(state)
  const { number } = state
  const keeping = keepingOf(number, message)
  if (keeping) return step(state, [{ type: 'receiveMessage', seq, number, message, keeping }])
  return message.named ? namePeer(state, message.named, seq) : step(state, [{ type: 'settle', seq }])
}

/** Takes upstream's status of a message that was sent. */
export function reportStatus(state: ReadyNumber, report: ReportedMessage, seq: number): Step<ReadyNumber> {
  if (state.leaving) return step(state)
  // Where upstream returns the gateway's id, a status without it is of somebody else's message.
  return step(state, [
    { type: 'reportStatus', seq, tenantId: state.number.tenantId, report, mayOvertake: !isStateless(state.number) },
  ])
}

/** Takes an edit or a revocation. The store tells of it; OFFICIAL numbers deliver the native change. */
export function changeMessage(
  state: ReadyNumber,
  { externalMessageId, kind, at, edited }: MessageChange,
  seq: number,
): Step<ReadyNumber> {
  return state.leaving
    ? step(state)
    : step(state, [{ type: 'changeMessage', seq, change: { externalMessageId, kind, at, edited } }])
}

/** Takes the addresses that upstream names for one person. */
export function namePeer(state: ReadyNumber, { addresses }: NamedPeer, seq: number): Step<ReadyNumber> {
  return state.leaving ? step(state) : step(state, [{ type: 'namePeer', seq, peer: { addresses } }])
}

/** Takes a vote in a poll of the number, which is told and nothing else ([message-verbs.modes.6]). */
export function takeVote(state: ReadyNumber, vote: PollVote, seq: number): Step<ReadyNumber> {
  if (state.leaving) return step(state)
  const isIgnored = vote.group !== null && state.number.settings.ignoreGroups === true
  return step(state, [isIgnored ? { type: 'settle', seq } : { type: 'tellVote', seq, numberId: state.number.id, vote }])
}

/** Tells readers of the number's inboxes that somebody writes, where messages of theirs are taken. */
export function peerTypes(
  state: ReadyNumber,
  { peer, group, state: shown }: ProviderEvent & { type: 'peerTyping' },
): Step<ReadyNumber> {
  const { id: numberId, settings } = state.number
  if (state.leaving || (group !== null && settings.ignoreGroups === true)) return step(state)
  return step(state, [{ type: 'tellTyping', typing: { numberId, peer: group ?? peer, state: shown } }])
}
