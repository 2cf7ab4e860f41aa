import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { MintedSession } from '../../ports/media.ts'
import { askLive } from './ask.ts'
import type { CallName } from './ask.ts'
import type { CallPorts, SessionToMint } from './ports.ts'

/** Who asks for a session, as whoever proved it can say. */
export interface SessionCaller {
  /** Whether the caller is still who it was, asked of the store. */
  readonly stillHolds: () => Promise<boolean>
  /** Forgets the caller on every node, and has its unused tokens forgotten. */
  readonly revoke: () => Promise<void>
}

/**
 * Mints a realtime session for a live call (contract 7). The caller is looked at again once the token exists: whoever
 * replaces a key afterwards finds the token, whoever did before is found here. Refusals: those of askLive and
 * of the call's host, UNAUTHENTICATED when the caller was replaced meanwhile.
 */
export async function openSession(
  ports: CallPorts,
  name: CallName,
  wanted: SessionToMint,
  { stillHolds, revoke }: SessionCaller,
): Promise<Outcome<MintedSession>> {
  const session = await askLive(ports, name, ({ numberId, id }) =>
    ports.directory.askCall(numberId, id, 'OpenSession', wanted),
  )
  if (!session.ok || (await stillHolds())) return session
  await revoke()
  return fail(refuse('UNAUTHENTICATED', 'The key was replaced meanwhile'))
}
