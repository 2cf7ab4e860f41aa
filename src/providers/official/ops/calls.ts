import { fail, succeed } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { ProviderSession } from '../../../ports/provider.ts'
import type { GraphFailure } from '../errors/graph-error.ts'
import type { Graph, GraphAnswer } from '../client/graph.ts'
import { refusalOf, unreadable } from '../errors/error-map.ts'
import { fieldsOf } from '../values/loose.ts'
import { recipientOf } from '../message/recipient.ts'

type CallOps = Required<
  Pick<ProviderSession, 'offerCall' | 'preAcceptCall' | 'acceptCall' | 'rejectCall' | 'terminateCall'>
>

/**
 * Upstream's code for a parameter that it refuses: here the call id, the only one that differs between two of these
 * requests.
 */
const BAD_PARAMETER = 100
/** Subcode of 100: the object in the path, here the phone, is gone or forbidden. */
const NO_SUCH_OBJECT = 33

/**
 * Calls in progress, over `/{phone id}/calls`. None is repeated, because it is unknown whether a lost request took
 * effect.
 */
export function callOps(graph: Graph, credentials: OfficialCredentials): CallOps {
  function act(action: string, fields: Readonly<Record<string, unknown>>): Promise<GraphAnswer> {
    return graph.ask(credentials, {
      op: `call.${action}`,
      method: 'POST',
      path: [credentials.phoneId, 'calls'],
      isRepeatable: false,
      body: { messaging_product: 'whatsapp', ...fields, action },
    })
  }
  async function take(action: 'pre_accept' | 'accept', callId: string, sdp: string): Promise<Outcome<null>> {
    const answer = await act(action, { call_id: callId, session: { sdp_type: 'answer', sdp } })
    return answer.ok ? succeed(null) : fail(refusalOf(answer.failure))
  }
  async function end(action: 'reject' | 'terminate', callId: string): Promise<Outcome<null>> {
    const answer = await act(action, { call_id: callId })
    return answer.ok || isOver(answer.failure) ? succeed(null) : fail(refusalOf(answer.failure))
  }
  return {
    async offerCall(to, sdp, bizOpaqueCallbackData) {
      const biz = bizOpaqueCallbackData ? { biz_opaque_callback_data: bizOpaqueCallbackData } : {}
      const answer = await act('connect', { ...recipientOf(to), session: { sdp_type: 'offer', sdp }, ...biz })
      if (!answer.ok) return fail(refusalOf(answer.failure))
      const externalCallId = callIdOf(answer.body)
      return externalCallId === null ? fail(unreadable('The answer holds no call id.')) : succeed({ externalCallId })
    },
    preAcceptCall: (callId, sdp) => take('pre_accept', callId, sdp),
    acceptCall: (callId, sdp) => take('accept', callId, sdp),
    rejectCall: (callId) => end('reject', callId),
    terminateCall: (callId) => end('terminate', callId),
  }
}

/**
 * True when upstream does not know the call any more, so that it has ended. Our choice: upstream names no code for it
 * but "bad parameter".
 */
function isOver(failure: GraphFailure): boolean {
  return failure.kind === 'error' && failure.code === BAD_PARAMETER && failure.subcode !== NO_SUCH_OBJECT
}

function callIdOf(body: Readonly<Record<string, unknown>>): string | null {
  const list: unknown = body['calls']
  const id = Array.isArray(list) ? fieldsOf(list[0])?.['id'] : undefined
  return typeof id === 'string' && id !== '' ? id : null
}
