import { createServer, type Server } from 'node:http'
import { StartFault } from '../config.ts'
import { writeMetrics, type Metric } from './exposition.ts'

/** our choice, in ms: a request is one small packet; looked at this often. */
const REQUEST_MS = 10_000
const LOOK_MS = 2_000
/** our choice: whoever reads metrics keeps one or two. */
const MOST_CONNECTIONS = 256

/** Serves `GET /metrics` beside the bridge. Throws a StartFault when the port cannot be had. */
export function serveMetrics(host: string, port: number, read: () => readonly Metric[]): Promise<Server> {
  const server = createServer({ headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, connectionsCheckingInterval: LOOK_MS }, (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(writeMetrics(read()))
  })
  server.maxConnections = MOST_CONNECTIONS
  return new Promise((resolve, reject) => {
    server.once('error', ({ message }: Error) => reject(new StartFault(`ENGINE_METRICS_PORT ${port} cannot be opened at ${host} (${message}): set another one`)))
    server.listen(port, host, () => resolve(server))
  })
}
