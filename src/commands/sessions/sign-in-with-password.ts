import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { httpsRefusal } from '../../domain/secure-base.ts'
import type { Passwords } from '../../ports/passwords.ts'
import type { UserStore } from '../../ports/stores/user-store.ts'
import type { OpenedSession, SessionOrigin, WebSessionStore } from '../../ports/stores/web-session-store.ts'
import { countedAttempt, type CountedDeps, type TriedFrom } from './counted-attempt.ts'

export interface PasswordSignInDeps extends CountedDeps {
  readonly users: Pick<UserStore, 'findSigningIn'>
  readonly passwords: Passwords
  readonly webSessions: Pick<WebSessionStore, 'open'>
  readonly baseUrl: string
}

export interface PasswordSignIn extends TriedFrom {
  readonly email: string
  readonly password: string
}

/** The same for all that might be wrong. */
export const INVALID_CREDENTIALS = refuse('INVALID_CREDENTIALS', 'The e-mail address or the password is not right')

/**
 * Opens a session of a person, a new one each time (contract 14). Whoever is unknown, INVITED or DISABLED is answered
 * as a wrong password is, after the same look-ups and the same hash. Refusals: HTTPS_REQUIRED, RATE_LIMITED, BUSY,
 * INVALID_CREDENTIALS.
 */
export async function signInWithPassword(
  deps: PasswordSignInDeps,
  { email, password, ...tried }: PasswordSignIn,
  from: SessionOrigin,
): Promise<Outcome<OpenedSession>> {
  const refusal = httpsRefusal(deps.baseUrl, 'passwords and invitations')
  if (refusal) return fail(refusal)
  return countedAttempt(deps, { email, from: tried }, async () => {
    const user = await deps.users.findSigningIn(email)
    const passwordHash = user?.passwordHash ?? null
    const isRight = await deps.passwords.isRight(password, passwordHash, {
      address: tried.countedAddress,
      isKnown: tried.browser !== null,
    })
    if (!isRight.ok) return isRight
    if (!isRight.value || !user?.isActive || passwordHash === null) return fail(INVALID_CREDENTIALS)
    const opened = await deps.webSessions.open({ userId: user.id, passwordHash }, from)
    return opened ? succeed(opened) : fail(INVALID_CREDENTIALS)
  })
}
