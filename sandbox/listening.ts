import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Clock } from '../src/ports/clock.ts'
import { boundConnections } from '../src/process/connection-bounds.ts'
import { binding } from '../src/process/start-fault.ts'

/**
 * Listens, and cuts connections that send nothing; answers the port. Rejects with a StartFault when the port cannot be
 * had.
 */
export function listenBounded(
  server: Server,
  { host, port, clock }: { readonly host: string; readonly port: number; readonly clock: Clock },
): Promise<number> {
  boundConnections(server, { clock })
  return binding('SANDBOX_PORT', host, port, () => listen(server, host, port))
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  server.listen({ host, port })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The sandbox listens on no port')
  return address.port
}
