import type { EmbedSurface } from '../../src/domain/embed-session.ts'
import type { Client, Reply } from './http-app.ts'

/** The page of a tenant that frames embeds. */
export const HOST_ORIGIN = 'https://crm.example'

export interface MintedBody {
  readonly id: string
  readonly token: string
}

/** Whose number and key a session is minted with. */
export interface Minting {
  readonly number: { readonly id: string }
  readonly tenantKey: { readonly raw: string }
}

/** Mints a session by the route, for the world's own number with its tenant's key unless told. */
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

/** Asks what any embed may ask. */
export function refresh(client: Client, token: string, origin?: string): Promise<Reply> {
  return client.send('POST', '/api/public/embed/refresh', bearer(token, origin))
}
