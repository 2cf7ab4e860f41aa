import type { Fields } from '../../../domain/json-fields.ts'
import type { FlowReply } from '../../../ports/stores/flow-response-store.ts'
import { fieldsOf, nameIn, objectIn } from '../values/loose.ts'
import { parseWhole } from '../values/whole-json.ts'

/** The field of an answer that upstream adds to those of the form. */
const TOKEN = 'flow_token'

/** What a message submits to a Flow; null: it answers none. The answer is JSON in a text, and nobody has checked it. */
export function readFlowReply(message: Fields): FlowReply | null {
  const reply = objectIn(objectIn(message, 'interactive'), 'nfm_reply')
  if (reply === null) return null
  const told = reply['response_json']
  const fields = typeof told === 'string' ? parseWhole(told) : fieldsOf(told)
  if (fields === null)
    return {
      flowToken: null,
      response: null,
      rawResponse: typeof told === 'string' ? told : JSON.stringify(told ?? null),
    }
  // Made of entries, so that a field called `__proto__` is one like any other.
  const response = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== TOKEN))
  return { flowToken: Object.hasOwn(fields, TOKEN) ? nameIn(fields, TOKEN) : null, response, rawResponse: null }
}
