import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { thrownFields } from '../../src/domain/thrown.ts'
import type { Log } from '../../src/ports/log.ts'
import { CLOSE } from './protocol.ts'
import type { Connection, ConnectionListener } from './connection.ts'

/** [voice.connect-to.6], in ms; the same as for incoming connections. */
const HANDSHAKE_MS = 10_000
/** RFC 6455 section 7.1.5: the connection ended without a close frame. */
const CUT = 1006

/** What is dialled. No redirect is followed, because the headers are for this server alone. */
export interface DialTarget {
  /** `ws:` or `wss:`. */
  readonly url: string
  /** Sent with the handshake; their values may be secret. */
  readonly headers: Readonly<Record<string, string>>
  /** In bytes. The listener closes messages that are too long for it with a reason; longer ones are cut off. */
  readonly longestMessage: number
  /** Gives the addresses of a name; that of the system when absent. */
  readonly lookup?: LookupFunction
}

/** Why a socket was not opened. */
export type DialFailure =
  | { readonly kind: 'refused'; readonly status: number }
  /** What the library, the system or `lookup` threw. */
  | { readonly kind: 'failed'; readonly error: Error }

export interface DialHandlers {
  opened(connection: Connection): ConnectionListener
  /** Called once when the socket did not open; never after `opened`. */
  failed(failure: DialFailure): void
}

/** Opens a socket to another server. The returned function gives up a socket that is not open yet. */
export type DialSocket = (target: DialTarget, handlers: DialHandlers) => () => void

/** Makes the function that dials. Neither addresses nor headers are logged. */
export function createDialSocket(log: Log): DialSocket {
  return ({ url, headers, longestMessage, lookup }, { opened, failed }) => {
    const ws = new WebSocket(url, {
      headers,
      handshakeTimeout: HANDSHAKE_MS,
      perMessageDeflate: false,
      maxPayload: longestMessage,
      followRedirects: false,
      ...(lookup === undefined ? {} : { lookup }),
    })
    let socket: Duplex | null = null
    let isSettled = false
    const fail = (failure: DialFailure): void => {
      if (isSettled) return
      isSettled = true
      failed(failure)
    }
    ws.on('upgrade', (response) => {
      socket = response.socket
    })
    ws.on('unexpected-response', (request, response) => {
      request.destroy()
      fail({ kind: 'refused', status: response.statusCode ?? 0 })
    })
    ws.on('open', () => {
      if (isSettled || socket === null) return ws.terminate()
      isSettled = true
      new DialledSocket(ws, socket, log).open(opened)
    })
    ws.on('error', (error) => fail({ kind: 'failed', error }))
    ws.on('close', () => fail({ kind: 'failed', error: new Error('the connection ended before it was open') }))
    return () => {
      if (isSettled) return
      isSettled = true
      ws.terminate()
    }
  }
}

/** An outgoing socket to another server. Its listener hears of the end once. */
class DialledSocket implements Connection {
  readonly #ws: WebSocket
  readonly #below: Duplex
  readonly #log: Log
  #listener: ConnectionListener | null = null
  #isOver = false

  constructor(ws: WebSocket, below: Duplex, log: Log) {
    this.#ws = ws
    this.#below = below
    this.#log = log
  }

  /** Hands the socket to its owner. */
  open(opened: (connection: Connection) => ConnectionListener): void {
    const ws = this.#ws
    ws.on('message', (data, isBinary) => this.#guard(() => this.#listener?.message(data as Buffer, isBinary)))
    ws.on('ping', () => this.#guard(() => this.#listener?.alive()))
    ws.on('pong', () => this.#guard(() => this.#listener?.alive()))
    ws.on('error', () => this.#closed(CUT))
    ws.on('close', (code) => this.#closed(code))
    this.#below.on('drain', () => this.#guard(() => this.#listener?.drain()))
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

  cork(work: () => void): void {
    this.#below.cork()
    try {
      work()
    } finally {
      this.#below.uncork()
    }
  }

  ping(): void {
    if (this.#isOpen()) this.#ws.ping()
  }

  pause(): void {
    if (!this.#isOver) this.#ws.pause()
  }

  resume(): void {
    if (!this.#isOver) this.#ws.resume()
  }

  end(code: number, reason: string): void {
    // Reading goes on, so that the answer to the close is read.
    this.#ws.resume()
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
