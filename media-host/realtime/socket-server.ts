import './header-limit.ts'
import { App, us_socket_local_port } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { thrownFields } from '../../src/domain/thrown.ts'
import { bindable } from './bindable-port.ts'
import { BROKEN_HANDSHAKE, refusalOf } from './http-answers.ts'
import { CLOSE, CUT_BYTES } from './protocol.ts'
import { countedBytes, UNASKED, UnaskedConnections } from './unasked-connections.ts'
import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  WebSocket,
  WebSocketBehavior,
  us_listen_socket,
} from 'uWebSockets.js'
import type { Log } from '../../src/ports/log.ts'
import type { Connection, ConnectionListener, UpgradeDecision, UpgradeRequest } from './connection.ts'
import type { HttpRefusal, PlainRequest } from './http-answers.ts'
import type { PageRoute, SocketBounds, SocketRoute, SocketServer, SocketServerOptions } from './socket-options.ts'
import type { UnaskedBounds } from './unasked-connections.ts'

/** The protocol code judges slow readers, so little is left for the library; 1 MiB is that of [realtime.closing.11]. */
const FOR_STRANGERS: SocketBounds = { longestMessage: CUT_BYTES, mostUnsent: 1_048_576 }
/**
 * Our choice, in seconds: the protocol code pings every 20 s and closes after 60 s with a reason
 * ([realtime.closing.1]); this is for when it could not. The library itself pings 16 s earlier, and cuts a client that
 * does not answer a close for this long.
 */
const IDLE_SECONDS = 96
/** Flag of uSockets: the port is ours alone. Without it a second process could listen on it too. */
const EXCLUSIVE_PORT = 1
/** Our choice: tries to find a free port, because one that was free may be taken by another program a moment later. */
const FREE_PORT_TRIES = 5
/** The form of `listen` with options, which is missing from the types. */
type ListenExclusively = (
  this: TemplatedApp,
  host: string,
  port: number,
  options: number,
  taken: (token: us_listen_socket | false) => void,
) => TemplatedApp

type UpgradeContext = Parameters<HttpResponse['upgrade']>[4]
type Upgrade = (res: HttpResponse, req: HttpRequest, context: UpgradeContext) => void

/**
 * How the library stops and resumes reading a connection. It offers both for HTTP only, but applies them to the
 * underlying connection, which an upgraded WebSocket shares: called on a WebSocket they stop it as well.
 */
interface Reading {
  stop(this: WebSocket<UserState>): void
  goOn(this: WebSocket<UserState>): void
}

interface UserState {
  readonly open: (connection: Connection) => ConnectionListener
  readonly reading: Reading
  connection: UwsConnection | null
  listener: ConnectionListener | null
}

/**
 * Opens a listener over uWebSockets.js; rejects when the port cannot be bound. Its HTTP answers are JSON, except for
 * pages, and end the connection.
 */
export async function openSocketServer(options: SocketServerOptions): Promise<SocketServer> {
  const app = App()
  const unasked = boundUnasked(app, options.unasked ?? UNASKED)
  for (const route of options.sockets) addSockets(app, route, options, unasked)
  const { pages = [] } = options
  for (const page of pages) app.get(page.path, (res) => void show(res, page, options.log, unasked))
  const patterns = options.sockets.map(({ pattern }) => pattern)
  app.any('/*', (res, req) => {
    unasked.settle(countedBytes(res.getRemoteAddress()))
    const request = requestOf(req)
    answer(res, request, refusalOf(request, patterns) ?? BROKEN_HANDSHAKE)
  })
  for (let tries = 1; ; tries++) {
    try {
      return await listen(app, options.host, options.port === 0 ? await bindable(options.host, 0) : options.port)
    } catch (error) {
      if (options.port !== 0 || tries === FREE_PORT_TRIES) throw error
    }
  }
}

async function listen(app: TemplatedApp, host: string, port: number): Promise<SocketServer> {
  const listenExclusively: ListenExclusively = app.listen as unknown as ListenExclusively
  const token = await new Promise<us_listen_socket | false>((resolve) => {
    listenExclusively.call(app, host, port, EXCLUSIVE_PORT, resolve)
  })
  if (!token) {
    // The library gives no reason, so binding it by the system does.
    await bindable(host, port)
    throw Object.assign(new Error(`port ${port} of ${host} cannot be listened on`), { code: 'EADDRINUSE' })
  }
  let isClosed = false
  return {
    port: us_socket_local_port(token),
    close() {
      if (!isClosed) app.close()
      isClosed = true
    },
  }
}

