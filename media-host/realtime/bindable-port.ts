import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/**
 * The port that can be bound; rejects with the system's reason when there is none. 0 becomes a number here, because
 * uSockets allows the reuse of an address only for a port with a number: otherwise a host killed with open sockets
 * could not take its port again for a minute.
 */
export async function bindable(host: string, port: number): Promise<number> {
  const probe = createServer()
  probe.listen(port, host)
  await once(probe, 'listening')
  const { port: free } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return free
}
