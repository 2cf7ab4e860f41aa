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
import type { PriceCategory } from '../../domain/usage.ts'
import type { Fence } from '../leases.ts'
import type { FlowReply } from './flow-response-store.ts'

/** A message that came in, or that the number's owner wrote elsewhere (echo). */
export interface IncomingMessage {
  readonly id: MessageId
  readonly externalMessageId: string
  /** The conversation that it belongs to: the peer's digits or id, the group, the channel. */
  readonly peer: string
  readonly conversationType: ConversationType
  /** The name of the peer, group or channel; null keeps the known name. */
  readonly peerName: string | null
  readonly isFromMe: boolean
  readonly from: string
  readonly fromName: string | null
  readonly to: string
  readonly type: MessageType
  readonly content: MessageContent
  readonly quotedMessageId: string | null
  /** The submitted answer, when the message answers a Flow; null for others. */
  readonly flowReply: FlowReply | null
  /** The ad or post that it came from, recorded when it begins a conversation; null when none is told. */
  readonly referral: ToldReferral | null
  readonly happenedAt: Date
  /** False for historical messages and echoes, which count as read. */
  readonly isUnread: boolean
  /** The events that are told when the message is new. */
  readonly events: readonly NewEvent[]
  /** The event that is told besides when it quotes a message of the service; null when never. */
  readonly replyEvent: NewEvent | null
}

export interface StatusReport {
  readonly externalMessageId: string
  /** The service's id, when upstream gives back what was sent with the message. */
  readonly messageId: MessageId | null
  readonly status: ReportedStatus
  /** Set with FAILED. */
  readonly failure: MessageFailure | null
  readonly at: Date
  /** What upstream charges the message as; null or absent when it says nothing of it, or charges nothing. */
  readonly priceCategory?: PriceCategory | null
  /**
   * The number under which upstream knows who was written to; null or absent when it does not say. One that the message
   * was not sent to is a name of the same person ([identities.joining.2]).
   */
  readonly recipient?: string | null
}

/**
 * `applied`; `stale`: known before, or it would move backwards; `unknown`: the number has no such message; `fenced`:
 * another node owns the number.
 */
export type InboxResult = 'applied' | 'stale' | 'unknown' | 'fenced'

/** A person whom upstream or the device network names by several addresses at once ([identities.joining.2]). */
export interface NamedPeer {
  /** At least two that differ: digits, user ids, ids of the device network. Of a kind the one to answer to is first. */
  readonly addresses: readonly string[]
}

/** `waiting`: the message has not come yet; the change is kept for 7 days. `stale`: it changes nothing. */
export type ChangeResult = 'applied' | 'stale' | 'waiting'

/** What upstream tells of messages, stored by the number's owner. Concurrent writes share statements. */
export interface MessageInbox {
  /**
   * Stores message, conversation and events unless the number has the upstream id already (`stale`); one of type
   * `unsupported` is replaced by a readable one. A change that waited for the message is applied. RELAY_ONLY keeps no
   * content, no address, no name. An answer to a Flow is stored beside the message, once, joined to the message that it
   * answers, else by its token, both among what the number's account sent in its tenant ([flows.responses.1]);
   * RELAY_ONLY keeps none. A referral is recorded when the message begins a conversation of an OFFICIAL number with one
   * person: no inbound message of that person is known with a time in the 24 h before it ([referrals.first-message.1]).
   * Its ad's names are asked for. RELAY_ONLY keeps no id of the click.
   */
  receive(fence: Fence, message: IncomingMessage): Promise<Exclude<InboxResult, 'unknown'>>
  /**
   * Stores events alone, for what is not stored itself (stories). A story that the engine tells twice is told twice.
   */
  tell(fence: Fence, events: readonly NewEvent[]): Promise<Exclude<InboxResult, 'unknown' | 'stale'>>
  /**
   * Moves a message of the service by what upstream reports, with its one event. A QUEUED message that is reported by
   * the service's id gets its upstream id here.
   */
  report(fence: Fence, report: StatusReport): Promise<InboxResult>
  /**
   * Joins all addresses of a person: from now on they lead to one conversation, the oldest that one of them has. The
   * ids of others lead there too, and their messages keep their own ids. `stale` when this was known.
   */
  name(fence: Fence, peer: NamedPeer): Promise<Exclude<InboxResult, 'unknown'>>
  /**
   * Changes the content of a message of either direction, with its event `message.revoked` when the number has events
   * of its own. RELAY_ONLY keeps that it was changed, not the new content.
   */
  change(fence: Fence, change: MessageChange): Promise<ChangeResult | 'fenced'>
}
