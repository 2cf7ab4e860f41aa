import type { ConversationId, FlowId, FlowResponseId, MessageId } from '../../domain/ids.ts'
import type { Fields } from '../../domain/json-fields.ts'
import type { FlowAnswer, FlowResponse } from '../../ports/stores/flow-response-store.ts'
import { toDate } from '../engine/rows.ts'

/** What a read selects of `flow_responses`. */
export interface ResponseRow {
  readonly id: FlowResponseId
  readonly flow_id: FlowId
  readonly conversation_id: ConversationId
  readonly contact: string
  readonly contact_name: string | null
  readonly message_id: MessageId | null
  readonly external_message_id: string
  readonly flow_token: string | null
  readonly response: string
  readonly submitted_at: string
}

/** Of responses `r`. */
export const RESPONSE_COLUMNS = ['id', 'flow_id', 'conversation_id', 'contact', 'contact_name', 'message_id', 'external_message_id', 'flow_token', 'response', 'submitted_at']
  .map((column) => `r.${column}`).join(', ')

/** What was submitted as its column has it: which of the two it is must not be guessed from the text. */
type Kept = { readonly fields: Fields } | { readonly raw: string }

/** The columns that `answerCtes` reads an answer from, beside those of the message that carries it; of a message without one they are absent. */
export function answerFields(answer: FlowAnswer | null) {
  if (answer === null) return {}
  const kept: Kept = answer.response === null ? { raw: answer.rawResponse ?? '' } : { fields: answer.response }
  return { answer_id: answer.id, answer_token: answer.flowToken, answer: JSON.stringify(kept) }
}

export function toResponse(row: ResponseRow): FlowResponse {
  const kept = JSON.parse(row.response) as Kept
  return {
    id: row.id, flowId: row.flow_id, contactNumber: row.contact, contactName: row.contact_name, conversationId: row.conversation_id, messageId: row.message_id,
    externalMessageId: row.external_message_id, flowToken: row.flow_token, response: 'fields' in kept ? kept.fields : null, rawResponse: 'raw' in kept ? kept.raw : null,
    submittedAt: toDate(row.submitted_at),
  }
}
