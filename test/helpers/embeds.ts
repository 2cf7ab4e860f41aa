import type { EmbedSurface } from '../../src/domain/embed-session.ts'
import type { Client, Reply } from './http-app.ts'

/** The origin of a tenant's page that frames embeds. */
export const HOST_ORIGIN = 'https://crm.example'

export interface MintedBody {
  readonly id: string
  readonly token: string
}

/** The number and key that a session is created with. */
export interface Minting {
  readonly number: { readonly id: string }
  readonly tenantKey: { readonly raw: string }
}

/** Creates a session over the route, by default for the world's own number with its tenant's key. */
export async function mint(
  client: Client,
  world: Minting,
  fields: object = {},
  key: string = world.tenantKey.raw,
): Promise<MintedBody> {
  const body = {
    surface: 'chat' satisfies EmbedSurface,
    channelNumberIds: [world.number.id],
    allowedOrigins: [HOST_ORIGIN],
    ...fields,
  }
  const reply = await client.send('POST', '/v1/embed/sessions', { key, body })
  if (reply.status !== 201) throw new Error(`nothing was minted: ${reply.text}`)
  return reply.body as MintedBody
}

export function bearer(token: string, origin?: string): { readonly headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${token}`, ...(origin === undefined ? {} : { origin }) } }
}

/** Sends a request that any embed may send. */
export function refresh(client: Client, token: string, origin?: string): Promise<Reply> {
  return client.send('POST', '/api/public/embed/refresh', bearer(token, origin))
}
