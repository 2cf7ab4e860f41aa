import type { CallCommandType, CallCommands } from '../../../../actors/call/messages.ts'
import { isLive } from '../../../domain/call.ts'
import type { Call } from '../../../domain/call.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { HttpDeps } from '../../deps.ts'
import { unwrapOfficial } from '../../official-parts.ts'
import { unwrap } from '../../outcome.ts'

export type CallDeps = Pick<HttpDeps, 'calls' | 'directory' | 'official'>

/** Our choice: no id of either side is longer; a longer one is not looked for. */
const MAX_CALL_ID = 256

/** The number's call of this id, of either side. */
export async function findCall(deps: CallDeps, numberId: NumberId, callId: string): Promise<Call> {
  const call = callId.length <= MAX_CALL_ID ? await deps.calls.find(numberId, callId) : null
  if (!call) throw new RefusalError(refuse('CALL_NOT_FOUND', 'No such call on this number'))
  return call
}

/** Asks a call that is still going on; one that is over is refused from its row. */
export async function askLive<T extends CallCommandType>(deps: CallDeps, call: Call, type: T, fields: CallCommands[T]['fields']): Promise<CallCommands[T]['value']> {
  if (!isLive(call.status)) throw new RefusalError(refuse('CALL_INVALID_STATE', `The call is over (${call.status})`))
  return answered(deps, call.provider === 'OFFICIAL', await deps.directory.askCall(call.numberId, call.id, type, fields))
}

/** The value of an answer; what a refusal of upstream says of the number is stored first. */
export function answered<T>(deps: CallDeps, isOfficial: boolean, outcome: Outcome<T>): T | Promise<T> {
  return isOfficial ? unwrapOfficial(deps.official, outcome) : unwrap(outcome)
}
