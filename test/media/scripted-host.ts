import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { newId } from '../../src/domain/ids.ts'
import type { CallId } from '../../src/domain/ids.ts'
import { createMediaClient } from '../../src/media/media-client.ts'
import type { MediaClient } from '../../src/media/media-client.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { MediaRequest } from '../../src/ports/media-control.ts'
import type { MediaCall, MediaEvent } from '../../src/ports/media.ts'
import type { Metrics } from '../../src/ports/metrics.ts'
import { systemClock } from '../../src/process/clock.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'

type Answer =
  | { readonly value: unknown }
  | { readonly error: { readonly code: string; readonly message: string; readonly retryAfterSeconds?: number } }
  | 'silence'
  | 'drop'

const DEFAULT_VALUES: Partial<Record<MediaRequest['op'], unknown>> = {
  offer: { sdp: 'v=0 offer' },
  answer: { sdp: 'v=0 answer' },
  mint: { wsUrl: 'ws://media/v1/realtime/x', token: 'token', expiresAtMs: 1 },
}

/** A media host's control socket. The test decides its answers. */
export class ScriptedHost {
  readonly port: number
  hostId = 'host-1'
  /** The calls that it says it holds; null when it repeats those that the gateway named. */
  held: CallId[] | null = null
  requests: MediaRequest[] = []
  acks: number[] = []
  connects = 0
  lastHeaders: Record<string, unknown> = {}
  socket: WebSocket | null = null
  /** Decides the answer; undefined for the answer of a healthy host. */
  onRequest: (request: MediaRequest) => Answer | undefined = () => undefined
  readonly #server: WebSocketServer

  private constructor(server: WebSocketServer) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (socket, request) => {
      this.connects += 1
      this.lastHeaders = { ...request.headers, url: request.url }
      this.socket = socket
      socket.on('message', (text) => this.#receive(socket, JSON.parse(String(text))))
      socket.on('close', () => {
        if (this.socket === socket) this.socket = null
      })
    })
  }

  static async start(port: number = 0): Promise<ScriptedHost> {
    const server = new WebSocketServer({ port, host: '127.0.0.1' })
    await once(server, 'listening')
    return new ScriptedHost(server)
  }

  get address(): { controlUrl: string } {
    return { controlUrl: `ws://127.0.0.1:${this.port}` }
  }

  opsOf<O extends MediaRequest['op']>(op: O): Extract<MediaRequest, { op: O }>[] {
    return this.requests.filter((request): request is Extract<MediaRequest, { op: O }> => request.op === op)
  }

  send(frame: unknown): void {
    this.socket?.send(JSON.stringify(frame))
  }

  drop(): void {
    this.socket?.terminate()
  }

  async close(): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #receive(socket: WebSocket, frame: { ack?: number } & MediaRequest): void {
    if (typeof frame.ack === 'number') {
      this.acks.push(frame.ack)
      return
    }
    this.requests.push(frame)
    const answer = this.onRequest(frame) ?? this.#healthy(frame)
    if (answer === 'silence') return
    if (answer === 'drop') socket.terminate()
    else socket.send(JSON.stringify({ re: frame.id, ok: 'value' in answer, ...answer }))
  }

  #healthy(request: MediaRequest): Answer {
    if (request.op === 'sync') return { value: { hostId: this.hostId, calls: this.held ?? request.calls } }
    return { value: DEFAULT_VALUES[request.op] ?? null }
  }
}

export function mediaCall(over: Partial<MediaCall> = {}): MediaCall {
  return {
    callId: newId('call'),
    tenantId: 'ten_1',
    numberId: 'num_1',
    direction: 'OUTBOUND',
    peerNumber: '5511988880001',
    externalCallId: null,
    status: 'INITIATED',
    ...over,
  }
}

export interface MediaProbe {
  readonly client: MediaClient
  readonly hosts: ScriptedHost[]
  readonly host: ScriptedHost
  readonly told: MediaEvent[]
  /** The last values of the client's gauges, by name. */
  readonly gauges: Map<string, number>
}

/** Starts hosts and a client that is connected to them; all end with the test. */
export async function mediaProbe(
  t: ExecutionContext,
  count: number = 1,
  clock: Clock = systemClock,
): Promise<MediaProbe> {
  const hosts = await Promise.all(Array.from({ length: count }, () => ScriptedHost.start()))
  const gauges = new Map<string, number>()
  const metrics: Metrics = { ...noMetrics, gauge: (name) => ({ set: (value) => void gauges.set(name, value) }) }
  const client = createMediaClient({
    hosts: hosts.map((host) => host.address),
    internalSecret: 'secret',
    nodeId: 'node_1',
    clock,
    log: silentLog,
    metrics,
    tuning: { backoffMinMs: 2, backoffMaxMs: 20 },
  })
  const told: MediaEvent[] = []
  client.onEvent((event) => void told.push(event))
  t.teardown(async () => {
    client.stop()
    await Promise.all(hosts.map((host) => host.close()))
  })
  const [host] = hosts
  if (!host) throw new Error('A probe needs a host')
  return { client, hosts, host, told, gauges }
}
