import type { Server } from 'node:http'
import { createBoundedServer } from '../process/bounded-server.ts'
import { StartFault } from '../process/config.ts'
import { writeMetrics, type Metric } from './exposition.ts'

/** our choice: a reader of metrics keeps one or two connections. */
const MOST_CONNECTIONS = 256

/**
 * Serves `GET /metrics` on its own port. Throws a StartFault when the port cannot be bound. `requestMs` is how long a
 * connection may be open before its request is complete; default 10 s.
 */
export function serveMetrics(
  host: string,
  port: number,
  read: () => readonly Metric[],
  requestMs?: number,
): Promise<Server> {
  const server = createBoundedServer({ most: MOST_CONNECTIONS, requestMs }, (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(writeMetrics(read()))
  })
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }: Error) =>
      reject(new StartFault(`ENGINE_METRICS_PORT ${port} cannot be opened at ${host} (${message}): set another one`)),
    )
    server.listen(port, host, () => resolve(server))
  })
}
