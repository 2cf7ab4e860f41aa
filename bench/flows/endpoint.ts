/**
 * A tenant's endpoint of a Flow, which answers every request with the next screen. A child process of
 * bench/flows/exchange.ts.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const ANSWER = JSON.stringify({
  screen: 'HOUR',
  data: { hours: Array.from({ length: 10 }, (_, at) => ({ id: String(at), title: `${9 + at}:30` })) },
})

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(ANSWER))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit())