/** Counts connections until they ask something. Each asks one thing: it becomes a socket, or ends with its answer. */
function boundUnasked(app: TemplatedApp, bounds: UnaskedBounds): UnaskedConnections {
  const unasked = new UnaskedConnections(bounds)
  app.filter((res, change) => {
    if (change < 0) return unasked.end()
    const address = countedBytes(res.getRemoteAddress())
    if (!unasked.begin(address)) return void res.close()
    // Called when a connection ends before it asked anything.
    res.onAborted(() => unasked.settle(address))
  })
  return unasked
}

function addSockets(
  app: TemplatedApp,
  route: SocketRoute,
  options: SocketServerOptions,
  unasked: UnaskedConnections,
): void {
  const { longer } = route
  const bounds = options.bounds ?? FOR_STRANGERS
  const accept: Upgrade = (res, req, context) => {
    unasked.settle(countedBytes(res.getRemoteAddress()))
    if (upgrade(res, req, context, route, options.log)) unasked.end()
  }
  app.ws(route.pattern, behaviour(accept, bounds, options.log))
  if (!longer) return
  // The library fixes the message length for all sockets of a pattern, and tries the pattern with a named part before
  // the one with `*`.
  app.ws(
    route.pattern.replace('*', ':part'),
    behaviour(
      (res, req, context) => {
        if (longer.isFor(new URLSearchParams(req.getQuery()))) accept(res, req, context)
        else req.setYield(true)
      },
      { ...bounds, longestMessage: longer.bytes },
      options.log,
    ),
  )
}

/** Runs a callback. A fault in it costs one socket, not the process. */
function guarded(log: Log) {
  return (ws: WebSocket<UserState>, work: (state: UserState) => void): void => {
    const state = ws.getUserData()
    try {
      work(state)
    } catch (error) {
      log.error(thrownFields(error), 'a socket callback failed')
      state.connection?.end(CLOSE.internal, 'INTERNAL')
    }
  }
}

function behaviour(upgrade: Upgrade, bounds: SocketBounds, log: Log): WebSocketBehavior<UserState> {
  const guard = guarded(log)
  return {
    maxPayloadLength: bounds.longestMessage,
    maxBackpressure: bounds.mostUnsent,
    closeOnBackpressureLimit: true,
    idleTimeout: IDLE_SECONDS,
    sendPingsAutomatically: true,
    compression: 0,
    upgrade,
    open: (ws: WebSocket<UserState>) =>
      guard(ws, (state) => {
        const connection = new UwsConnection(ws, state.reading)
        state.connection = connection
        const listener = state.open(connection)
        if (connection.isOpen) state.listener = listener
      }),
    message: (ws: WebSocket<UserState>, message: ArrayBuffer, isBinary: boolean) =>
      guard(ws, ({ listener }) => listener?.message(new Uint8Array(message), isBinary)),
    drain: (ws: WebSocket<UserState>) =>
      guard(ws, ({ connection, listener }) => {
        connection?.drained()
        connection?.cork(() => listener?.drain())
      }),
    ping: (ws: WebSocket<UserState>) => guard(ws, ({ listener }) => listener?.alive()),
    pong: (ws: WebSocket<UserState>) => guard(ws, ({ listener }) => listener?.alive()),
    close: (ws: WebSocket<UserState>, code: number) =>
      guard(ws, (state) => {
        const { listener } = state
        state.connection?.gone()
        state.listener = null
        listener?.closed(code)
      }),
  }
}

/**
 * Upgrades a request. It runs synchronously to its end, because neither request nor response may be used later. Only a
 * valid handshake consumes the token. False when it became no socket.
 */
