import { acceptInvitation, readInvitation } from '../../../commands/sessions/accept-invitation.ts'
import type { AcceptDeps } from '../../../commands/sessions/accept-invitation.ts'
import { changePassword } from '../../../commands/sessions/change-password.ts'
import type { ChangePasswordDeps } from '../../../commands/sessions/change-password.ts'
import { createLoginMeasures } from '../../../commands/sessions/measures.ts'
import type { LoginMeasures, SignedInBy } from '../../../commands/sessions/measures.ts'
import { signIn } from '../../../commands/sessions/sign-in.ts'
import type { SignInDeps } from '../../../commands/sessions/sign-in.ts'
import { signInWithPassword } from '../../../commands/sessions/sign-in-with-password.ts'
import type { PasswordSignInDeps } from '../../../commands/sessions/sign-in-with-password.ts'
import type { Outcome } from '../../../domain/errors.ts'
import { USER_AGENT_LENGTH } from '../../../domain/web-session.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { OpenedSession, SessionOrigin, WebSessionStore } from '../../../ports/stores/web-session-store.ts'
import type { KnownBrowsers } from '../../request/known-browsers.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Answer, Client, Route } from '../../request/route.ts'
import { sessionCookieOf } from '../../request/session-cookie.ts'
import type { SessionCookie } from '../../request/session-cookie.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

export interface SigningInDeps extends SignInDeps, PasswordSignInDeps, AcceptDeps, ChangePasswordDeps {
  readonly users: PasswordSignInDeps['users'] & AcceptDeps['users'] & ChangePasswordDeps['users']
  readonly passwords: PasswordSignInDeps['passwords']
  readonly webSessions: WebSessionStore
  readonly metrics: Metrics
  readonly knownBrowsers: KnownBrowsers
}

interface OpeningDeps extends SigningInDeps {
  readonly cookie: SessionCookie
  readonly measures: LoginMeasures
}

const HIDDEN = { group: 'API keys', isHidden: true } as const

/** What opens a session of the dashboard, and what a person does about its password (contract 14, 19). */
export function signingInRoutes(given: SigningInDeps): Route[] {
  const deps = { ...given, cookie: sessionCookieOf(given.baseUrl), measures: createLoginMeasures(given.metrics) }
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
      if (email === undefined)
        return opened(
          deps,
          key.loginToken === undefined ? 'key' : 'link',
          await signIn(deps, key, originOf(client)),
          client,
        )
      const tried = {
        email,
        password,
        countedAddress: client.countedAddress,
        browser: deps.knownBrowsers.nameOf(client.cookie, email),
      }
      return opened(deps, 'password', await signInWithPassword(deps, tried, originOf(client)), client)
    },
  })
}

/** A POST, since what it is asked by may stand in no address. */
function readInvited(deps: OpeningDeps): Route {
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
      const { email, name, tenantName } = unwrap(await readInvitation(deps, token))
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
      return opened(
        deps,
        'invitation',
        await acceptInvitation(
          deps,
          { token, password, name, countedAddress: client.countedAddress },
          originOf(client),
        ),
        client,
      )
    },
  })
}

function replacePassword(deps: OpeningDeps): Route {
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
      unwrap(await changePassword(deps, session, body, client.countedAddress))
      return { status: 200, body: { changed: true } }
    },
  })
}

/**
 * The answer to whoever signed in. What the browser had before is over: no session outlives a login, whoever brought it
 * into that browser.
 */
async function opened(
  deps: OpeningDeps,
  by: SignedInBy,
  outcome: Outcome<OpenedSession>,
  { cookie }: Client,
): Promise<Answer> {
  deps.measures.ended(by, outcome)
  const { session, secret } = unwrap(outcome)
  const before = cookie(deps.cookie.name)
  if (before !== null) await deps.webSessions.endSecret(before)
  const cookies = [deps.cookie.keep(secret), ...(session.user ? [deps.knownBrowsers.keep(session.user.email)] : [])]
  return { status: 200, body: present.presentSignedIn(session), headers: { 'set-cookie': cookies } }
}

function originOf({ address, userAgent }: Client): SessionOrigin {
  return { address, userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null }
}
