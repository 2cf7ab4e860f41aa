import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import type { Log } from '../../src/ports/log.ts'
import type { Connection, ConnectionListener } from './connection.ts'
import { WsConnection } from './ws-connection.ts'

/** Our choice, as for whoever comes to us. */
const HANDSHAKE_MS = 10_000
/** In bytes; messages over 64 KiB are closed by whoever reads them. */
const MAX_PAYLOAD = 131_072

/** Opens a socket to the other side; `failed` is told once when none came of it. */
export type DialSocket = (url: string, token: string, opened: (connection: Connection) => ConnectionListener, failed: () => void) => void

/** Makes what dials the sockets of legs. Redirects are not followed: the address is the engine's own, and the token is for it alone. */
export function createDialSocket(log: Log): DialSocket {
  return (url, token, opened, failed) => {
    const ws = new WebSocket(url, {
      headers: { authorization: `Bearer ${token}` }, handshakeTimeout: HANDSHAKE_MS, perMessageDeflate: false, maxPayload: MAX_PAYLOAD, followRedirects: false,
    })
    let socket: Duplex | null = null
    let isOpened = false
    ws.on('upgrade', (response) => { socket = response.socket })
    ws.on('open', () => {
      isOpened = true
      if (socket) new WsConnection(ws, socket, log).open(opened)
    })
    ws.on('error', ({ name }) => { if (!isOpened) log.info({ name }, 'the socket of a leg could not be opened') })
    ws.on('close', () => { if (!isOpened) failed() })
  }
}
