import type { ExecutionContext } from 'ava'
import type { RestDeps } from '../../src/http/server.ts'
import { serve, type Served } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { toolClient } from '../helpers/tool-client.ts'

/** A call that reads messages. */
export const HISTORY_CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'messages_history', arguments: {} },
}
/** Where the challenge says that tokens of the tools come from. */
export const TOOLS_METADATA = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp"'
/** What the challenge asks for to begin with. */
export const READ_SCOPES = 'scope="numbers:read chat:read calls:read templates:read flows:read ads:read webhooks:read"'

/** The tools of a served world, called with the key of its number. */
export async function openTools<W extends Served & { readonly numberKey: { readonly raw: string } } = World>(
  t: ExecutionContext,
  changes: Partial<RestDeps> = {},
  world: W = new World() as Served as W,
) {
  const client = await serve(t, world, changes)
  const { key: _, ...tools } = { key: null, ...toolClient(client, world.numberKey.raw) }
  return { world, client, ...tools }
}
