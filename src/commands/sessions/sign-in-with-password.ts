import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { httpsRefusal } from '../../domain/secure-base.ts'
import type { OpenedSession, SessionOrigin } from '../../ports/stores/web-session-store.ts'
import { countedAttempt, type TriedFrom } from './counted-attempt.ts'
import type { SessionPorts } from './ports.ts'

export interface PasswordSignIn extends TriedFrom {
  readonly email: string
  readonly password: string
}

/** The same text for every cause, so that it does not tell which accounts exist. */
export const INVALID_CREDENTIALS = refuse('INVALID_CREDENTIALS', 'The e-mail address or the password is not right')

/**
 * Opens a new session of a person ([sessions.login.1]). A person who is unknown, INVITED or DISABLED is answered as a
 * wrong password is, after the same look-ups and the same hash ([sessions.login.11]). Refusals: HTTPS_REQUIRED,
 * RATE_LIMITED, BUSY, INVALID_CREDENTIALS.
 */
export async function signInWithPassword(
  ports: SessionPorts,
  { email, password, ...tried }: PasswordSignIn,
  from: SessionOrigin,
): Promise<Outcome<OpenedSession>> {
  const refusal = httpsRefusal(ports.baseUrl, 'passwords and invitations')
  if (refusal) return fail(refusal)
  return countedAttempt(ports, { email, from: tried }, async () => {
    const user = await ports.users.findSigningIn(email)
    const passwordHash = user?.passwordHash ?? null
    const isRight = await ports.passwords.isRight(password, passwordHash, {
      address: tried.countedAddress,
      isKnown: tried.browser !== null,
    })
    if (!isRight.ok) return isRight
    if (!isRight.value || !user?.isActive || passwordHash === null) return fail(INVALID_CREDENTIALS)
    const opened = await ports.webSessions.open({ userId: user.id, passwordHash }, from)
    return opened ? succeed(opened) : fail(INVALID_CREDENTIALS)
  })
}
