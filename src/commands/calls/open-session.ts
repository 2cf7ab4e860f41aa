import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { MintedSession } from '../../ports/media.ts'
import { askLive } from './ask.ts'
import type { CallName } from './ask.ts'
import type { CallPorts, SessionToMint } from './ports.ts'

/** The caller who asks for a session; whoever authenticated the caller makes these functions. */
export interface SessionCaller {
  /** Asks the store whether the caller's credential still holds. */
  readonly stillHolds: () => Promise<boolean>
  /** Makes every node forget the caller and its unused tokens. */
  readonly revoke: () => Promise<void>
}

/**
 * Mints a realtime session for a live call ([realtime.session.1]). The caller is checked again once the token exists: a
 * key that is replaced later makes its tokens forgotten, and one that was replaced before is noticed here. Refusals:
 * those of askLive and of the call's host; UNAUTHENTICATED when the key was replaced meanwhile.
 */
export async function openSession(
  ports: CallPorts,
  name: CallName,
  wanted: SessionToMint,
  { stillHolds, revoke }: SessionCaller,
): Promise<Outcome<MintedSession>> {
  const session = await askLive(ports, name, ({ numberId, id }) =>
    ports.directory.askCall(numberId, id, 'OpenSession', { ...wanted, trace: name.trace }),
  )
  if (!session.ok || (await stillHolds())) return session
  await revoke()
  return fail(refuse('UNAUTHENTICATED', 'The key was replaced meanwhile'))
}
