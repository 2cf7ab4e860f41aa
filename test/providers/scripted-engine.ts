import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { BridgeEvent } from '../../src/domain/device-bridge.ts'

export interface EngineRequest {
  readonly id: string
  readonly op: string
  readonly [field: string]: unknown
}

type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message?: string; readonly retryable?: boolean } }
  | 'silence'
  | 'drop'

/** One number at the engine: a counted stream of events, which are kept until they are acknowledged. */
export class EngineNumber {
  socket: WebSocket | null = null
  connects = 0
  lastHeaders: Record<string, unknown> = {}
  seq = 0
  acks: number[] = []
  kept: (BridgeEvent & { seq: number })[] = []
  requests: EngineRequest[] = []

  /** Counts an event, sends it, and keeps it until it is acknowledged. */
  emit(event: BridgeEvent): number {
    this.seq += 1
    this.kept.push({ ...event, seq: this.seq })
    this.raw({ ...event, seq: this.seq })
    return this.seq
  }

  raw(frame: unknown): void {
    this.socket?.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  drop(): void {
    this.socket?.terminate()
  }

  /** Behaves like an engine that lost its memory. */
  restart(): void {
    this.seq = 0
    this.kept = []
    this.drop()
  }

  opsOf(op: string): EngineRequest[] {
    return this.requests.filter((request) => request.op === op)
  }
}

/** A device engine on a free port. The test decides its answers. */
export class ScriptedEngine {
  readonly token = 'engine-token'
  readonly numbers = new Map<string, EngineNumber>()
  /** Decides the answer to a request; undefined for an empty result. */
  onRequest: (request: EngineRequest, number: EngineNumber) => Answer | undefined = () => undefined
  /** How upgrades are refused; null when they are not. */
  refusal: { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | null = null
  /** Upgrades that were asked for, the refused ones too. */
  upgrades = 0
  /** Pings that came. */
  pings = 0
  readonly #server: WebSocketServer

  private constructor(server: WebSocketServer) {
    this.#server = server
    server.options.verifyClient = (_info, answer) => {
      this.upgrades += 1
      const { refusal } = this
      if (refusal) answer(false, refusal.status, 'Refused', { ...refusal.headers })
      else answer(true)
    }
    server.on('connection', (socket, request) => {
      const number = this.number(request.url?.split('/').at(-1) ?? '')
      number.connects += 1
      number.lastHeaders = request.headers
      number.socket = socket
      socket.on('ping', () => void (this.pings += 1))
      socket.on('message', (text) => this.#receive(number, socket, JSON.parse(String(text))))
      socket.on('close', () => {
        if (number.socket === socket) number.socket = null
      })
    })
  }

  /** `autoPong: false` makes one that answers no ping, as a machine that froze. */
  static async start({ autoPong = true } = {}): Promise<ScriptedEngine> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong })
    await once(server, 'listening')
    return new ScriptedEngine(server)
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/devices`
  }

  number(numberId: string): EngineNumber {
    const known = this.numbers.get(numberId)
    if (known) return known
    const fresh = new EngineNumber()
    this.numbers.set(numberId, fresh)
    return fresh
  }

  async close(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #receive(number: EngineNumber, socket: WebSocket, frame: { ack?: number } & EngineRequest): void {
    if (typeof frame.ack === 'number') {
      const { ack } = frame
      number.acks.push(ack)
      number.kept = number.kept.filter((event) => event.seq > ack)
      return
    }
    number.requests.push(frame)
    const answer = this.onRequest(frame, number) ?? { result: {} }
    if (answer === 'silence') return
    if (answer === 'drop') {
      socket.terminate()
      return
    }
    if ('result' in answer) socket.send(JSON.stringify({ re: frame.id, ok: true, result: answer.result }))
    else
      socket.send(
        JSON.stringify({ re: frame.id, ok: false, error: { message: '', retryable: false, ...answer.error } }),
      )
    if (frame.op === 'session.start') for (const event of number.kept) number.raw(event)
  }
}
