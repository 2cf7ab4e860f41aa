import { once } from 'node:events'
import { createServer, request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'

/** A proxy between gateway and engine. It passes everything on, and remembers codes and media authorizations. */
export interface EngineWindow {
  /** `127.0.0.1:port` */
  readonly host: string
  /** The text of the code that the engine showed last, for one number when it is named; null before the first. */
  readonly code: (numberId?: string) => string | null
  /** The authorization of each media fetch, in order; null for a fetch without one. */
  readonly fetchedBy: readonly (string | null)[]
  /** Sets the loopback port of the engine. */
  leadTo(port: number): void
  close(): void
}

/** Starts the proxy on a free port; nothing passes before `leadTo` is called. */
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
      // The path of a session is /sessions/{number id} ([bridge.socket.2]).
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
