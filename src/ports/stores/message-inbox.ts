import type { MessageId } from '../../domain/ids.ts'
import type {
  ConversationType,
  MessageContent,
  MessageFailure,
  MessageType,
  ReportedStatus,
} from '../../domain/message.ts'
import type { MessageChange } from '../../domain/message-change.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ToldReferral } from '../../domain/referral.ts'
import type { Fence } from '../leases.ts'
import type { FlowReply } from './flow-response-store.ts'

/** A message that came in, or that the number's owner wrote elsewhere (echo). */
export interface IncomingMessage {
  readonly id: MessageId
  readonly externalMessageId: string
  /** The conversation it belongs to: the peer's digits or id, the group, the channel. */
  readonly peer: string
  readonly conversationType: ConversationType
  /** Of the peer, group or channel; null keeps what is known. */
  readonly peerName: string | null
  readonly isFromMe: boolean
  readonly from: string
  readonly fromName: string | null
  readonly to: string
  readonly type: MessageType
  readonly content: MessageContent
  readonly quotedMessageId: string | null
  /** What was submitted, where it answers a Flow; null: it answers none. */
  readonly flowReply: FlowReply | null
  /** The ad or post it came from; recorded where it begins a conversation. Null: none is told. */
  readonly referral: ToldReferral | null
  readonly happenedAt: Date
  /** Historical messages, and echoes, count as read. */
  readonly isUnread: boolean
  /** Told when the message is new. */
  readonly events: readonly NewEvent[]
  /** Told beside them when it quotes a message of ours; null: never. */
  readonly replyEvent: NewEvent | null
}

export interface StatusReport {
  readonly externalMessageId: string
  /** Our id, where upstream gives back what we sent with the message. */
  readonly messageId: MessageId | null
  readonly status: ReportedStatus
  /** With FAILED. */
  readonly failure: MessageFailure | null
  readonly at: Date
}

/**
 * `applied`; `stale`: known before, or it would move backwards; `unknown`: no such message of this number; `fenced`.
 */
export type InboxResult = 'applied' | 'stale' | 'unknown' | 'fenced'

/** A user as upstream names it both ways. */
export interface NamedPeer {
  readonly digits: string
  /** Upstream's id, by which the user goes where it hides the number. */
  readonly userId: string
}

/** `waiting`: its message has not come yet; it is kept for 7 days. `stale`: it changes nothing. */
export type ChangeResult = 'applied' | 'stale' | 'waiting'

/** What upstream tells of messages, stored by the number's owner. Writes that come together share statements. */
export interface MessageInbox {
  /**
   * Stores message, conversation and events unless the number has the upstream id already (`stale`); one of type
   * `unsupported` gives way to what can be read. A change that waited for it is applied. RELAY_ONLY keeps no content,
   * no address, no name. An answer to a Flow is stored beside the message, once, joined to the message that it answers,
   * else by its token, both of what the number's account sent in its tenant; RELAY_ONLY keeps none. A referral is
   * recorded where the message begins a conversation of an OFFICIAL number with one person: no inbound message of that
   * person is known with a time in the 24 h before it. Its ad's names are asked for. RELAY_ONLY keeps no id of the
   * click.
   */
  receive(fence: Fence, message: IncomingMessage): Promise<Exclude<InboxResult, 'unknown'>>
  /** Only events, of what is not stored (stories). At least once: a story told twice by the engine is told twice. */
  tell(fence: Fence, events: readonly NewEvent[]): Promise<Exclude<InboxResult, 'unknown' | 'stale'>>
  /**
   * Moves a message of ours by what upstream reports, with its one event. A QUEUED message reported by our id gets its
   * upstream id here.
   */
  report(fence: Fence, report: StatusReport): Promise<InboxResult>
  /**
   * From now on both names of the user lead to one conversation, that of the number; what the other had moves there.
   * `stale`: it was known. A later word counts for what comes later.
   */
  name(fence: Fence, peer: NamedPeer): Promise<Exclude<InboxResult, 'unknown'>>
  /** Changes what a message of either direction says. RELAY_ONLY keeps that it was changed, not what it says. */
  change(fence: Fence, change: MessageChange): Promise<ChangeResult | 'fenced'>
}
