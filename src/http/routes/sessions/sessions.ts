import type { Caller } from '../../../domain/caller.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { WebSession } from '../../../domain/web-session.ts'
import type { WebSessionStore } from '../../../ports/stores/web-session-store.ts'
import type { CallerCache } from '../../request/caller-cache.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { sessionCookieOf } from '../../request/session-cookie.ts'
import type { SessionCookie } from '../../request/session-cookie.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { signingInRoutes } from './signing-in.ts'
import type { SigningInDeps } from './signing-in.ts'

export interface SessionDeps extends SigningInDeps {
  readonly webSessions: WebSessionStore
  /** Told of what is over: realtime tokens that it asked for and that opened nothing yet die with it. */
  readonly callers: Pick<CallerCache, 'revoke'>
  readonly baseUrl: string
}

interface CookieDeps extends SessionDeps {
  readonly cookie: SessionCookie
}

const HIDDEN = { group: 'API keys', isHidden: true } as const

/** Signing in to the dashboard and out of it, and the sessions of the tenant (contract 14, 19). */
export function sessionRoutes(given: SessionDeps): Route[] {
  const deps = { ...given, cookie: sessionCookieOf(given.baseUrl) }
  return [...signingInRoutes(given), read(), endOwn(deps), list(deps), endOne(deps)]
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

function endOwn(deps: CookieDeps): Route {
  return route({
    method: 'delete',
    path: '/api/session',
    name: 'endSession',
    ...HIDDEN,
    access: { by: ['session'], of: 'caller' },
    summary: 'Sign out',
    answer: { status: 200, description: 'The session is over', schema: schema.ended },
    async handle({ session }) {
      await deps.webSessions.end(session.tenantId, session.id)
      await deps.callers.revoke(session.id)
      return { status: 200, body: { ended: true }, headers: { 'set-cookie': deps.cookie.forget } }
    },
  })
}

function list(deps: SessionDeps): Route {
  return route({
    method: 'get',
    path: '/api/sessions',
    name: 'listSessions',
    ...HIDDEN,
    access: { by: ['session'], of: 'caller' },
    summary: 'List the sessions of the tenant, or the own ones',
    answer: { status: 200, description: 'Live ones, newest first', schema: schema.sessions },
    async handle({ session, caller }) {
      const live = await deps.webSessions.list(session.tenantId, ownOnly(caller, session))
      return { status: 200, body: { sessions: live.map((one) => present.presentSession(one, session)) } }
    },
  })
}

function endOne(deps: CookieDeps): Route {
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
      if (!(await deps.webSessions.end(session.tenantId, params.id, ownOnly(caller, session))))
        throw new RefusalError(refuse('NOT_FOUND', 'No such session in this account'))
      await deps.callers.revoke(params.id)
      return {
        status: 200,
        body: { ended: true },
        ...(params.id === session.id ? { headers: { 'set-cookie': deps.cookie.forget } } : {}),
      }
    },
  })
}

/** Our choice: whoever does not manage the account sees and ends sessions of its own alone. */
function ownOnly({ permissions }: Caller, { user }: WebSession): UserId | undefined {
  return permissions === 'all' || permissions.has('account:manage') ? undefined : user?.id
}
