import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { BridgeAnswer, BridgeError } from '../../src/domain/device-bridge.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import { cutOf, type Fault, type Faults } from '../faults.ts'
import type { Ledger } from '../ledger.ts'
import type { DeviceNetwork } from './network.ts'
import { perform, type Performed } from './operations.ts'
import { BridgeRefusal } from './refusal.ts'
import type { DeviceSession, SessionSocket } from './session.ts'

const PATH = /^\/devices\/sessions\/([\w-]+)$/
const MAX_MESSAGE_BYTES = 1024 * 1024
/** Close codes: bad JSON by RFC 6455, a newer socket as on the realtime socket ([realtime.closing.12]). */
const CLOSE_BAD_MESSAGE = 1007
const CLOSE_REPLACED = 4409
const CLOSE_GOING_AWAY = 1001

export interface BridgeServerParts {
  readonly network: DeviceNetwork
  readonly faults: Faults
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Log
  readonly bridgeToken: string | null
}

/** Serves the device bridge ([bridge.socket.1]) to gateways. */
export interface BridgeServer {
  /** Takes an upgrade request; answers it with an HTTP error when it is not for the bridge. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): void
}

interface IncomingRequest {
  readonly id: string
  readonly op: string
  readonly fields: Readonly<Record<string, unknown>>
}

interface Connection {
  readonly ws: WebSocket
  readonly path: string
  readonly session: DeviceSession
}

export function createBridgeServer(parts: BridgeServerParts): BridgeServer {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  return {
    upgrade(request, socket, head) {
      const path = URL.parse(request.url ?? '/', 'http://sandbox')?.pathname ?? ''
      const [, numberId] = PATH.exec(path) ?? []
      if (numberId === undefined) return refuseUpgrade(socket, 404)
      if (!isAuthorized(request.headers.authorization, parts.bridgeToken)) return refuseUpgrade(socket, 401)
      const fault = parts.faults.take({ path, method: 'GET' })
      if (fault?.drop) return void socket.destroy()
      if (fault?.status !== undefined) return refuseUpgrade(socket, fault.status)
      const open = () => server.handleUpgrade(request, socket, head, (ws) => connect(parts, ws, path, numberId))
      if (fault?.delayMs) parts.clock.after(fault.delayMs, open)
      else open()
    },
    close() {
      for (const ws of server.clients) ws.close(CLOSE_GOING_AWAY, 'the sandbox stops')
      for (const ws of server.clients) ws.terminate()
      server.close()
    },
  }
}

function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

/** Compares hashes, so that the time taken shows neither length nor content. */
function isAuthorized(header: string | undefined, token: string | null): boolean {
  if (token === null) return true
  const [shown, expected] = [header ?? '', `Bearer ${token}`].map((text) => createHash('sha256').update(text).digest())
  return shown !== undefined && expected !== undefined && timingSafeEqual(shown, expected)
}

function connect(parts: BridgeServerParts, ws: WebSocket, path: string, numberId: string): void {
  const session = parts.network.session(numberId)
  const socket = wrap(ws)
  session.attach(socket)
  parts.log.debug({ numberId }, 'device session socket opened')
  ws.on('error', () => ws.terminate())
  ws.on('close', () => session.detach(socket))
  ws.on('message', (bytes, isBinary) => {
    const message = isBinary ? null : parseMessage(String(bytes))
    if (!message) return ws.close(CLOSE_BAD_MESSAGE, 'messages are JSON objects')
    if (typeof message['ack'] === 'number') return session.acknowledge(message['ack'])
    if (typeof message['id'] !== 'string' || typeof message['op'] !== 'string') return
    const { id, op, ...fields } = message
    void serve(parts, { ws, path, session }, { id: String(id), op: String(op), fields })
  })
}

function wrap(ws: WebSocket): SessionSocket {
  return {
    get isOpen() {
      return ws.readyState === ws.OPEN
    },
    send: (message) => sendJson(ws, message),
    close: (reason) => ws.close(CLOSE_REPLACED, reason),
    cut: () => ws.terminate(),
  }
}

function sendJson(ws: WebSocket, message: object): void {
  if (ws.readyState === ws.OPEN) ws.send(JSON.stringify(message))
}

function parseMessage(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

/** Credentials and session descriptions stay out of the ledger. */
function presentFields(fields: IncomingRequest['fields']): Record<string, unknown> {
  const { credentials, media, ...rest } = fields
  return {
    ...rest,
    ...(credentials === undefined ? {} : { hasCredentials: credentials !== null }),
    ...(media === undefined ? {} : { hasMedia: true }),
  }
}

async function serve(parts: BridgeServerParts, connection: Connection, request: IncomingRequest): Promise<void> {
  const { session, path, ws } = connection
  const { numberId } = session
  parts.ledger.add({
    atMs: parts.clock.now(),
    kind: 'device',
    method: null,
    path,
    op: request.op,
    numberId,
    number: session.number || stringOf(request.fields['number']),
    fields: presentFields(request.fields),
  })
  const fault = parts.faults.take({ path, op: request.op })
  if (fault?.delayMs) await new Promise<void>((resolve) => parts.clock.after(fault.delayMs ?? 0, resolve))
  const cut = fault && cutOf(fault)
  if (cut === 'before') return ws.terminate()
  // A socket that was replaced or cut while the request waited must not act any more.
  if (ws.readyState !== ws.OPEN) return
  const outcome = await attempt(parts, session, request, fault)
  const act = (): void => {
    try {
      outcome.after?.()
    } catch (error) {
      parts.log.error({ op: request.op, numberId, error: String(error) }, 'device operation failed behind its answer')
    }
  }
  const heldMs = fault?.answerDelayMs ?? 0
  if (heldMs > 0) {
    act()
    await new Promise<void>((resolve) => parts.clock.after(heldMs, resolve))
  }
  if (cut === 'after') ws.terminate()
  else sendJson(ws, outcome.answer)
  if (heldMs === 0) act()
}

function stringOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

async function attempt(
  parts: BridgeServerParts,
  session: DeviceSession,
  request: IncomingRequest,
  fault: Fault | null,
): Promise<{ answer: BridgeAnswer; after?: () => void }> {
  const refused = fault && faultError(fault)
  const refusal: BridgeAnswer | null = refused && { re: request.id, ok: false, error: refused }
  if (refusal && fault?.after !== true) return { answer: refusal }
  try {
    const { result, after }: Performed = await perform(parts.network, session, request.op, request.fields)
    return { answer: refusal ?? { re: request.id, ok: true, result }, ...(after ? { after } : {}) }
  } catch (error) {
    if (error instanceof BridgeRefusal) return { answer: { re: request.id, ok: false, error: error.error } }
    parts.log.error({ op: request.op, numberId: session.numberId, error: String(error) }, 'device operation failed')
    return {
      answer: { re: request.id, ok: false, error: { code: 'FAILED', message: 'The sandbox failed', retryable: true } },
    }
  }
}

/** our choice: an injected failure may be retried unless the fault says otherwise. */
function faultError({ error, status }: Fault): BridgeError | null {
  if (error === undefined && status === undefined) return null
  const {
    code = 'FAILED',
    message = 'Injected by a fault',
    retryable = true,
  } = typeof error === 'string' ? { code: error } : (error ?? {})
  return { code, message, retryable }
}
