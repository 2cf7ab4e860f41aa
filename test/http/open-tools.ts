import type { ExecutionContext } from 'ava'
import type { RestDeps } from '../../src/http/server.ts'
import { serve, type Served } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { toolClient } from '../helpers/tool-client.ts'

/** A call of the tool that reads messages. */
export const HISTORY_CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'messages_history', arguments: {} },
}
/** The address in the challenge at which a client finds out where to get tokens for the tools. */
export const TOOLS_METADATA = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp"'
/** The scopes that the challenge asks for at first. */
export const READ_SCOPES = 'scope="numbers:read chat:read calls:read templates:read flows:read ads:read webhooks:read"'

/** Opens the tools of a served world with the key of its number. */
export async function openTools<W extends Served & { readonly numberKey: { readonly raw: string } } = World>(
  t: ExecutionContext,
  changes: Partial<RestDeps> = {},
  world: W = new World() as Served as W,
) {
  const client = await serve(t, world, changes)
  const { key: _, ...tools } = { key: null, ...toolClient(client, world.numberKey.raw) }
  return { world, client, ...tools }
}
