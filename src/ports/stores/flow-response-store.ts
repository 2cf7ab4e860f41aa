import type { ConversationId, FlowId, FlowResponseId, MessageId } from '../../domain/ids.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { Page, Paged } from './message-store.ts'

/** What a customer submitted (contract 11, Responses). */
export interface FlowResponse {
  readonly id: FlowResponseId
  readonly flowId: FlowId
  /** Digits, or upstream's id of a user who hides the number. */
  readonly contactNumber: string
  readonly contactName: string | null
  readonly conversationId: ConversationId
  /** The Flow message it answers; null when that is not known. */
  readonly messageId: MessageId | null
  /** Upstream's id of the reply. */
  readonly externalMessageId: string
  readonly flowToken: string | null
  /** Its fields without the token; null when they cannot be read. */
  readonly response: Fields | null
  /** As upstream told it, where it cannot be read; null otherwise. */
  readonly rawResponse: string | null
  /** By upstream's clock. */
  readonly submittedAt: Date
}

/** An answer to a Flow as the message carries it that came in: the rest is the message's own. */
export type FlowReply = Pick<FlowResponse, 'flowToken' | 'response' | 'rawResponse'>

/** The same with the id that it is stored under. */
export interface FlowAnswer extends FlowReply {
  /** For the case that the message is new. */
  readonly id: FlowResponseId
}

export interface FlowResponseQuery extends Page {
  /** Both inclusive, on `submittedAt`. */
  readonly startDate: Date | null
  readonly endDate: Date | null
}

/**
 * Responses as their number sees them, newest first. They obey the number's privacy as it is now: those past the window
 * of STORE_X_DAYS are neither shown nor counted, and under RELAY_ONLY there are none. They are stored by whoever stores
 * what came in (MessageInbox).
 */
export interface FlowResponseStore {
  list(
    number: NumberRef,
    flowId: FlowId,
    query: FlowResponseQuery,
  ): Promise<Paged<FlowResponse> & { readonly isRelayOnly: boolean }>
}
