import type { Client, Reply, Request } from './http-app.ts'
import type { World } from './world.ts'

/** A signed-in browser: the cookie it sends, and its page. */
export interface SignedIn {
  readonly cookie: string
  readonly csrfToken: string
  /** Sends a request as the dashboard's page does. */
  send(method: string, path: string, request?: Request): Promise<Reply>
}

/** The header by which a browser marks a request of our own page. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' } as const

/** The name and value of the cookie that an answer sets; empty when it sets none. */
export function keptCookie({ headers }: Reply): string {
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Signs in with the key of the world's tenant, or with another key. */
export async function signIn(client: Client, world: World, tenantKey: string = world.tenantKey.raw): Promise<SignedIn> {
  const reply = await client.send('POST', '/api/session', { headers: OWN_PAGE, body: { tenantKey } })
  if (reply.status !== 200) throw new Error(`signing in was answered ${reply.status}`)
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
