import type { EventName } from '../../../src/domain/events.ts'
import type { NumberId, TenantId } from '../../../src/domain/ids.ts'
import type { ConversationType } from '../../../src/domain/message.ts'
import type { MessageChange } from '../../../src/domain/message-change.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { PollVote } from '../../../src/domain/poll-vote.ts'
import type { ReceivedMessage, ReportedMessage } from '../../../src/ports/provider.ts'
import type { PeerTyping } from '../../../src/ports/peer-typing.ts'
import type { NamedPeer } from '../../../src/ports/stores/message-inbox.ts'

/** What is done with a received message. */
export interface Keeping {
  readonly conversationType: ConversationType
  /** False for a message that only becomes an event. */
  readonly isStored: boolean
  readonly isUnread: boolean
  /** True when upstream is told that it was read. */
  readonly marksRead: boolean
  /** The event of the service; null for none. */
  readonly event: EventName | null
  /** The event beside it when the message quotes one of the tenant's; null for none. */
  readonly replyEvent: EventName | null
  /** True when its media is fetched from the engine and kept for a while. */
  readonly isRehosted: boolean
}

export type ReceivingEffect =
  | {
      readonly type: 'receiveMessage'
      readonly seq: number
      readonly number: ChannelNumber
      readonly message: ReceivedMessage
      readonly keeping: Keeping
    }
  /** `mayOvertake` is true when the status names its message by upstream's id alone, which may not be stored yet. */
  | {
      readonly type: 'reportStatus'
      readonly seq: number
      readonly tenantId: TenantId
      readonly report: ReportedMessage
      readonly mayOvertake: boolean
    }
  | { readonly type: 'changeMessage'; readonly seq: number; readonly change: MessageChange }
  | { readonly type: 'tellVote'; readonly seq: number; readonly numberId: NumberId; readonly vote: PollVote }
  | { readonly type: 'namePeer'; readonly seq: number; readonly peer: NamedPeer }
  | { readonly type: 'tellTyping'; readonly typing: PeerTyping }
