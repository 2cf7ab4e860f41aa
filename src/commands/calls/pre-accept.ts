import type { CallAnswer } from '../../domain/call.ts'
import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { askLive, findCall } from './ask.ts'
import type { CallName } from './ask.ts'
import type { CallPorts } from './ports.ts'

/**
 * Sets up the media of an inbound call before it is accepted ([calls.routes.7]). Without `sdp` nothing is sent
 * upstream; a call that rings is answered as it is. Refusals: those of askLive; CALL_INVALID_STATE.
 */
export async function preAccept(ports: CallPorts, name: CallName, sdp: string | null): Promise<Outcome<CallAnswer>> {
  if (sdp !== null)
    return askLive(ports, name, ({ numberId, id }) =>
      ports.directory.askCall(numberId, id, 'PreAccept', { sdp, trace: name.trace }),
    )
  const found = await findCall(ports, name)
  if (!found.ok) return found
  const { direction, status } = found.value
  return direction === 'INBOUND' && status === 'RINGING'
    ? found
    : fail(refuse('CALL_INVALID_STATE', `The call cannot be accepted (${direction} ${status})`))
}
