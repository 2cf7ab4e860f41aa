import type { EventName } from '../../../src/domain/events.ts'
import type { TenantId } from '../../../src/domain/ids.ts'
import type { ConversationType } from '../../../src/domain/message.ts'
import type { MessageChange } from '../../../src/domain/message-change.ts'
import type { ChannelNumber } from '../../../src/domain/number.ts'
import type { ReceivedMessage, ReportedMessage } from '../../../src/ports/provider.ts'
import type { NamedPeer } from '../../../src/ports/stores/message-inbox.ts'

/** What becomes of a message that came in. */
export interface Keeping {
  readonly conversationType: ConversationType
  /** False: it is only told. */
  readonly isStored: boolean
  readonly isUnread: boolean
  /** Upstream is told that it was read. */
  readonly marksRead: boolean
  /** Null: nobody is told by an event of ours. */
  readonly event: EventName | null
  /** Told beside it when it quotes a message of ours. */
  readonly replyEvent: EventName | null
  /** Its media is fetched from the engine and kept for a while. */
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
  /** `mayOvertake`: it names a message of ours by upstream's id alone, which may not be stored yet. */
  | {
      readonly type: 'reportStatus'
      readonly seq: number
      readonly tenantId: TenantId
      readonly report: ReportedMessage
      readonly mayOvertake: boolean
    }
  | { readonly type: 'changeMessage'; readonly seq: number; readonly change: MessageChange }
  | { readonly type: 'namePeer'; readonly seq: number; readonly peer: NamedPeer }
