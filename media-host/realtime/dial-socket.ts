import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { thrownFields } from '../../src/domain/thrown.ts'
import type { Log } from '../../src/ports/log.ts'
import type { LegSocket, LegSocketListener } from '../legs/leg-socket.ts'
import { CLOSE } from './protocol.ts'

/** Our choice, in ms; the same as for incoming connections. */
const HANDSHAKE_MS = 10_000
/** In bytes. The reader closes messages over 64 KiB itself. */
const MAX_PAYLOAD = 131_072
/** RFC 6455 section 7.1.5: the connection ended without a close frame. */
const CUT = 1006

/** Opens a socket to the other side. `failed` is called once when that did not succeed. */
export type DialSocket = (
  url: string,
  token: string,
  opened: (socket: LegSocket) => LegSocketListener,
  failed: () => void,
) => void

/**
 * Makes the function that dials the sockets of legs. It follows no redirect, because the address is the engine's own
 * and the token is for it alone.
 */
export function createDialSocket(log: Log): DialSocket {
  return (url, token, opened, failed) => {
    const ws = new WebSocket(url, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: HANDSHAKE_MS,
      perMessageDeflate: false,
      maxPayload: MAX_PAYLOAD,
      followRedirects: false,
    })
    let socket: Duplex | null = null
    let isOpened = false
    ws.on('upgrade', (response) => {
      socket = response.socket
    })
    ws.on('open', () => {
      isOpened = true
      if (socket) new DialledSocket(ws, log).open(socket, opened)
    })
    ws.on('error', ({ name }) => {
      if (!isOpened) log.info({ name }, 'the socket of a leg could not be opened')
    })
    ws.on('close', () => {
      if (!isOpened) failed()
    })
  }
}

/** An outgoing socket to another server. Its listener hears of the end once. */
class DialledSocket implements LegSocket {
  readonly #ws: WebSocket
  readonly #log: Log
  #listener: LegSocketListener | null = null
  #isOver = false

  constructor(ws: WebSocket, log: Log) {
    this.#ws = ws
    this.#log = log
  }

  /** Hands the socket to the leg. */
  open(below: Duplex, opened: (socket: LegSocket) => LegSocketListener): void {
    const ws = this.#ws
    ws.on('message', (data, isBinary) => this.#guard(() => this.#listener?.message(data as Buffer, isBinary)))
    ws.on('ping', () => this.#guard(() => this.#listener?.alive()))
    ws.on('pong', () => this.#guard(() => this.#listener?.alive()))
    ws.on('error', () => this.#closed(CUT))
    ws.on('close', (code) => this.#closed(code))
    below.on('drain', () => this.#guard(() => this.#listener?.drain()))
    this.#guard(() => {
      const listener = opened(this)
      if (!this.#isOver) this.#listener = listener
    })
  }

  get bufferedBytes(): number {
    return this.#isOver ? 0 : this.#ws.bufferedAmount
  }

  sendText(text: string): void {
    if (this.#isOpen()) this.#ws.send(text)
  }

  sendBinary(bytes: Uint8Array): void {
    // The bytes are copied, because the library keeps what the network does not take at once.
    if (this.#isOpen()) this.#ws.send(Buffer.from(bytes))
  }

  ping(): void {
    if (this.#isOpen()) this.#ws.ping()
  }

  end(code: number, reason: string): void {
    if (this.#isOpen()) this.#ws.close(code, reason)
    this.#closed(code)
  }

  #isOpen(): boolean {
    return !this.#isOver && this.#ws.readyState === WebSocket.OPEN
  }

  #closed(code: number): void {
    if (this.#isOver) return
    this.#isOver = true
    const listener = this.#listener
    this.#listener = null
    this.#guard(() => listener?.closed(code))
  }

  /** Runs a callback. A fault in it costs one socket, not the process. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#log.error(thrownFields(error), 'a socket callback failed')
      this.end(CLOSE.internal, 'INTERNAL')
    }
  }
}
