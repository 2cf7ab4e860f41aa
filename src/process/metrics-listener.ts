import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../ports/clock.ts'
import { systemClock } from './clock.ts'
import { boundConnections } from './connection-bounds.ts'

/** Our choice: a reader of metrics keeps one or two connections. */
const MOST_CONNECTIONS = 256

/** Serves /metrics on a port of its own ([configuration.variables.20]). Rejects when the port cannot be bound. */
export async function listenForMetrics(
  host: string,
  port: number,
  text: () => Promise<string>,
  clock: Clock = systemClock,
): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    text().then(
      (body) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  boundConnections(server, { most: MOST_CONNECTIONS, clock })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
