import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'

/** A server of a tenant, made with a stock library: it keeps what it hears. */
export class DialledBot {
  readonly handshakes: { readonly url: string; readonly headers: Record<string, unknown> }[] = []
  readonly texts: any[] = []
  readonly frames: Buffer[] = []
  /** The status that refuses a handshake; null lets it through. */
  refusal: number | null = null
  socket: WebSocket | null = null
  /** Called with each message of the service. */
  heard: (message: any) => void = () => {}
  code: number | null = null
  readonly #sockets = new WebSocketServer({ noServer: true })
  readonly #http = createServer()

  async listen(): Promise<this> {
    this.#http.on('upgrade', (request, socket, head) => {
      // The client may be gone before it read a refusal.
      socket.on('error', () => {})
      this.handshakes.push({ url: request.url ?? '', headers: request.headers })
      if (this.refusal !== null) return void socket.end(`HTTP/1.1 ${this.refusal} No\r\ncontent-length: 0\r\n\r\n`)
      this.#sockets.handleUpgrade(request, socket, head, (ws) => this.#opened(ws))
    })
    this.#http.listen(0, '127.0.0.1')
    await once(this.#http, 'listening')
    return this
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#http.address() as AddressInfo).port}/bot?line=2`
  }

  send(message: object): void {
    this.socket?.send(JSON.stringify(message))
  }

  async close(): Promise<void> {
    for (const ws of this.#sockets.clients) ws.terminate()
    this.#http.close()
    await once(this.#http, 'close')
  }

  #opened(ws: WebSocket): void {
    this.socket = ws
    this.code = null
    ws.on('message', (raw: Buffer, isBinary) => {
      if (isBinary) this.frames.push(raw)
      else {
        const message = JSON.parse(raw.toString())
        this.texts.push(message)
        this.heard(message)
      }
    })
    ws.on('close', (code) => {
      if (this.socket === ws) this.code = code
    })
  }
}