function upgrade(res: HttpResponse, req: HttpRequest, context: UpgradeContext, route: SocketRoute, log: Log): boolean {
  const request = requestOf(req)
  const refusal = refusalOf(request, [route.pattern])
  const decision = refusal ? { kind: 'refuse' as const, ...refusal } : decide(request, route, log)
  if (decision.kind === 'refuse') {
    answer(res, request, decision)
    return false
  }
  const state: UserState = {
    open: decision.open,
    reading: { stop: res.pause, goOn: res.resume },
    connection: null,
    listener: null,
  }
  res.upgrade(state, request.header('sec-websocket-key'), request.header('sec-websocket-protocol'), '', context)
  return true
}

function requestOf(req: HttpRequest): PlainRequest & UpgradeRequest {
  return {
    method: req.getMethod(),
    path: req.getUrl(),
    query: new URLSearchParams(req.getQuery()),
    authorization: req.getHeader('authorization'),
    header: (name) => req.getHeader(name),
  }
}

function decide(request: UpgradeRequest, route: SocketRoute, log: Log): UpgradeDecision {
  try {
    return route.upgrade(request)
  } catch (error) {
    log.error(thrownFields(error), 'an upgrade failed')
    return { kind: 'refuse', status: 500, body: { error: 'Internal error' } }
  }
}

async function show(res: HttpResponse, page: PageRoute, log: Log, unasked: UnaskedConnections): Promise<void> {
  unasked.settle(countedBytes(res.getRemoteAddress()))
  let isAborted = false
  res.onAborted(() => {
    isAborted = true
  })
  let text: string | null = null
  try {
    text = await page.body()
  } catch (error) {
    log.error({ ...thrownFields(error), path: page.path }, 'a page failed')
  }
  if (isAborted) return
  res.cork(() => {
    if (text === null) return write(res, 500, {}, JSON.stringify({ error: 'Internal error' }), 'get')
    write(res, 200, { 'content-type': page.contentType }, text, 'get')
  })
}

function answer(
  res: HttpResponse,
  { method }: PlainRequest,
  { status, body, headers, retryAfterSeconds }: HttpRefusal,
): void {
  write(
    res,
    status,
    { ...headers, ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }) },
    JSON.stringify(body),
    method,
  )
}

function write(
  res: HttpResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
  method: string,
): void {
  res.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`)
  const all = { 'content-type': 'application/json; charset=utf-8', ...headers, connection: 'close' }
  for (const [name, value] of Object.entries(all)) res.writeHeader(name, value)
  // An answer to HEAD has no body. The library's own `endWithoutBody` would leave the connection open.
  res.end(method === 'head' ? '' : text, true)
}

/** One socket of the library. Keeps it from being used after its close, which would throw. */
class UwsConnection implements Connection {
  readonly #reading: Reading
  #ws: WebSocket<UserState> | null
  #isPaused = false
  #isStopped = false

  constructor(ws: WebSocket<UserState>, reading: Reading) {
    this.#ws = ws
    this.#reading = reading
  }

  get isOpen(): boolean {
    return this.#ws !== null
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

  cork(work: () => void): void {
    this.#ws?.cork(work)
  }

  ping(): void {
    this.#ws?.ping()
  }

  pause(): void {
    this.#isPaused = true
    this.#stop()
  }

  resume(): void {
    this.#isPaused = false
    this.#goOn()
  }

  end(code: number, reason: string): void {
    // Reading resumes, so that the client's answer to the close is read.
    this.#goOn()
    const ws = this.#ws
    // The library calls `close` before `end` returns.
    this.#ws = null
    ws?.end(code, reason)
  }

  /** Called when waiting bytes were written. */
  drained(): void {
    if (this.#isPaused) this.#stop()
  }

  gone(): void {
    this.#ws = null
  }

  /**
   * Stops reading. A stopped connection does not write either, so a client with unsent bytes is read meanwhile; its
   * listener bounds what it may send.
   */
  #stop(): void {
    const ws = this.#ws
    if (!ws || ws.getBufferedAmount() > 0) return
    this.#isStopped = true
    this.#reading.stop.call(ws)
  }

  #goOn(): void {
    const ws = this.#ws
    // When bytes wait, the library reads and writes again by itself. It takes the connection for HTTP, and pings after
    // 10 s without a byte.
    if (ws && this.#isStopped && ws.getBufferedAmount() === 0) this.#reading.goOn.call(ws)
    this.#isStopped = false
  }
}
