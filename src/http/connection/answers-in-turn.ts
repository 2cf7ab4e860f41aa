import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * our choice: requests of one connection that may wait for their turn. Each is small, but what a socket brings at once
 * can hold a thousand.
 */
const MOST_AHEAD = 16

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** The requests of one connection. */
interface Line {
  isBusy: boolean
  /** Set when too many requests were sent ahead: the connection closes after the answer to the last one that waits. */
  isEnding: boolean
  readonly ahead: [request: IncomingMessage, response: ServerResponse][]
}

/**
 * Takes the requests of each connection one after another (RFC 9112 9.3.2): none begins before the answer to the one
 * before has left for the client, so that a client that sends ahead and reads nothing has one answer in work. The
 * connection is not read meanwhile. Once MOST_AHEAD requests wait, the connection closes after the answer to the last
 * of them, as a server may at any time; the client sends again what was not answered.
 */
export class AnswersInTurn {
  readonly #lines = new WeakMap<Socket, Line>()
  readonly #handle: Handle

  constructor(handle: Handle) {
    this.#handle = handle
  }

  /** Whether no request of the connection is in work or waits. */
  isIdle(socket: Socket): boolean {
    return !this.#lines.get(socket)?.isBusy
  }

  /** Whether the connection has had a request, and none is in work or waits. */
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
