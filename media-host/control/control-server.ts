import { App, us_socket_local_port } from 'uWebSockets.js'
import { once } from 'node:events'
import { STATUS_CODES } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { CLOSE } from '../realtime/protocol.ts'
import type { HttpRequest, HttpResponse, TemplatedApp, WebSocket, us_listen_socket } from 'uWebSockets.js'
import type { Log } from '../../src/ports/log.ts'
import type { Connection, ConnectionListener, UpgradeDecision } from '../realtime/connection.ts'
import type { SocketRoute, SocketServer, SocketServerOptions } from '../realtime/socket-server.ts'

/** A path that answers GET. */
export interface PageRoute {
  readonly path: string
  readonly contentType: string
  body(): Promise<string> | string
}

export interface ControlServerOptions extends SocketServerOptions {
  readonly pages: readonly PageRoute[]
}

/** Our choice: SDP and lists of calls are far smaller. The library cuts a connection that sends more. */
const MAX_PAYLOAD_BYTES = 4_194_304

type UpgradeContext = Parameters<HttpResponse['upgrade']>[4]

interface UserState {
  readonly open: (connection: Connection) => ConnectionListener
  connection: UwsConnection | null
  listener: ConnectionListener | null
}

/** uSockets: the port is ours alone; without it a second process could listen on it beside us. */
const EXCLUSIVE_PORT = 1
/** Our choice: a port that was free a moment ago may be another program's by now; another one is looked for so often. */
const FREE_PORT_TRIES = 5
/** The form with options is there, but missing from the types. */
type ListenExclusively = (this: TemplatedApp, host: string, port: number, options: number, taken: (token: us_listen_socket | false) => void) => TemplatedApp

/**
 * The port to bind. 0 becomes a number here, because uSockets allows the reuse of an address only for a port it is
 * told: a host killed while sockets were open could otherwise not take its port again for a minute.
 */
async function choosePort(host: string, port: number): Promise<number> {
  if (port !== 0) return port
  const probe = createServer()
  probe.listen(0, host)
  await once(probe, 'listening')
  const { port: free } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return free
}

/** Opens the listener that gateways and monitors use, who are ours; rejects when the port is taken. */
export async function openControlServer(options: ControlServerOptions): Promise<SocketServer> {
  const app = App()
  for (const route of options.sockets) addSockets(app, route, options.log)
  for (const page of options.pages) app.get(page.path, (res) => void show(res, page, options.log))
  const isSocketPath = (path: string) => options.sockets.some(({ pattern }) => path.startsWith(pattern.replace('*', '')))
  app.any('/*', (res, req) => {
    if (isSocketPath(req.getUrl())) return answer(res, 426, { error: 'This path takes WebSocket upgrades only', code: 'UPGRADE_REQUIRED' })
    answer(res, 404, { error: 'Route not found', code: 'ROUTE_NOT_FOUND' })
  })
  for (let tries = 1; ; tries++) {
    const port = await choosePort(options.host, options.port)
    try {
      return await listen(app, options.host, port)
    } catch (error) {
      if (options.port !== 0 || tries === FREE_PORT_TRIES) throw error
    }
  }
}

function listen(app: TemplatedApp, host: string, port: number): Promise<SocketServer> {
  return new Promise((resolve, reject) => {
    const listenExclusively: ListenExclusively = app.listen as unknown as ListenExclusively
    listenExclusively.call(app, host, port, EXCLUSIVE_PORT, (token) => {
      // The library gives no reason; a port that is taken is the common one.
      if (!token) return reject(Object.assign(new Error(`port ${port} of ${host} cannot be listened on`), { code: 'EADDRINUSE' }))
      let isClosed = false
      resolve({
        port: us_socket_local_port(token),
        close() {
          if (!isClosed) app.close()
          isClosed = true
        },
      })
    })
  })
}

