/** The server that clients connect to: sockets, the order of a login, and the routing of stanzas. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BinaryNode } from 'baileys'
import { type WebSocket, WebSocketServer } from 'ws'
import { onChatState, onPresence } from './account-queries.ts'
import { processAuthority } from './certificates.ts'
import { type Connection, serveConnection } from './connection.ts'
import type { Device, Directory } from './directory.ts'
import { onRegistrationStanza } from './pairing.ts'
import { answerQuery, type QueryPorts } from './queries.ts'
import { relayCall, relayMessage, type RelayPorts, relayReceipt, takeAcknowledgement } from './relay.ts'
import { type Faults, onClose, onHello, type Sessions } from './sessions.ts'
import { refusalOf } from './stanza.ts'

export type Parts = { directory: Directory; sessions: Sessions; queries: QueryPorts; relay: RelayPorts; faults: Faults }

function onStanza({ sessions, queries, relay, faults }: Parts, connection: Connection, node: BinaryNode): void {
  const device = sessions.devices.get(connection)
  if (!device) {
    const registration = [...sessions.registrations].find((one) => one.connection === connection)
    const answer = registration && onRegistrationStanza(registration, node)
    if (answer) connection.send(answer)
    return
  }
  if (device.connection !== connection) sessions.counts.heardLate(device.account.number)
  if (faults.stalled.has(device.account.number)) {
    if (node.tag === 'message') sessions.statistics.unheardMessages += 1
    return
  }
  if (node.tag === 'iq') {
    const answer = answered(queries, device, node)
    if (answer) connection.send(answer)
  } else if (node.tag === 'message') relayMessage(relay, device, node)
  else if (node.tag === 'receipt') relayReceipt(relay, device, node)
  else if (node.tag === 'ack') takeAcknowledgement(device, node)
  else if (node.tag === 'call') relayCall(relay, device, node)
  else if (node.tag === 'presence') onPresence(device, node)
  else if (node.tag === 'chatstate') onChatState(device, node)
}

function answered(queries: QueryPorts, device: Device, node: BinaryNode): BinaryNode | undefined {
  try {
    return answerQuery(queries, device, node)
  } catch (error) {
    return refusalOf(node, 400, String(error))
  }
}

/** Accepts a socket and counts it; its handshake counts until the client's payload came. */
function take(parts: Parts, socket: WebSocket, program: string | null): void {
  const { sessions, directory, faults } = parts
  const { statistics } = sessions
  statistics.connections += 1
  statistics.handshakes += 1
  statistics.peakHandshakes = Math.max(statistics.peakHandshakes, statistics.handshakes)
  let greeted = false
  serveConnection(
    socket,
    { authority: processAuthority(), program },
    {
      onHello: (connection, payload, noiseKey) => {
        greeted = true
        onHello(sessions, directory, faults, connection, payload, noiseKey)
      },
      onStanza: (connection, node) => {
        onStanza(parts, connection, node)
        sessions.notice()
      },
      onClose: (connection) => {
        statistics.connections -= 1
        if (!greeted) statistics.handshakes -= 1
        onClose(sessions, connection)
        sessions.notice()
      },
    },
  )
}

function programOf({ url = '/' }: IncomingMessage): string | null {
  return new URL(url, 'ws://network').searchParams.get('program')
}

/** Serves sockets on a free loopback port; resolves with the address and what closes all. */
export async function serveSockets(parts: Parts): Promise<{ url: string; close(): Promise<void> }> {
  const http = createServer()
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  http.on('upgrade', (request, socket, head) => {
    if (!parts.faults.throttled)
      return server.handleUpgrade(request, socket, head, (webSocket) => take(parts, webSocket, programOf(request)))
    socket.end('HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    parts.sessions.statistics.refusedSockets += 1
    parts.sessions.notice()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws/chat`,
    close: async () => {
      for (const client of server.clients) client.terminate()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
