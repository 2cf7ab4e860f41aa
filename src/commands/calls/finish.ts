import { isLive } from '../../domain/call.ts'
import type { CallAnswer } from '../../domain/call.ts'
import type { Outcome } from '../../domain/errors.ts'
import { answered, findCall } from './ask.ts'
import type { CallName } from './ask.ts'
import type { CallPorts } from './ports.ts'

/**
 * Rejects or ends a call. A call that is over answers how it ended ([calls.states.12]). Refusals: CALL_NOT_FOUND, and
 * those of the call's actor.
 */
export async function finishCall(
  ports: CallPorts,
  name: CallName,
  type: 'Reject' | 'Terminate',
): Promise<Outcome<CallAnswer>> {
  const found = await findCall(ports, name)
  if (!found.ok || !isLive(found.value.status)) return found
  const { numberId, id, provider } = found.value
  return answered(ports, provider, await ports.directory.askCall(numberId, id, type, { trace: name.trace }))
}
