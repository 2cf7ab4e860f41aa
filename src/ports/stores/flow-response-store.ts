import type { ConversationId, FlowId, FlowResponseId, MessageId } from '../../domain/ids.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { NumberRef } from '../../domain/number.ts'
import type { Page, Paged } from './message-store.ts'

/** What a customer submitted ([flows.responses.4]). */
export interface FlowResponse {
  readonly id: FlowResponseId
  readonly flowId: FlowId
  /** Digits, or upstream's id of a user who hides the number. */
  readonly contactNumber: string
  readonly contactName: string | null
  readonly conversationId: ConversationId
  /** The Flow message that it answers; null when unknown. */
  readonly messageId: MessageId | null
  /** Upstream's id of the reply. */
  readonly externalMessageId: string
  readonly flowToken: string | null
  /** The fields of the reply without the token; null when they cannot be read ([flows.responses.6]). */
  readonly response: Fields | null
  /** The reply as upstream told it, when it cannot be read; null otherwise. */
  readonly rawResponse: string | null
  /** When it was submitted, by upstream's clock. */
  readonly submittedAt: Date
}

/** The answer to a Flow in a message that came in; the message has the other facts. */
export type FlowReply = Pick<FlowResponse, 'flowToken' | 'response' | 'rawResponse'>

/** The answer with the id under which it is stored. */
export interface FlowAnswer extends FlowReply {
  /** The id that is used when the message is new. */
  readonly id: FlowResponseId
}

export interface FlowResponseQuery extends Page {
  /** Both inclusive, compared with `submittedAt`. */
  readonly startDate: Date | null
  readonly endDate: Date | null
}

/**
 * Responses as their number sees them, newest first. The number's present privacy applies: those past the window of
 * STORE_X_DAYS are neither shown nor counted, and under RELAY_ONLY there are none ([flows.responses.8] to
 * [flows.responses.10]). MessageInbox stores them with the message.
 */
export interface FlowResponseStore {
  list(
    number: NumberRef,
    flowId: FlowId,
    query: FlowResponseQuery,
  ): Promise<Paged<FlowResponse> & { readonly isRelayOnly: boolean }>
}
