import type { Outcome } from '../../domain/errors.ts'
import type { TenantId, UserId } from '../../domain/ids.ts'
import type { WebSession } from '../../domain/web-session.ts'
import type { OpenedSession, SessionOrigin } from '../../ports/stores/web-session-store.ts'
import { acceptInvitation, readInvitation } from './accept-invitation.ts'
import type { Acceptance } from './accept-invitation.ts'
import { changePassword } from './change-password.ts'
import type { PasswordChange } from './change-password.ts'
import { endSession, signOut } from './end.ts'
import { createLoginMeasures } from './measures.ts'
import type { SignedInBy } from './measures.ts'
import type { SessionPorts } from './ports.ts'
import { signIn } from './sign-in.ts'
import type { SignIn } from './sign-in.ts'
import { signInWithPassword } from './sign-in-with-password.ts'
import type { PasswordSignIn } from './sign-in-with-password.ts'

/** The commands of dashboard sessions, and of the passwords that open them. */
export type SessionCommands = ReturnType<typeof createSessions>

/** Makes the commands of dashboard sessions, once a node: everything that opens one is counted. */
export function createSessions(ports: SessionPorts) {
  const { webSessions } = ports
  const measures = createLoginMeasures(ports.metrics)
  const counted = async (by: SignedInBy, opening: Promise<Outcome<OpenedSession>>) => {
    const outcome = await opening
    measures.ended(by, outcome)
    return outcome
  }
  return {
    signIn: (given: SignIn, from: SessionOrigin) =>
      counted(given.loginToken === undefined ? 'key' : 'link', signIn(ports, given, from)),
    signInWithPassword: (given: PasswordSignIn, from: SessionOrigin) =>
      counted('password', signInWithPassword(ports, given, from)),
    readInvitation: (token: string) => readInvitation(ports, token),
    acceptInvitation: (given: Acceptance, from: SessionOrigin) =>
      counted('invitation', acceptInvitation(ports, given, from)),
    changePassword: (session: WebSession, change: PasswordChange, countedAddress: string) =>
      changePassword(ports, session, change, countedAddress),
    list: (tenantId: TenantId, userId?: UserId) => webSessions.list(tenantId, userId),
    signOut: (session: WebSession) => signOut(ports, session),
    end: (tenantId: TenantId, id: string, userId?: UserId) => endSession(ports, tenantId, id, userId),
    /** Ends the session of a cookie that a newer session replaces. */
    endSecret: (secret: string) => webSessions.endSecret(secret),
  }
}
