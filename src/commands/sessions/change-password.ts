import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { httpsRefusal } from '../../domain/secure-base.ts'
import type { WebSession } from '../../domain/web-session.ts'
import type { Payer } from '../../ports/passwords.ts'
import { countedAttempt } from './counted-attempt.ts'
import type { SessionPorts } from './ports.ts'

export interface PasswordChange {
  readonly current: string
  readonly password: string
}

const WRONG = refuse('INVALID_CREDENTIALS', 'The current password is not right')

/**
 * Replaces the password of a session's person; the session goes on, and all others of that person end
 * ([sessions.login.6]). Tries of the current password are counted as logins ([sessions.login.12]), so a stolen session
 * guesses it no faster. Refusals: HTTPS_REQUIRED; PERMISSION_DENIED for a session without a person; RATE_LIMITED, BUSY,
 * INVALID_CREDENTIALS.
 */
export async function changePassword(
  ports: SessionPorts,
  { id, tenantId, user }: WebSession,
  { current, password }: PasswordChange,
  countedAddress: string,
): Promise<Outcome<null>> {
  const refusal = httpsRefusal(ports.baseUrl, 'passwords and invitations')
  if (refusal) return fail(refusal)
  if (!user)
    return fail(
      refuse(
        'PERMISSION_DENIED',
        'This session was opened with the key of the account, not by a person: there is no password',
      ),
    )
  const payer: Payer = { address: countedAddress, isKnown: true }
  return countedAttempt(ports, { email: user.email, from: { countedAddress, browser: null } }, async () => {
    const from = (await ports.users.findSignedIn(tenantId, user.id))?.passwordHash ?? null
    const isRight = await ports.passwords.isRight(current, from, payer)
    if (!isRight.ok) return isRight
    if (!isRight.value || from === null) return fail(WRONG)
    const to = await ports.passwords.hash(password, payer)
    if (!to.ok) return to
    return (await ports.users.replacePassword(user.id, { from, to: to.value }, id)) ? succeed(null) : fail(WRONG)
  })
}
