import { isLive } from '../../domain/call.ts'
import type { Call } from '../../domain/call.ts'
import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import type { ProviderKind } from '../../domain/number.ts'
import type { Traced } from '../../domain/trace.ts'
import type { CallStore } from '../../ports/stores/call-store.ts'
import { onceMarked } from '../official/ask.ts'
import type { CallPorts } from './ports.ts'

/** Names a call, by its service id or its provider's id, with the trace of whatever asks it. */
export interface CallName extends Traced {
  readonly numberId: NumberId
  readonly callId: string
}

/** Our choice: no id of a call is longer; a longer one is not looked up. */
const MAX_CALL_ID = 256

/** Finds the number's call by its service id or its provider's id. Refusal: CALL_NOT_FOUND. */
export async function findCall(
  { calls }: { readonly calls: Pick<CallStore, 'find'> },
  { numberId, callId }: CallName,
): Promise<Outcome<Call>> {
  const call = callId.length <= MAX_CALL_ID ? await calls.find(numberId, callId) : null
  return call ? succeed(call) : fail(refuse('CALL_NOT_FOUND', 'No such call on this number'))
}

/**
 * Asks a call that is still live. Refusals: CALL_NOT_FOUND; CALL_INVALID_STATE when its row says that it is over; those
 * of `ask`.
 */
export async function askLive<T>(
  ports: CallPorts,
  name: CallName,
  ask: (call: Call) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const found = await findCall(ports, name)
  if (!found.ok) return found
  const call = found.value
  if (!isLive(call.status)) return fail(refuse('CALL_INVALID_STATE', `The call is over (${call.status})`))
  return answered(ports, call.provider, await ask(call))
}

/** Whether our media host carries the audio of this call of an OFFICIAL number ([bridged-calls.bridge.9]). */
export async function isBridged(ports: CallPorts, name: CallName): Promise<boolean> {
  const found = await findCall(ports, name)
  return found.ok && found.value.media === 'bridge'
}

/** Passes on the answer of a number's actor, once what an upstream refusal says of the number is stored. */
export function answered<T>(
  ports: CallPorts,
  provider: ProviderKind,
  outcome: Outcome<T>,
): Outcome<T> | Promise<Outcome<T>> {
  return kindOf({ provider }).hasAccount ? onceMarked(ports, outcome) : outcome
}
