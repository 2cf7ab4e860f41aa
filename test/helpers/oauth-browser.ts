import { OWN_PAGE } from './dashboard.ts'
import { saidIn, type AskedConsent, type AskOAuth, type OAuthClient } from './oauth-client.ts'
import { call, type Answer, type Service } from './service.ts'

/** Requests of the protocol to a running service; a redirect counts as an answer. */
export function asksOver(service: Pick<Service, 'base'>): AskOAuth {
  return async (method, path, { querystring = '', headers = {}, body }) => {
    const answer = await fetch(`${service.base}${path}${querystring === '' ? '' : `?${querystring}`}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: text.startsWith('{') ? JSON.parse(text) : text,
    }
  }
}

type Consent = Pick<AskedConsent, 'id' | 'cookie'>

/** A signed-in browser that sends requests as our pages do. */
export interface OAuthBrowser {
  send(method: string, path: string, body?: object, more?: Record<string, string>): Promise<Answer>
  /** Reads the consent request, with the cookie of the browser it was made in, or of another one. */
  show(asked: Consent, browser?: string): Promise<Answer>
  decide(asked: Consent, body?: object, more?: Record<string, string>): Promise<Answer>
}

/** Signs in the owner of a tenant with its key. */
export function signInOwner(service: Pick<Service, 'base'>, tenantKey: string): Promise<OAuthBrowser> {
  return signedInBy(service, '/api/session', { tenantKey })
}

/** Invites a person of a role with the key of the tenant, and signs the person in. */
export async function signInPerson(
  service: Pick<Service, 'base'>,
  tenantKey: string,
  role: string,
): Promise<OAuthBrowser & { readonly id: string; readonly email: string }> {
  const email = `${role}.${Math.random().toString(36).slice(2)}@example.com`.toLowerCase()
  const { body } = await call('POST', `${service.base}/v1/users`, {
    headers: { 'x-api-key': tenantKey },
    body: { email, role },
  })
  return {
    id: body.id,
    email,
    ...(await signedInBy(service, '/api/invitations/accept', {
      token: String(body.inviteUrl).split('#')[1],
      password: 'correct horse battery',
    })),
  }
}

async function signedInBy(service: Pick<Service, 'base'>, path: string, body: object): Promise<OAuthBrowser> {
  const signedIn = await call('POST', service.base + path, { body, headers: OWN_PAGE })
  if (signedIn.status !== 200) throw new Error(`signing in was answered ${signedIn.status}`)
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const headers = { ...OWN_PAGE, cookie, 'x-csrf-token': String(signedIn.body.csrfToken) }
  const send: OAuthBrowser['send'] = (method, path, body, more = {}) =>
    call(method, service.base + path, { headers: { ...headers, ...more }, ...(body ? { body } : {}) })
  return {
    send,
    show: (asked, browser = asked.cookie) =>
      send('GET', `/api/oauth/interactions/${asked.id}`, undefined, { cookie: `${cookie}; ${browser}` }),
    decide: (asked, body = { decision: 'allow' }, more = {}) =>
      send('POST', `/api/oauth/interactions/${asked.id}`, body, { cookie: `${cookie}; ${asked.cookie}`, ...more }),
  }
}

/** Grants a client what it asks for with these fields; resolves to its tokens. */
export async function letIn(
  by: OAuthBrowser,
  client: OAuthClient,
  body?: object,
  fields?: Record<string, string>,
): Promise<{ readonly access_token: string; readonly refresh_token: string }> {
  const asked = await client.askConsent(fields)
  const decided = await by.decide(asked, body)
  if (decided.status !== 200) throw new Error(`deciding was answered ${decided.status}: ${decided.text}`)
  const { code = '' } = saidIn(decided.body.redirectTo)
  const { status, body: tokens } = await client.redeem(code, asked.verifier)
  if (status !== 200) throw new Error(`redeeming was answered ${status}`)
  return tokens
}
