import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** What a request that becomes no socket is told. */
export interface HttpRefusal {
  readonly status: number
  readonly body: object
  readonly retryAfterSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Our choice, in ms: what a client still sends is read for this long, so that it gets its answer instead of a reset. */
const LINGER_MS = 1_000

const NO_ROUTE: HttpRefusal = { status: 404, body: { error: 'Route not found', code: 'ROUTE_NOT_FOUND' } }
const SOCKETS_ONLY: HttpRefusal = {
  status: 426, body: { error: 'This path takes WebSocket upgrades only', code: 'UPGRADE_REQUIRED' }, headers: { upgrade: 'websocket' },
}
const OTHER_VERSION: HttpRefusal = {
  status: 426, body: { error: 'The WebSocket version must be 13', code: 'UPGRADE_REQUIRED' }, headers: { upgrade: 'websocket', 'sec-websocket-version': '13' },
}
const OTHER_METHOD: HttpRefusal = { status: 405, body: { error: 'A WebSocket is opened by GET' }, headers: { allow: 'GET' } }
const BROKEN_HANDSHAKE: HttpRefusal = { status: 400, body: { error: 'The WebSocket handshake is not well-formed' } }

function isOfPath({ url = '' }: IncomingMessage, patterns: readonly string[]): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return patterns.some((pattern) => pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern)
}

/** True of a request that wants to become a socket where there are some. A pattern ends with `*` or names one path. */
export function isOfSocket(request: IncomingMessage, patterns: readonly string[]): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket' && isOfPath(request, patterns)
}

/** What a plain request is told: there is nothing but sockets. */
export function plainRefusal(request: IncomingMessage, patterns: readonly string[]): HttpRefusal {
  return isOfPath(request, patterns) ? SOCKETS_ONLY : NO_ROUTE
}

/** Why a handshake is none (RFC 6455 4.2.1, 4.4). */
export function handshakeRefusal({ method, headers }: IncomingMessage): HttpRefusal {
  if (method !== 'GET') return OTHER_METHOD
  return headers['sec-websocket-version'] === '13' ? BROKEN_HANDSHAKE : OTHER_VERSION
}

/** What is told of bytes that are no HTTP, by Node's code for the fault. */
export function brokenRefusal({ code }: NodeJS.ErrnoException): HttpRefusal {
  const status = code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  return { status, body: { error: STATUS_CODES[status] ?? 'Bad Request' } }
}

function headersOf({ headers, retryAfterSeconds }: HttpRefusal, text: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8', 'content-length': String(Buffer.byteLength(text)), ...headers,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  }
}

/** Answers a request that Node reads to its end. */
export function answer(response: ServerResponse, refusal: HttpRefusal): void {
  const text = JSON.stringify(refusal.body)
  response.writeHead(refusal.status, headersOf(refusal, text)).end(text)
}

/** Answers on the bare connection and ends it. One that is ended already is left to its end. */
export function endAnswered(socket: Duplex, refusal: HttpRefusal): void {
  if (socket.writableEnded || socket.destroyed) return
  const text = JSON.stringify(refusal.body)
  const head = Object.entries({ ...headersOf(refusal, text), connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const cut = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.on('error', () => socket.destroy())
  socket.once('close', () => clearTimeout(cut))
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}\r\n${head}\r\n${text}`)
  socket.resume()
}
