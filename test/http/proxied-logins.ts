import { createClientAddress } from '../../src/net/client-address.ts'
import { serve, type Client, type Reply } from '../helpers/http-app.ts'
import type { World } from '../helpers/world.ts'

/** A password that belongs to no account. */
export const OTHER = 'a password of somebody else'

/** The status and the code of a reply. */
export function saysCode(reply: Reply): string {
  return `${reply.status} ${reply.body?.code ?? ''}`
}

/** Serves behind a proxy that names the client's address, so that a test can use many addresses. */
export function serveProxied(t: Parameters<typeof serve>[0], world: World): Promise<Client> {
  return serve(t, world, { clientAddress: createClientAddress(['127.0.0.0/8', '::1']) })
}

/** The headers of a request from this address. */
export function from(address: string): Record<string, string> {
  return { 'x-forwarded-for': address }
}
