import { isLive } from '../../domain/call.ts'
import type { Call, CallAnswer } from '../../domain/call.ts'
import type { Outcome } from '../../domain/errors.ts'
import { answered, findCall } from './ask.ts'
import type { AskCallDeps, CallName } from './ask.ts'

/** Rejects or ends a call, as `ask` has it; one that is over answers how it ended (contract 6). */
export async function finishCall(
  deps: AskCallDeps,
  name: CallName,
  ask: (call: Call) => Promise<Outcome<CallAnswer>>,
): Promise<Outcome<CallAnswer>> {
  const found = await findCall(deps, name)
  if (!found.ok || !isLive(found.value.status)) return found
  return answered(deps, found.value.provider, await ask(found.value))
}
