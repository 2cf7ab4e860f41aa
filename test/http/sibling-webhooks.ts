import type { ExecutionContext } from 'ava'
import { serve, type Client } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

const URL = 'https://receiver.example/hooks'

/** Serves a world that has a second number in the same tenant. */
export async function openSiblings(t: ExecutionContext) {
  const world = new World()
  const sibling = world.addNumber(world.tenantId, '5511966665555')
  return { world, sibling, client: await serve(t, world), key: world.numberKey.raw, tenantKey: world.tenantKey.raw }
}

/** Creates a webhook, by default for all events. */
export function postWebhook(client: Client, key: string, body: object = {}, headers: Record<string, string> = {}) {
  return client.send('POST', '/v1/webhooks', { key, headers, body: { url: URL, events: ['*'], ...body } })
}
