import type { FlowAnswer, FlowResponse } from '../../ports/stores/flow-response-store.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { FlowResponseEntity, type KeptAnswer } from './entity.ts'

/** What is read of responses to Flows that are known. */
const RESPONSES = rowsOf(FlowResponseEntity).without('tenantId', 'numberId', 'contextId').filled<'flowId'>()
export type ResponseRow = RowIn<typeof RESPONSES>

/** Of responses `r`. */
export const RESPONSE_COLUMNS = RESPONSES.list('r')

const toKept = RESPONSES.reader({ contact: 'contactNumber' })

/**
 * The columns that `answerCtes` reads an answer from, beside those of the message that carries it; of a message without
 * one they are absent.
 */
export function answerFields(answer: FlowAnswer | null) {
  if (answer === null) return {}
  const kept: KeptAnswer = answer.response === null ? { raw: answer.rawResponse ?? '' } : { fields: answer.response }
  return { answer_id: answer.id, answer_token: answer.flowToken, answer: JSON.stringify(kept) }
}

export function toResponse(row: ResponseRow): FlowResponse {
  const { response: kept, ...response } = toKept(row)
  return { ...response, response: 'fields' in kept ? kept.fields : null, rawResponse: 'raw' in kept ? kept.raw : null }
}
