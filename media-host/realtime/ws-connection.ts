import { WebSocket } from 'ws'
import { CLOSE } from './protocol.ts'
import type { Duplex } from 'node:stream'
import type { Log } from '../../src/ports/log.ts'
import type { Connection, ConnectionListener } from './connection.ts'

/** The close codes that the library sends of itself, by its codes of what a client did wrong; 1002 for all others. */
const BREACHES: Readonly<Record<string, number>> = {
  WS_ERR_INVALID_UTF8: CLOSE.badJson,
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: CLOSE.tooBig,
  WS_ERR_TOO_MANY_BUFFERED_PARTS: CLOSE.tooManyParts,
}

/** RFC 6455 7.1.5: the connection went without a close frame. */
const CUT = 1006

/** One socket of the library. Its listener is told once of the end, with the code the client is given. */
export class WsConnection implements Connection {
  readonly #ws: WebSocket
  readonly #socket: Duplex
  readonly #log: Log
  #listener: ConnectionListener | null = null
  #isOver = false

  constructor(ws: WebSocket, socket: Duplex, log: Log) {
    this.#ws = ws
    this.#socket = socket
    this.#log = log
  }

  /** Hands the socket to whoever is to have it. */
  open(open: (connection: Connection) => ConnectionListener): void {
    const ws = this.#ws
    ws.on('message', (data, isBinary) => this.#guard(() => this.#listener?.message(data as Buffer, isBinary)))
    ws.on('ping', () => this.#guard(() => this.#listener?.alive()))
    ws.on('pong', () => this.#guard(() => this.#listener?.alive()))
    ws.on('error', ({ code }: NodeJS.ErrnoException) => this.#closed(code?.startsWith('WS_ERR') ? BREACHES[code] ?? CLOSE.badFraming : CUT))
    ws.on('close', (code) => this.#closed(code))
    this.#socket.on('drain', () => this.#guard(() => this.#listener?.drain()))
    this.#guard(() => {
      const listener = open(this)
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
    // The library keeps what the network does not take at once.
    if (this.#isOpen()) this.#ws.send(Buffer.from(bytes))
  }

  ping(): void {
    if (this.#isOpen()) this.#ws.ping()
  }

  pause(): void {
    if (this.#isOpen()) this.#ws.pause()
  }

  resume(): void {
    this.#ws.resume()
  }

  end(code: number, reason: string): void {
    // The client's answer to the close is to be read.
    this.resume()
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

  /** A fault of ours costs one socket, not the process. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      const { name, stack } = error instanceof Error ? error : { name: 'unknown', stack: undefined }
      this.#log.error({ name, stack }, 'a socket callback failed')
      this.end(CLOSE.internal, 'INTERNAL')
    }
  }
}
