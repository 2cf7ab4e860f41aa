import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AnswersInTurn } from './connection/answers-in-turn.ts'
import { RunningAnswers } from './connection/running-answers.ts'
import { UNREAD_BOUNDS, UnreadAnswers } from './connection/unread-answers.ts'
import type { UnreadBounds } from './connection/unread-answers.ts'
import { presentRefusal } from './request/refusal-body.ts'
import { refuse } from '../domain/errors.ts'

/** our choice, in ms: well above the longest answer (20 s ask), and short enough to shed clients that dribble. */
const REQUEST_TIMEOUT_MS = 60_000
const HEADERS_TIMEOUT_MS = 15_000
/** our choice: longer than the 60 s after which common proxies drop an idle connection themselves. */
const KEEP_ALIVE_MS = 65_000
/** our choice, in ms: how long what a client still sends is read, so that it gets its answer instead of a reset. */
const LINGER_MS = 1_000

export interface HttpListener {
  readonly host: string
  readonly port: number
  /**
   * Goes on accepting. Each answer asks its client to close the connection, so that none is cut during a later request.
   */
  drain(): void
  /** Stops accepting, lets running requests finish for up to `graceMs`, then cuts. Idempotent. */
  close(graceMs: number): Promise<void>
}

export interface ListenOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Multiplies every timeout; 1 in service. */
  readonly patience?: number
  /** Bounds the connections of the server. Absent leaves them unbounded. */
  readonly boundConnections?: (server: Server, isIdle: (socket: Socket) => boolean) => void
  /** The address that unread answers of a request count for. Absent takes the address of the connection. */
  readonly countedAddress?: (request: IncomingMessage) => string
  readonly unread?: UnreadBounds
}

/** Serves an application. Rejects when the address cannot be bound. */
export async function startHttp(
  app: { callback(): (req: IncomingMessage, res: ServerResponse) => unknown },
  options: ListenOptions,
): Promise<HttpListener> {
  const { patience = 1, countedAddress = (request) => request.socket.remoteAddress ?? '' } = options
  const handle = app.callback()
  const running = new RunningAnswers()
  const unreadBounds = options.unread ?? UNREAD_BOUNDS
  const unread = new UnreadAnswers(unreadBounds)
  let closing: Promise<void> | null = null
  let isDraining = false
  const turns = new AnswersInTurn((req, res) => {
    if (isDraining || closing) res.setHeader('connection', 'close')
    if (!hasOneHost(req)) return answerHosts(req, res)
    running.add(res)
    unread.watch(res, countedAddress(req))
    void handle(req, res)
  })
  const server = createServer({ requireHostHeader: false }, (req, res) => turns.take(req, res))
  server.requestTimeout = REQUEST_TIMEOUT_MS * patience
  server.headersTimeout = HEADERS_TIMEOUT_MS * patience
  server.keepAliveTimeout = KEEP_ALIVE_MS * patience
  server.on('clientError', answerBroken)
  // Node calls back when no byte came or went for this time. An answer that is still being made is let be; one that was
  // written and does not move is cut.
  server.setTimeout(unreadBounds.unmovedMs * patience, (socket) => {
    if (turns.isDone(socket) || socket.writableLength > 0) socket.destroy()
  })
  options.boundConnections?.(server, (socket) => turns.isIdle(socket))
  await listening(server, options)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('listener has no port')
  return {
    host: options.host,
    port: address.port,
    drain: () => {
      isDraining = true
    },
    close: (graceMs) => (closing ??= closed(server, running, graceMs)),
  }
}

function listening(server: Server, { host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closed(server: Server, running: RunningAnswers, graceMs: number): Promise<void> {
  // Without this header a connection whose last answer is still to come would stay open, and closing would wait for it.
  for (const res of running.all()) if (!res.headersSent) res.setHeader('connection', 'close')
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/**
 * Answers requests that come before the application is there: 503, in the form of an error ([rest.errors.1]) and of a
 * health check ([configuration.open-routes.1]) at once.
 */
export function answerStarting(response: ServerResponse): void {
  response.writeHead(503, {
    'content-type': 'application/json; charset=utf-8',
    'retry-after': '1',
    'x-request-id': randomUUID(),
  })
  response.end(JSON.stringify({ error: 'The service is starting.', status: 'starting', checks: {} }))
}

const HOST = 'host'

/**
 * Whether a request has one `host` header. Two, even equal ones, could be read as one host here and as another by a
 * proxy; an HTTP/1.1 request without one is malformed (RFC 9112 3.2).
 */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  // It runs for every request, so it makes no function and no text for each header.
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === HOST.length && rawHeaders[i]?.toLowerCase() === HOST) hosts++
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

function answerHosts(request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(presentRefusal(refuse('VALIDATION', 'Send one Host header'), pathOf(request)))
  response
    .writeHead(400, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
      'x-request-id': randomUUID(),
    })
    .end(body)
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? ''
}

/** Answers what is not HTTP. It never reaches the application, and still gets the usual error body. */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  const body = JSON.stringify(presentRefusal(refuse('VALIDATION', STATUS_CODES[status] ?? 'Bad Request'), ''))
  const cut = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(cut))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\nx-request-id: ${randomUUID()}\r\n\r\n${body}`,
  )
}
