import { once } from 'node:events'
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

/**
 * A window on the bridge: stands between gateway and engine, passes on all that they say, and remembers what is on
 * show.
 */
export interface EngineWindow {
  /** `127.0.0.1:port` */
  readonly host: string
  /** The text of the code that the engine showed last: for that number, if one is named. */
  readonly code: (numberId?: string) => string | null
  /** What each fetch of a media showed as its authorization, in order. */
  readonly fetchedBy: readonly (string | null)[]
  /** The engine listens there, on loopback. */
  leadTo(port: number): void
  close(): void
}

/** Opens it on a free port; nothing gets through before it leads somewhere. */
export async function openWindow(): Promise<EngineWindow> {
  const fetchedBy: (string | null)[] = []
  const codes = new Map<string, string>()
  let last: string | null = null
  let engine = ''
  const http = createServer((request, response) => {
    fetchedBy.push(request.headers.authorization ?? null)
    passOn(`http://${engine}`, request, response)
  })
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (gateway, { url, headers }) => {
    const onward = new WebSocket(`ws://${engine}${String(url)}`, {
      headers: { authorization: headers.authorization ?? '' },
    })
    join(gateway, onward, (qr) => {
      last = qr
      // A session is /sessions/{number id} ([bridge.socket.2]).
      if (qr !== null) codes.set(String(url).split('/').at(-1) ?? '', qr)
    })
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    host: `127.0.0.1:${(http.address() as AddressInfo).port}`,
    code: (numberId) => (numberId === undefined ? last : (codes.get(numberId) ?? null)),
    fetchedBy,
    leadTo(port) {
      engine = `127.0.0.1:${port}`
    },
    close() {
      for (const socket of sockets.clients) socket.terminate()
      http.close()
      http.closeAllConnections()
    },
  }
}

function join(gateway: WebSocket, engine: WebSocket, shown: (qr: string | null) => void): void {
  const early: string[] = []
  gateway.on(
    'message',
    (data) => void (engine.readyState === engine.OPEN ? engine.send(String(data)) : early.push(String(data))),
  )
  engine.on('open', () => early.forEach((text) => engine.send(text)))
  engine.on('message', (data) => {
    const { ev, qr }: { ev?: string; qr?: string } = JSON.parse(String(data))
    if (ev === 'session.qr') shown(qr ?? null)
    gateway.send(String(data))
  })
  for (const [from, to] of [
    [gateway, engine],
    [engine, gateway],
  ] as const)
    from.on('error', () => to.terminate()).on('close', () => to.close())
}

function passOn(base: string, request: IncomingMessage, response: ServerResponse): void {
  const onward = requestHttp(
    base + String(request.url),
    { method: request.method ?? 'GET', headers: request.headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy()).pipe(response)
    },
  )
  onward.on('error', () => response.destroy())
  request.pipe(onward)
}
