import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { until } from './until.ts'

/** A request that reached a receiver. */
export interface Arrival {
  /** The endpoint of the receiver. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The header `webhook-id`. */
  readonly id: string
  /** The header `x-channel-event`. */
  readonly event: string
  /** The header `x-webhook-attempt`; 0 when there is none. */
  readonly attempt: number
  /** Time of arrival, in monotonic ms of this process. */
  readonly atMs: number
}

export type AnswerArrival = (arrival: Arrival, response: ServerResponse) => void

export const acknowledge: AnswerArrival = (_arrival, response) => void response.writeHead(204).end()

export function answerWith(status: number, headers: Record<string, string> = {}): AnswerArrival {
  return (_arrival, response) => void response.writeHead(status, headers).end(`answered ${status}`)
}

/** A tenant's web server on a free loopback port, which keeps every request. Each path is an endpoint. */
export class Receiver {
  readonly arrivals: Arrival[] = []
  readonly origin: string
  readonly #answers = new Map<string, AnswerArrival>()
  readonly #close: () => Promise<void>

  private constructor(origin: string, close: () => Promise<void>) {
    this.origin = origin
    this.#close = close
  }

  static async open(address = '127.0.0.1'): Promise<Receiver> {
    const sockets = new Set<Socket>()
    const server = createServer()
    server.keepAliveTimeout = 60_000
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, address, resolve))
    const receiver = new Receiver(`http://${address}:${(server.address() as AddressInfo).port}`, () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    })
    server.on('request', (request, response) => {
      response.on('error', () => {})
      buffer(request).then(
        (body) => receiver.#take(request.url ?? '/', request.headers, body, response),
        () => {},
      )
    })
    return receiver
  }

  /** Adds an endpoint with its answer; returns its address. */
  endpoint(path: string, answer: AnswerArrival = acknowledge): string {
    this.#answers.set(path, answer)
    return this.origin + path
  }

  at(path: string): Arrival[] {
    return this.arrivals.filter((arrival) => arrival.path === path)
  }

  /** Waits until `count` matching requests came to the endpoint; resolves to them. */
  async until(path: string, count: number, matches: (arrival: Arrival) => boolean = () => true): Promise<Arrival[]> {
    return await until(`${count} deliveries reached ${path}`, () => {
      const found = this.at(path).filter(matches)
      return found.length >= count ? found : null
    })
  }

  async close(): Promise<void> {
    await this.#close()
  }

  #take(path: string, headers: IncomingHttpHeaders, body: Buffer, response: ServerResponse): void {
    const arrival = {
      path,
      headers,
      body,
      id: String(headers['webhook-id']),
      event: String(headers['x-channel-event']),
      attempt: Number(headers['x-webhook-attempt'] ?? 0),
      atMs: performance.now(),
    }
    this.arrivals.push(arrival)
    const answer = this.#answers.get(path) ?? answerWith(404)
    answer(arrival, response)
  }
}

/**
 * Verifies a delivery with the public package, which is not our code; throws unless `secret` signed it. Returns the
 * envelope.
 */
export function verified(arrival: Arrival, secret: string): any {
  return new Webhook(secret).verify(arrival.body, arrival.headers as Record<string, string>)
}
