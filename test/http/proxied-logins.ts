import { createClientAddress } from '../../src/net/client-address.ts'
import { serve, type Client, type Reply } from '../helpers/http-app.ts'
import type { World } from '../helpers/world.ts'

/** It is of no account. */
export const OTHER = 'a password of somebody else'

/** Status and code of an answer. */
export function saysCode(reply: Reply): string {
  return `${reply.status} ${reply.body?.code ?? ''}`
}

/** Behind a proxy that names the client: as many addresses as a test wants. */
export function serveProxied(t: Parameters<typeof serve>[0], world: World): Promise<Client> {
  return serve(t, world, { clientAddress: createClientAddress(['127.0.0.0/8', '::1']) })
}

/** The headers of a request from an address. */
export function from(address: string): Record<string, string> {
  return { 'x-forwarded-for': address }
}
