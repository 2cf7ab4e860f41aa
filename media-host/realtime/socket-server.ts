import { once } from 'node:events'
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { answer, brokenRefusal, endAnswered, handshakeRefusal, isOfSocket, plainRefusal } from './http-answers.ts'
import { WsConnection } from './ws-connection.ts'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { boundConnections } from '../../src/process/connection-bounds.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Log } from '../../src/ports/log.ts'
import type { Connection, ConnectionListener, UpgradeDecision, UpgradeRequest } from './connection.ts'

/** A path on which WebSockets are taken. */
export interface SocketRoute {
  /** Ends with `*` or names one path. */
  readonly pattern: string
  /** Bytes of the longest message that the library hands on, 128 KiB unless told; a longer one it closes 1009 before it is whole. Few different ones. */
  longestMessage?(query: URLSearchParams): number | null
  /** Decides at once: the request is gone when this returns. */
  upgrade(request: UpgradeRequest): UpgradeDecision
}

export interface SocketServerOptions {
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly sockets: readonly SocketRoute[]
  readonly log: Log
  /** What connections are timed by that sent nothing yet; the real one when absent. */
  readonly clock?: Clock
}

export interface SocketServer {
  /** The port that was taken. */
  readonly port: number
  /** Cuts every connection and stops listening. Idempotent. */
  close(): void
}

/** Our choice, in ms: a handshake is one small packet. Looked at this often. */
const REQUEST_TIMEOUT_MS = 10_000
const LOOK_MS = 5_000

const LIBRARY = {
  noServer: true,
  perMessageDeflate: false,
  /** Our choice, in ms: who was told of the close and does not answer is cut. */
  closeTimeout: 10_000,
} as const

/**
 * In bytes. Messages over 64 KiB are closed 1009 by the protocol code, which says why before (contract 7). Our choice: those over
 * twice that are closed 1009 by the library.
 */
const LONGEST_MESSAGE = 131_072

type Open = (connection: Connection) => ConnectionListener

/** Opens the listener that clients use; rejects when the port is taken. Whatever it says over HTTP is JSON. */
export async function openSocketServer(options: SocketServerOptions): Promise<SocketServer> {
  const server = createServer({ requireHostHeader: false, headersTimeout: REQUEST_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, connectionsCheckingInterval: LOOK_MS })
  boundConnections(server, options.clock ? { clock: options.clock } : {})
  const sockets = openUpgrades(options)
  const patterns = options.sockets.map(({ pattern }) => pattern)
  server.on('request', (request, response) => answer(response, plainRefusal(request, patterns)))
  server.on('checkExpectation', (request, response) => answer(response, plainRefusal(request, patterns)))
  server.on('connect', (request, socket) => endAnswered(socket, plainRefusal(request, patterns)))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => endAnswered(socket, brokenRefusal(error)))
  server.on('upgrade', (request, socket, head) => {
    if (!isOfSocket(request, patterns)) return endAnswered(socket, plainRefusal(request, patterns))
    sockets.handle(request, socket, head)
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  server.on('error', ({ name, stack }) => options.log.error({ name, stack }, 'the socket server failed'))
  const { port } = server.address() as AddressInfo
  return {
    port,
    close() {
      server.close()
      sockets.cut()
      server.closeAllConnections()
    },
  }
}

/**
 * The handshakes, and the sockets made by them. The library looks at the form of a handshake first, then has the route decide in the
 * same turn: a token is used up by a handshake that is one.
 */
function openUpgrades({ sockets: routes, log }: SocketServerOptions) {
  const accepted = new WeakMap<IncomingMessage, Open>()
  /** The library takes the length of messages once for all sockets of a server: there is one for each length. */
  const servers = new Map<number, WebSocketServer>()

  function serverOf(maxPayload: number): WebSocketServer {
    const known = servers.get(maxPayload)
    if (known) return known
    const server = new WebSocketServer({
      ...LIBRARY, maxPayload,
      verifyClient({ req }, decided) {
        const decision = decide(req, routes, log)
        if (decision.kind === 'refuse') return endAnswered(req.socket, decision)
        accepted.set(req, decision.open)
        decided(true)
      },
    })
    server.on('wsClientError', (_error, socket, request) => endAnswered(socket, handshakeRefusal(request)))
    servers.set(maxPayload, server)
    return server
  }

  return {
    handle(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const longest = routeOf(request, routes)?.longestMessage?.(addressOf(request).query) ?? LONGEST_MESSAGE
      serverOf(longest).handleUpgrade(request, socket, head, (ws) => {
        const open = accepted.get(request)
        if (open) new WsConnection(ws, socket, log).open(open)
      })
    },
    cut() {
      for (const server of servers.values()) for (const ws of server.clients) ws.terminate()
    },
  }
}

function routeOf(request: IncomingMessage, routes: readonly SocketRoute[]): SocketRoute | undefined {
  return routes.find(({ pattern }) => isOfSocket(request, [pattern]))
}

function addressOf({ url = '' }: IncomingMessage): { path: string, query: URLSearchParams } {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  return { path, query: new URLSearchParams(query) }
}

function decide(request: IncomingMessage, routes: readonly SocketRoute[], log: Log): UpgradeDecision {
  const header = (name: string) => String(request.headers[name] ?? '')
  try {
    const decision = routeOf(request, routes)?.upgrade({ ...addressOf(request), authorization: header('authorization'), header })
    return decision ?? { kind: 'refuse', ...plainRefusal(request, []) }
  } catch (error) {
    log.error({ name: error instanceof Error ? error.name : 'unknown' }, 'an upgrade failed')
    return { kind: 'refuse', status: 500, body: { error: 'Internal error' } }
  }
}
