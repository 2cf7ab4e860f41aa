import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Our choice: requests that may be sent ahead of their turn; each is small, but a thousand fit into what a socket
 * brings at once.
 */
const MOST_AHEAD = 16

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** What a connection asks. */
interface Line {
  isBusy: boolean
  /** Too much was sent ahead: it is closed behind the last that waits. */
  isEnding: boolean
  readonly ahead: [request: IncomingMessage, response: ServerResponse][]
}

/**
 * Takes the requests of each connection one after another (RFC 9112 9.3.2): none begins before the answer to the one
 * before has left for the client, so that whoever sends ahead and reads nothing has one answer in work. Nothing more is
 * read of a connection meanwhile. Beyond MOST_AHEAD that wait the connection is closed behind the last of them, as a
 * server may at any time; a client sends again what was not answered.
 */
export class AnswersInTurn {
  readonly #lines = new WeakMap<Socket, Line>()
  readonly #handle: Handle

  constructor(handle: Handle) {
    this.#handle = handle
  }

  /** Whether nothing of a connection is in work or waits. */
  isIdle(socket: Socket): boolean {
    return !this.#lines.get(socket)?.isBusy
  }

  /** Whether a connection was asked something, and nothing of it is in work or waits. */
  isDone(socket: Socket): boolean {
    return this.#lines.get(socket)?.isBusy === false
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const line = this.#lines.get(socket) ?? { isBusy: false, isEnding: false, ahead: [] }
    this.#lines.set(socket, line)
    if (!line.isBusy) return this.#begin(line, request, response)
    socket.pause()
    if (line.isEnding) return
    line.ahead.push([request, response])
    if (line.ahead.length < MOST_AHEAD) return
    line.isEnding = true
    response.setHeader('connection', 'close')
  }

  #begin(line: Line, request: IncomingMessage, response: ServerResponse): void {
    line.isBusy = true
    response.once('close', () => this.#next(line, request.socket))
    this.#handle(request, response)
  }

  #next(line: Line, socket: Socket): void {
    line.isBusy = false
    if (socket.destroyed) line.ahead.length = 0
    const next = line.ahead.shift()
    if (next) this.#begin(line, ...next)
    if (line.ahead.length === 0 && !socket.destroyed) socket.resume()
  }
}
