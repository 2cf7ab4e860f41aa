import type { ServerResponse } from 'node:http'
import { Receiver, type Arrival } from './receiver.ts'

/** Every way in which an endpoint fails; `ok` is the other mode. */
export const FAILURES = ['500', 'timeout', 'reset', 'slow-headers', 'huge-body', 'redirect'] as const
export type Mode = 'ok' | (typeof FAILURES)[number]

/** A repeatable random generator (mulberry32) from 0 to 1: the same seed gives the same numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const HUGE_BYTES = 1024 ** 3
const CHUNK = Buffer.alloc(64 * 1024, 'x')
/** From this try of an event on, the receiver accepts it, so that bad luck cannot exhaust its tries. */
const PATIENCE = 10

export interface ZooArrival extends Arrival {
  readonly mode: Mode
}

/** A receiver that fails a share of its requests in every way. */
export class ReceiverZoo {
  readonly receiver: Receiver
  /** The target of redirects, a private address at which no request may ever arrive. */
  readonly forbidden: Receiver
  /** The most bytes of a body of 1 GB that one caller read. */
  mostHugeBytes = 0
  readonly #modes = new Map<Arrival, Mode>()
  readonly #random: () => number
  readonly #failing: number

  private constructor(
    receiver: Receiver,
    forbidden: Receiver,
    options: { readonly random: () => number; readonly failing: number },
  ) {
    this.receiver = receiver
    this.forbidden = forbidden
    this.#random = options.random
    this.#failing = options.failing
  }

  static async open(options: { readonly random: () => number; readonly failing: number }): Promise<ReceiverZoo> {
    return new ReceiverZoo(await Receiver.open(), await Receiver.open('127.0.0.2'), options)
  }

  endpoint(path: string): string {
    return this.receiver.endpoint(path, (arrival, response) => {
      const mode = this.#pick(arrival)
      this.#modes.set(arrival, mode)
      this.#answer(mode, response)
    })
  }

  get arrivals(): ZooArrival[] {
    return this.receiver.arrivals.map((arrival) => ({ ...arrival, mode: this.#modes.get(arrival) ?? 'ok' }))
  }

  async close(): Promise<void> {
    await this.receiver.close()
    await this.forbidden.close()
  }

  #pick(arrival: Arrival): Mode {
    const roll = this.#random()
    const which = this.#random()
    if (roll >= this.#failing || arrival.attempt >= PATIENCE) return 'ok'
    return FAILURES[Math.floor(which * FAILURES.length)] ?? '500'
  }

  #answer(mode: Mode, response: ServerResponse): void {
    if (mode === 'ok') response.writeHead(200, { 'content-type': 'text/plain' }).end('thanks')
    else if (mode === '500') response.writeHead(500).end('no')
    else if (mode === 'redirect') response.writeHead(302, { location: `${this.forbidden.origin}/private` }).end()
    else if (mode === 'reset') resetMidBody(response)
    else if (mode === 'slow-headers') dripHeaders(response)
    else if (mode === 'huge-body') this.#sendHuge(response)
    // `timeout` sends nothing for as long as the caller waits.
  }

  #sendHuge(response: ServerResponse): void {
    response.writeHead(500, { 'content-length': HUGE_BYTES })
    let sent = 0
    const more = (): void => {
      while (sent < HUGE_BYTES && !response.destroyed) {
        sent += CHUNK.byteLength
        this.mostHugeBytes = Math.max(this.mostHugeBytes, sent)
        if (!response.write(CHUNK)) return void response.once('drain', more)
      }
    }
    more()
  }
}

/** Announces 1,000 bytes of a success, sends ten and cuts the connection. */
function resetMidBody(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 1_000 })
  response.write('only these', () => response.socket?.resetAndDestroy())
}

/** Begins a success and never ends its headers. */
function dripHeaders(response: ServerResponse): void {
  const { socket } = response
  if (!socket) return
  socket.write('HTTP/1.1 200 OK\r\n')
  const drip = setInterval(() => socket.write('x-drip: drop\r\n'), 100)
  socket.once('close', () => clearInterval(drip))
}
