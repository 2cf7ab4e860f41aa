import type { SessionCommands } from '../../../commands/sessions/sessions.ts'
import type { Caller } from '../../../domain/caller.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { WebSession } from '../../../domain/web-session.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { sessionCookieOf } from '../../request/session-cookie.ts'
import type { SessionCookie } from '../../request/session-cookie.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { signingInRoutes } from './signing-in.ts'
import type { SessionDeps } from './signing-in.ts'

const HIDDEN = { group: 'API keys', isHidden: true } as const

/** Signing in to the dashboard and out of it, and the sessions of the tenant (docs/contract/sessions.md). */
export function sessionRoutes(deps: SessionDeps): Route[] {
  const { sessionCommands: sessions } = deps
  const cookie = sessionCookieOf(deps.baseUrl)
  return [...signingInRoutes(deps, cookie), read(), endOwn(sessions, cookie), list(sessions), endOne(sessions, cookie)]
}

function read(): Route {
  return route({
    method: 'get',
    path: '/api/session',
    name: 'getSession',
    ...HIDDEN,
    access: { by: ['session'], of: 'caller' },
    summary: 'Read the session of this browser',
    answer: { status: 200, description: 'The session', schema: schema.signedIn },
    handle: async ({ session }) => ({ status: 200, body: present.presentSignedIn(session) }),
  })
}

function endOwn(sessions: SessionCommands, cookie: SessionCookie): Route {
  return route({
    method: 'delete',
    path: '/api/session',
    name: 'endSession',
    ...HIDDEN,
    access: { by: ['session'], of: 'caller' },
    summary: 'Sign out',
    answer: { status: 200, description: 'The session is over', schema: schema.ended },
    async handle({ session }) {
      await sessions.signOut(session)
      return { status: 200, body: { ended: true }, headers: { 'set-cookie': cookie.forget } }
    },
  })
}

function list(sessions: SessionCommands): Route {
  return route({
    method: 'get',
    path: '/api/sessions',
    name: 'listSessions',
    ...HIDDEN,
    access: { by: ['session'], of: 'caller' },
    summary: 'List the sessions of the tenant, or the own ones',
    answer: { status: 200, description: 'Live ones, newest first', schema: schema.sessions },
    async handle({ session, caller }) {
      const live = await sessions.list(session.tenantId, ownOnly(caller, session))
      return { status: 200, body: { sessions: live.map((one) => present.presentSession(one, session)) } }
    },
  })
}

function endOne(sessions: SessionCommands, cookie: SessionCookie): Route {
  return route({
    method: 'delete',
    path: '/api/sessions/{id}',
    name: 'endSessionById',
    ...HIDDEN,
    access: { by: ['session'], of: 'caller' },
    summary: 'End a session of the tenant, or an own one',
    params: schema.idParams,
    answer: { status: 200, description: 'The session is over', schema: schema.ended },
    async handle({ session, caller, params }) {
      if (!(await sessions.end(session.tenantId, params.id, ownOnly(caller, session))))
        throw new RefusalError(refuse('NOT_FOUND', 'No such session in this account'))
      return {
        status: 200,
        body: { ended: true },
        ...(params.id === session.id ? { headers: { 'set-cookie': cookie.forget } } : {}),
      }
    },
  })
}

/**
 * our choice: a person who does not manage the account sees and ends only own sessions. Undefined when all are seen.
 */
function ownOnly({ permissions }: Caller, { user }: WebSession): UserId | undefined {
  return permissions === 'all' || permissions.has('account:manage') ? undefined : user?.id
}
