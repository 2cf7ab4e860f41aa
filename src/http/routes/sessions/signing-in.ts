import type { SessionCommands } from '../../../commands/sessions/sessions.ts'
import type { Outcome } from '../../../domain/errors.ts'
import { USER_AGENT_LENGTH } from '../../../domain/web-session.ts'
import type { OpenedSession, SessionOrigin } from '../../../ports/stores/web-session-store.ts'
import type { KnownBrowsers } from '../../request/known-browsers.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Answer, Client, Route } from '../../request/route.ts'
import type { SessionCookie } from '../../request/session-cookie.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

/** What the routes of sessions use. */
export interface SessionDeps {
  readonly sessionCommands: SessionCommands
  readonly knownBrowsers: KnownBrowsers
  readonly baseUrl: string
}

interface OpeningDeps extends Pick<SessionDeps, 'knownBrowsers'> {
  readonly sessions: SessionCommands
  readonly cookie: SessionCookie
}

const HIDDEN = { group: 'API keys', isHidden: true } as const

/**
 * Routes that open a session of the dashboard, and those of a person's password ([sessions.login.1],
 * [sessions.login.5], [sessions.login.6]).
 */
export function signingInRoutes(
  { sessionCommands: sessions, knownBrowsers }: SessionDeps,
  cookie: SessionCookie,
): Route[] {
  const deps = { sessions, knownBrowsers, cookie }
  return [open(deps), readInvited(deps), accept(deps), replacePassword(deps)]
}

function open(deps: OpeningDeps): Route {
  return route({
    method: 'post',
    path: '/api/session',
    name: 'openSession',
    ...HIDDEN,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'logins',
    summary: 'Sign in',
    body: schema.signInInput,
    bodyExample: { loginToken: 'lt_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG' },
    answer: { status: 200, description: 'A session, its cookie and its CSRF token', schema: schema.signedIn },
    async handle({ body: { email, password = '', ...key }, client }) {
      if (email === undefined) return opened(deps, await deps.sessions.signIn(key, originOf(client)), client)
      const tried = {
        email,
        password,
        countedAddress: client.countedAddress,
        browser: deps.knownBrowsers.nameOf(client.cookie, email),
      }
      return opened(deps, await deps.sessions.signInWithPassword(tried, originOf(client)), client)
    },
  })
}

/** It is a POST, because the invitation's token may stand in no address ([people.users.10]). */
function readInvited({ sessions }: OpeningDeps): Route {
  return route({
    method: 'post',
    path: '/api/invitations/read',
    name: 'readInvitation',
    ...HIDDEN,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'logins',
    summary: 'Read whom an invitation is for',
    body: schema.invitationInput,
    bodyExample: { token: 'example'.padEnd(43, '0') },
    answer: { status: 200, description: 'The invitation, which is not used up', schema: schema.invited },
    async handle({ body: { token } }) {
      const { email, name, tenantName } = unwrap(await sessions.readInvitation(token))
      return { status: 200, body: { email, name, tenant: { name: tenantName } } }
    },
  })
}

function accept(deps: OpeningDeps): Route {
  return route({
    method: 'post',
    path: '/api/invitations/accept',
    name: 'acceptInvitation',
    ...HIDDEN,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'logins',
    summary: 'Set a password by an invitation, and sign in',
    body: schema.acceptInput,
    bodyExample: { token: 'example'.padEnd(43, '0'), password: 'a password of 12 characters or more' },
    answer: { status: 200, description: 'A session, its cookie and its CSRF token', schema: schema.signedIn },
    async handle({ body: { token, password, name = null }, client }) {
      const acceptance = { token, password, name, countedAddress: client.countedAddress }
      return opened(deps, await deps.sessions.acceptInvitation(acceptance, originOf(client)), client)
    },
  })
}

function replacePassword({ sessions }: OpeningDeps): Route {
  return route({
    method: 'post',
    path: '/api/session/password',
    name: 'changePassword',
    ...HIDDEN,
    access: { by: ['session'], of: 'caller' },
    summary: 'Change the own password',
    body: schema.passwordInput,
    bodyExample: { current: 'the password until now', password: 'a password of 12 characters or more' },
    answer: { status: 200, description: 'All other sessions of the person are over', schema: schema.changed },
    async handle({ session, body, client }) {
      unwrap(await sessions.changePassword(session, body, client.countedAddress))
      return { status: 200, body: { changed: true } }
    },
  })
}

/**
 * The answer to a login. The session that the browser had before is ended, so that no session survives a login, whoever
 * brought it into that browser.
 */
async function opened(deps: OpeningDeps, outcome: Outcome<OpenedSession>, { cookie }: Client): Promise<Answer> {
  const { session, secret } = unwrap(outcome)
  const before = cookie(deps.cookie.name)
  if (before !== null) await deps.sessions.endSecret(before)
  const cookies = [deps.cookie.keep(secret), ...(session.user ? [deps.knownBrowsers.keep(session.user.email)] : [])]
  return { status: 200, body: present.presentSignedIn(session), headers: { 'set-cookie': cookies } }
}

function originOf({ address, userAgent }: Client): SessionOrigin {
  return { address, userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null }
}
