import { fail, refuse, succeed } from './errors.ts'
import type { Outcome } from './errors.ts'
import { refuseFlow } from './flow-refusals.ts'
import { firstPlaceOf, jsonFaultIn } from './json-fault.ts'
import type { TextPlace } from './json-fault.ts'
import { isFields } from './json-fields.ts'
import { hasMoreValues } from './json-values.ts'
import { FLOW_JSON_BYTES } from './limits.ts'

/** Our choice, more than bodies have: the longest lists of a dozen screens have some 50,000. */
export const FLOW_JSON_VALUES = 100_000
/** Our choice, in characters: a smaller one is read within a millisecond. */
const LARGE_DOCUMENT = 32_768
const BYTE_ORDER_MARK = '\uFEFF'

/** An item of `validationErrors` as upstream has them, made here before upstream is asked ([flows.document.2]). */
export interface FlowDocumentFault {
  readonly error: 'INVALID_FLOW_JSON'
  readonly error_type: 'FLOW_JSON_ERROR'
  readonly message: string
  readonly line_start: number
  readonly line_end: number
  readonly column_start: number
  readonly column_end: number
}

/** True when reading the document takes so long that it waits for a turn of its own. */
export function isLargeDocument(flowJson: string): boolean {
  return flowJson.length > LARGE_DOCUMENT
}

/**
 * Checks that a document may go up as it stands: at most 10 MB of UTF-8, 100,000 values and a JSON object, a byte order
 * mark before it or not; all else is upstream's judgement ([flows.document.3]). Refusals: PAYLOAD_TOO_LARGE,
 * FLOW_JSON_INVALID with one item that says where reading it failed.
 */
export function checkFlowDocument(flowJson: string): Outcome<string> {
  if (Buffer.byteLength(flowJson) > FLOW_JSON_BYTES)
    return fail(refuse('PAYLOAD_TOO_LARGE', `flowJson is over ${FLOW_JSON_BYTES} bytes`))
  if (hasMoreValues(flowJson, FLOW_JSON_VALUES))
    return fail(refuse('PAYLOAD_TOO_LARGE', `flowJson holds more than ${FLOW_JSON_VALUES} values`))
  const fault = faultOf(flowJson)
  return fault ? fail(refuseFlow('FLOW_JSON_INVALID', [fault])) : succeed(flowJson)
}

function faultOf(flowJson: string): FlowDocumentFault | null {
  // JSON.parse refuses a byte order mark; a space in its place keeps the columns.
  const text = flowJson.startsWith(BYTE_ORDER_MARK) ? ` ${flowJson.slice(1)}` : flowJson
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? null : faultAt(firstPlaceOf(text), 'The document must be a JSON object.')
  } catch {
    const place = jsonFaultIn(text) ?? firstPlaceOf(text)
    return faultAt(place, `The document is no JSON: reading it failed at line ${place.line}, column ${place.column}.`)
  }
}

function faultAt({ line, column }: TextPlace, message: string): FlowDocumentFault {
  return {
    error: 'INVALID_FLOW_JSON',
    error_type: 'FLOW_JSON_ERROR',
    message,
    line_start: line,
    line_end: line,
    column_start: column,
    column_end: column,
  }
}
