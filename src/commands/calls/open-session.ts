import type { Call } from '../../domain/call.ts'
import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { MintedSession } from '../../ports/media.ts'
import { askLive } from './ask.ts'
import type { AskCallDeps, CallName } from './ask.ts'

export interface OpenSessionDeps extends AskCallDeps {
  /** Has the call's host mint a token that dies with the caller. */
  readonly askSession: (call: Call) => Promise<Outcome<MintedSession>>
  /** Whether the caller is still who it was, asked of the store. */
  readonly stillHolds: () => Promise<boolean>
  /** Forgets the caller on every node, and has its unused tokens forgotten. */
  readonly revokeCaller: () => Promise<void>
}

/**
 * Mints a realtime session for a live call (contract 7). The caller is looked at again once the token exists: whoever
 * replaces a key afterwards finds the token, whoever did before is found here. Refusals: those of askLive and
 * askSession, UNAUTHENTICATED when the caller was replaced meanwhile.
 */
export async function openSession(deps: OpenSessionDeps, name: CallName): Promise<Outcome<MintedSession>> {
  const session = await askLive(deps, name, deps.askSession)
  if (!session.ok || (await deps.stillHolds())) return session
  await deps.revokeCaller()
  return fail(refuse('UNAUTHENTICATED', 'The key was replaced meanwhile'))
}
