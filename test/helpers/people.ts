import { randomBytes } from 'node:crypto'
import { keptCookie, OWN_PAGE, type SignedIn } from './dashboard.ts'
import type { Client, Reply } from './http-app.ts'
import { call } from './service.ts'

export const PASSWORD = 'correct horse battery'

/** An invited person with the token of the link. */
export interface Invited {
  readonly id: string
  readonly email: string
  readonly token: string
}

/** The tenant whose key invites people. */
export interface Inviting {
  readonly tenantKey: { readonly raw: string }
}

/** Invites a person with an e-mail address of its own. */
export async function invite(client: Client, { tenantKey }: Inviting, role: string): Promise<Invited> {
  const email = `person.${randomBytes(6).toString('hex')}@example.com`
  const reply = await client.send('POST', '/v1/users', { key: tenantKey.raw, body: { email, role } })
  if (reply.status !== 201) throw new Error(`inviting was answered ${reply.status}: ${reply.text}`)
  return { id: reply.body.id, email, token: reply.body.inviteUrl.split('#')[1] }
}

/** A client of a running gateway. */
export function clientAt(base: string): Client {
  return {
    url: base,
    send: (method, path, { key, headers, body } = {}) =>
      call(method, base + path, {
        ...(key === undefined ? {} : { key }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
      }),
  }
}

/** Posts as a page of ours does. */
export function post(
  client: Client,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return client.send('POST', path, { headers: { ...OWN_PAGE, ...headers }, body })
}

/** Signs in with a password. */
export function logIn(
  client: Client,
  email: string,
  password: string = PASSWORD,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return post(client, '/api/session', { email, password }, headers)
}

/** The browser of the person whom an answer signed in. */
export function browserOf(client: Client, reply: Reply): SignedIn {
  if (reply.status !== 200) throw new Error(`signing in was answered ${reply.status}: ${reply.text}`)
  const cookie = keptCookie(reply)
  const { csrfToken } = reply.body
  return {
    cookie,
    csrfToken,
    send: (method, path, { headers, ...request } = {}) =>
      client.send(method, path, {
        ...request,
        headers: { ...OWN_PAGE, cookie, 'x-csrf-token': csrfToken, ...headers },
      }),
  }
}

/** Signs in an invited person of a role with a password. */
export async function person(client: Client, by: Inviting, role: string): Promise<Invited & SignedIn> {
  const invited = await invite(client, by, role)
  const reply = await post(client, '/api/invitations/accept', { token: invited.token, password: PASSWORD })
  return { ...invited, ...browserOf(client, reply) }
}
