import type { Call, CallAnswer } from '../../domain/call.ts'
import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { askLive, findCall } from './ask.ts'
import type { AskCallDeps, CallName } from './ask.ts'

export interface PreAcceptDeps extends AskCallDeps {
  /** Has the call set its media up ahead with the tenant's answer. */
  readonly askPreAccept: (call: Call, sdp: string) => Promise<Outcome<CallAnswer>>
}

/**
 * Sets the media of an inbound call up before it is accepted (contract 6). Without `sdp` nothing is sent ahead: a call
 * that rings may go on to.
 */
export async function preAccept(deps: PreAcceptDeps, name: CallName, sdp: string | null): Promise<Outcome<CallAnswer>> {
  if (sdp !== null) return askLive(deps, name, (call) => deps.askPreAccept(call, sdp))
  const found = await findCall(deps, name)
  if (!found.ok) return found
  const { direction, status } = found.value
  return direction === 'INBOUND' && status === 'RINGING'
    ? found
    : fail(refuse('CALL_INVALID_STATE', `The call cannot be accepted (${direction} ${status})`))
}
