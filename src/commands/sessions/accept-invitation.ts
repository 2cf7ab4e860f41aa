import { fail, refuse, succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { httpsRefusal } from '../../domain/secure-base.ts'
import { isInvitation } from '../../domain/user.ts'
import type { Invited } from '../../ports/stores/user-store.ts'
import type { OpenedSession, SessionOrigin } from '../../ports/stores/web-session-store.ts'
import type { SessionPorts } from './ports.ts'

export interface Acceptance {
  readonly token: string
  readonly password: string
  readonly name: string | null
  /** The client's address, or its network for IPv6, under which attempts are counted. */
  readonly countedAddress: string
}

/**
 * Sets the password of an invited person and opens a session of that person, both or neither ([sessions.login.5]). An
 * invitation that opens nothing costs no hash. Refusals: HTTPS_REQUIRED, INVITATION_NOT_FOUND, BUSY.
 */
export async function acceptInvitation(
  { users, passwords, webSessions, baseUrl }: SessionPorts,
  { token, password, name, countedAddress }: Acceptance,
  from: SessionOrigin,
): Promise<Outcome<OpenedSession>> {
  const refusal = httpsRefusal(baseUrl, 'passwords and invitations')
  if (refusal) return fail(refusal)
  if (!isInvitation(token) || !(await users.findInvited(token))) return unknown()
  const hash = await passwords.hash(password, { address: countedAddress, isKnown: true })
  if (!hash.ok) return hash
  const opened = await webSessions.open({ invitation: token, passwordHash: hash.value, name }, from)
  return opened ? succeed(opened) : unknown()
}

/**
 * Reads whom an invitation is for, so that nobody thinks of a password for one that is over. Changes nothing. Refusals:
 * HTTPS_REQUIRED, INVITATION_NOT_FOUND.
 */
export async function readInvitation({ users, baseUrl }: SessionPorts, token: string): Promise<Outcome<Invited>> {
  const refusal = httpsRefusal(baseUrl, 'passwords and invitations')
  if (refusal) return fail(refusal)
  const invited = isInvitation(token) ? await users.findInvited(token) : null
  return invited ? succeed(invited) : unknown()
}

function unknown(): Outcome<never> {
  return fail(
    refuse('INVITATION_NOT_FOUND', 'This invitation was used, was replaced by a newer one, or is older than 7 days'),
  )
}
