import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { NO_TRACES, type Traces } from '../../../src/ports/traces.ts'
import { createBoundedServer } from '../process/bounded-server.ts'
import { StartFault } from '../process/config.ts'
import { errorFields, type Log } from '../process/log.ts'
import { Draining, type Sessions } from '../session/sessions.ts'
import { HeldElsewhere } from '../store/hold.ts'
import { serveConnection } from './connection.ts'

const PATH = /^\/sessions\/([\w-]{1,100})$/
/** our choice, as in the sandbox: media do not come through this socket. */
const MAX_FRAME_BYTES = 1024 * 1024
const CLOSE_GOING_AWAY = 1001
/** RFC 9110 section 15.5.20: this server does not answer for what was asked. */
const MISDIRECTED = 421
/** our choice: a session has one connection, and an engine has far fewer sessions. */
const MOST_CONNECTIONS = 10_000

export interface BridgeServerParts {
  readonly sessions: Sessions
  readonly log: Log
  /** Default: nothing is recorded. */
  readonly traces?: Traces
  /** The bearer token that gateways show; null when none is required. */
  readonly token: string | null
  readonly host: string
  readonly port: number
  /** How long a connection may be open before its request is complete, in ms. Default 10 s. */
  readonly requestMs?: number
  /** Serves requests that are not for the bridge's socket. */
  readonly serveHttp: (request: IncomingMessage, response: ServerResponse) => void
}

/** The device bridge ([bridge.socket.1]), and the engine's HTTP beside it. */
export interface BridgeServer {
  readonly port: number
  close(): Promise<void>
}

/** Starts to listen. Throws a StartFault when the port cannot be bound. */
export async function openBridge(parts: BridgeServerParts): Promise<BridgeServer> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  const http = createBoundedServer({ most: MOST_CONNECTIONS, requestMs: parts.requestMs }, parts.serveHttp)
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const numberId = PATH.exec(pathOf(request))?.[1]
    if (numberId === undefined) return refuseUpgrade(socket, 404)
    if (!isAuthorized(request.headers.authorization, parts.token)) return refuseUpgrade(socket, 401)
    parts.sessions.of(numberId).then(
      (session) =>
        sockets.handleUpgrade(request, socket, head, (ws) =>
          serveConnection(ws, session, parts.traces ?? NO_TRACES, () => parts.sessions.release(numberId)),
        ),
      (error: unknown) => {
        if (error instanceof HeldElsewhere) return refuseUpgrade(socket, MISDIRECTED, headersOf(error))
        if (!(error instanceof Draining))
          parts.log.error({ numberId, ...errorFields(error) }, 'a number was not opened')
        refuseUpgrade(socket, 503)
      },
    )
  })
  const port = await listen(http, parts.host, parts.port)
  return {
    port,
    close() {
      for (const ws of sockets.clients) ws.close(CLOSE_GOING_AWAY, 'the engine stops')
      return new Promise((resolve) => {
        http.close(() => resolve())
        http.closeAllConnections()
        for (const ws of sockets.clients) ws.terminate()
      })
    },
  }
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?')[0] ?? '/'
}

/** Where the number is to be asked for ([engine-fleet.store.8]). */
function headersOf({ engineId, leftMs }: HeldElsewhere): readonly string[] {
  return [
    ...(engineId === null ? [] : [`engine-id: ${engineId}`]),
    `retry-after: ${Math.max(1, Math.ceil(leftMs / 1_000))}`,
  ]
}

function refuseUpgrade(socket: Duplex, status: number, headers: readonly string[] = []): void {
  const lines = [`HTTP/1.1 ${status} Refused`, 'connection: close', 'content-length: 0', ...headers]
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
}

/** Compares hashes, so that the time taken shows neither length nor content. */
export function isAuthorized(header: string | undefined, token: string | null): boolean {
  if (token === null) return true
  const [shown, expected] = [header ?? '', `Bearer ${token}`].map((text) => createHash('sha256').update(text).digest())
  return shown !== undefined && expected !== undefined && timingSafeEqual(shown, expected)
}

function listen(http: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: Error & { code?: string }) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new StartFault(`ENGINE_PORT ${port} is taken: stop the other program or set ENGINE_PORT`)
          : new StartFault(
              `ENGINE_PORT ${port} cannot be opened at ${host} (${error.code}): set ENGINE_PORT or ENGINE_HOST`,
            ),
      )
    })
    http.listen(port, host, () => resolve((http.address() as AddressInfo).port))
  })
}
