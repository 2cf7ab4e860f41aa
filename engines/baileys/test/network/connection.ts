/** One socket of a client: handshake first, then stanzas both ways. Knows nothing of accounts. */
import { type BinaryNode, decodeBinaryNode, encodeBinaryNode, proto } from 'baileys'
import type { WebSocket } from 'ws'
import type { Authority } from './certificates.ts'
import { answerHello, framed, frameReader, type HandshakeAnswer, type Transport } from './noise.ts'

export type Connection = {
  /** The name that the client's program gave itself in the address (`?program=`); null without one. */
  readonly program: string | null
  /** Sends a stanza; it is dropped silently when the socket is gone. */
  send(node: BinaryNode): void
  /** Closes the socket after what was sent. */
  end(): void
  /** Cuts the socket as a lost network does. */
  drop(): void
  isOpen(): boolean
}

export type ConnectionEvents = {
  /**
   * The client's payload, a registration (`devicePairingData`) or a login (`username`, `device`), with its noise key.
   */
  onHello(connection: Connection, payload: proto.ClientPayload, noiseKey: Buffer): void
  onStanza(connection: Connection, node: BinaryNode): void
  onClose(connection: Connection): void
}

/** Serves a socket until it closes. A client that breaks the handshake is cut. */
export function serveConnection(
  socket: WebSocket,
  { authority, program }: { authority: Authority; program: string | null },
  events: ConnectionEvents,
): Connection {
  let answer: HandshakeAnswer | undefined
  let transport: Transport | undefined
  const write = (bytes: Uint8Array): void => {
    if (socket.readyState === socket.OPEN) socket.send(framed(bytes))
  }
  const connection: Connection = {
    program,
    send: (node) => {
      if (transport && socket.readyState === socket.OPEN) write(transport.encrypt(encodeBinaryNode(node)))
    },
    end: () => socket.close(),
    drop: () => socket.terminate(),
    isOpen: () => socket.readyState === socket.OPEN,
  }
  // Decoding is asynchronous, so stanzas are handled one after another in the order in which the client wrote them.
  let order = Promise.resolve()
  const receive = (bytes: Buffer): void => {
    order = order.then(async () => events.onStanza(connection, await decodeBinaryNode(bytes)))
  }
  const read = frameReader((frame) => {
    if (transport) return receive(transport.decrypt(frame))
    if (!answer) {
      answer = answerHello(frame, authority.staticKey, authority.chain)
      return write(answer.reply)
    }
    const finished = answer.finish(frame)
    transport = finished.transport
    return events.onHello(connection, proto.ClientPayload.decode(finished.payload), finished.clientKey)
  })
  socket.on('message', (data: Buffer) => {
    try {
      read(data)
    } catch (error) {
      if (transport) throw error
      socket.terminate()
    }
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => events.onClose(connection))
  return connection
}
