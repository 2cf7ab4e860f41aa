import { createServer } from 'node:http'
import { once } from 'node:events'

/** Serves /metrics on a port of its own (contract 1, METRICS_PORT). Rejects when it cannot be bound. */
export async function listenForMetrics(host: string, port: number, text: () => Promise<string>): Promise<{ close(): void }> {
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
  server.listen(port, host)
  await once(server, 'listening')
  return {
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
