import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** A bot server; `opened` is called with each socket, and the ms since the epoch at which its handshake began. */
export async function openBot(
  opened: (socket: WebSocket, dialledAtMs: number) => void,
): Promise<{ readonly url: string; close(): void }> {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    const dialledAtMs = Date.now()
    sockets.handleUpgrade(request, socket, head, (ws) => opened(ws, dialledAtMs))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
    },
  }
}
