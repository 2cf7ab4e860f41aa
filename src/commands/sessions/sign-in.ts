import { isWellFormedApiKey } from '../../domain/api-key.ts'
import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { isLoginToken } from '../../domain/web-session.ts'
import type { OpenedSession, SessionOrigin, SessionProof } from '../../ports/stores/web-session-store.ts'
import type { SessionPorts } from './ports.ts'

/** A tenant key or a login token; exactly one of the two. */
export interface SignIn {
  readonly tenantKey?: string | undefined
  readonly loginToken?: string | undefined
}

/**
 * Opens a new session of the dashboard ([sessions.login.1]). Refusals, as [sessions.login.9]: UNAUTHENTICATED for a key
 * or login token that is unknown, replaced, used or over; NUMBER_SCOPE_NOT_ALLOWED for the key of a number.
 */
export async function signIn(ports: SessionPorts, given: SignIn, from: SessionOrigin): Promise<Outcome<OpenedSession>> {
  const proof = await proofOf(ports, given)
  if (!proof.ok) return proof
  const opened = await ports.webSessions.open(proof.value, from)
  return opened ? succeed(opened) : unknown(given)
}

async function proofOf({ keys }: SessionPorts, given: SignIn): Promise<Outcome<SessionProof>> {
  const { tenantKey = '', loginToken } = given
  if (loginToken !== undefined) return isLoginToken(loginToken) ? succeed({ loginToken }) : unknown(given)
  const caller = isWellFormedApiKey(tenantKey) ? await keys.authenticateKey(tenantKey) : null
  if (!caller) return unknown(given)
  if (caller.reach.at !== 'tenant')
    return fail(refuse('NUMBER_SCOPE_NOT_ALLOWED', 'This is the key of a number: sign in with that of the tenant'))
  return succeed({ keyId: caller.id })
}

function unknown({ loginToken }: SignIn): Outcome<never> {
  return fail(
    refuse(
      'UNAUTHENTICATED',
      loginToken === undefined
        ? 'The key is unknown or was replaced'
        : 'The login link was used, or is older than 15 minutes',
    ),
  )
}
