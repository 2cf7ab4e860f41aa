import type { MessageId } from '../../domain/ids.ts'
import type { ConversationType, MessageContent, MessageFailure, MessageType, ReportedStatus } from '../../domain/message.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { Fence } from '../leases.ts'

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

/** `applied`; `stale`: known before, or it would move backwards; `unknown`: no such message of this number; `fenced`. */
export type InboxResult = 'applied' | 'stale' | 'unknown' | 'fenced'

/** What upstream tells of messages, stored by the number's owner. Writes that come together share statements. */
export interface MessageInbox {
  /** Stores message, conversation and events unless the number has the upstream id already (`stale`). RELAY_ONLY keeps no content, no address, no name. */
  receive(fence: Fence, message: IncomingMessage): Promise<Exclude<InboxResult, 'unknown'>>
  /** Only events, of what is not stored (stories). At least once: a story told twice by the engine is told twice. */
  tell(fence: Fence, events: readonly NewEvent[]): Promise<Exclude<InboxResult, 'unknown' | 'stale'>>
  /** Moves a message of ours by what upstream reports, with its one event. A QUEUED message reported by our id gets its upstream id here. */
  report(fence: Fence, report: StatusReport): Promise<InboxResult>
}