function addSockets(app: TemplatedApp, route: SocketRoute, log: Log): void {
  const guard = (ws: WebSocket<UserState> | null, work: () => void): void => {
    try {
      work()
    } catch (error) {
      const { name, stack } = error instanceof Error ? error : { name: 'unknown', stack: undefined }
      log.error({ name, stack }, 'a socket callback failed')
      ws?.getUserData().connection?.end(CLOSE.internal, 'INTERNAL')
    }
  }
  app.ws<UserState>(route.pattern, {
    maxPayloadLength: MAX_PAYLOAD_BYTES,
    // Idle times and slow readers are judged by the protocol code, which knows why.
    idleTimeout: 0,
    sendPingsAutomatically: false,
    maxBackpressure: 0,
    compression: 0,
    upgrade: (res, req, context) => upgrade(res, req, context, route, log),
    open: (ws) => guard(ws, () => {
      const state = ws.getUserData()
      state.connection = new UwsConnection(ws)
      state.listener = state.open(state.connection)
    }),
    message: (ws, message, isBinary) => guard(ws, () => ws.getUserData().listener?.message(new Uint8Array(message), isBinary)),
    drain: (ws) => guard(ws, () => ws.getUserData().listener?.drain()),
    ping: (ws) => guard(ws, () => ws.getUserData().listener?.alive()),
    pong: (ws) => guard(ws, () => ws.getUserData().listener?.alive()),
    close: (ws, code) => guard(null, () => {
      const state = ws.getUserData()
      state.connection?.gone()
      state.listener?.closed(code)
    }),
  })
}

/** Runs synchronously to its end: neither request nor response may be used later. */
function upgrade(res: HttpResponse, req: HttpRequest, context: UpgradeContext, route: SocketRoute, log: Log): void {
  const key = req.getHeader('sec-websocket-key')
  const protocol = req.getHeader('sec-websocket-protocol')
  const extensions = req.getHeader('sec-websocket-extensions')
  let decision: UpgradeDecision
  try {
    decision = route.upgrade({
      path: req.getUrl(),
      query: new URLSearchParams(req.getQuery()),
      authorization: req.getHeader('authorization'),
      header: (name) => req.getHeader(name),
    })
  } catch (error) {
    log.error({ name: error instanceof Error ? error.name : 'unknown' }, 'an upgrade failed')
    return answer(res, 500, { error: 'Internal error' })
  }
  if (decision.kind === 'refuse') return answer(res, decision.status, decision.body, decision.retryAfterSeconds)
  const state: UserState = { open: decision.open, connection: null, listener: null }
  res.upgrade(state, key, protocol, extensions, context)
}

async function show(res: HttpResponse, page: PageRoute, log: Log): Promise<void> {
  let isAborted = false
  res.onAborted(() => { isAborted = true })
  let text: string | null = null
  try {
    text = await page.body()
  } catch (error) {
    log.error({ name: error instanceof Error ? error.name : 'unknown', path: page.path }, 'a page failed')
  }
  if (isAborted) return
  res.cork(() => {
    if (text === null) return answer(res, 500, { error: 'Internal error' })
    res.writeHeader('content-type', page.contentType).end(text)
  })
}

function answer(res: HttpResponse, status: number, body: object, retryAfterSeconds?: number): void {
  res.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`)
  res.writeHeader('content-type', 'application/json; charset=utf-8')
  if (retryAfterSeconds !== undefined) res.writeHeader('retry-after', String(retryAfterSeconds))
  res.end(JSON.stringify(body))
}

/** Keeps the library's socket from being touched after its close, which would throw. */
class UwsConnection implements Connection {
  #ws: WebSocket<UserState> | null

  constructor(ws: WebSocket<UserState>) {
    this.#ws = ws
  }

  get bufferedBytes(): number {
    return this.#ws?.getBufferedAmount() ?? 0
  }

  sendText(text: string): void {
    this.#ws?.send(text, false)
  }

  sendBinary(bytes: Uint8Array): void {
    this.#ws?.send(bytes, true)
  }

  ping(): void {
    this.#ws?.ping()
  }

  pause(): void {
    // Gateways are ours: what they send is always read.
  }

  resume(): void {
    // As above.
  }

  end(code: number, reason: string): void {
    const ws = this.#ws
    // The library calls `close` before `end` returns.
    this.#ws = null
    ws?.end(code, reason)
  }

  gone(): void {
    this.#ws = null
  }
}
