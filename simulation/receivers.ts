import type { GuardedBody } from '../src/net/guarded-body.ts'
import type { FetchOutcome, GuardedFetch, GuardedRequest } from '../src/net/guarded-fetch.ts'
import type { Machine } from './machine.ts'
import type { Network } from './network.ts'
import type { Random } from './random.ts'

/** A post that a tenant took, whatever became of the answer. */
export interface Arrival {
  readonly url: string
  readonly id: string
  readonly attempt: number
  readonly body: string
  /** When it came, in simulated ms. */
  readonly atMs: number
}

/** The endpoints of the tenants. They take posts, and now and then fail before or after they did. */
export class Receivers {
  /** In the order in which they came. */
  readonly arrivals: Arrival[] = []
  readonly machine: Machine
  /** Told of each post as it comes. */
  heard: (arrival: Arrival) => void = () => {}
  /** Of 100 posts a tenant answers so many with an error, and as many not at all. */
  troublePercent = 3
  readonly #network: Network
  readonly #random: Random

  constructor(machine: Machine, network: Network, random: Random) {
    this.machine = machine
    this.#network = network
    this.#random = random
  }

  /** The way of a node to the endpoints. */
  from(node: Machine): GuardedFetch {
    return {
      request: (request) => this.#post(node, request),
      check: async () => null,
      close: async () => {},
    }
  }

  async #post(node: Machine, request: GuardedRequest): Promise<FetchOutcome> {
    const late = Promise.withResolvers<FetchOutcome>()
    const give = (kind: 'timeout' | 'aborted') => () => late.resolve({ ok: false, failure: { kind, message: kind } })
    const timer = node.after(request.totalMs, give('timeout'))
    request.signal?.addEventListener('abort', give('aborted'))
    const answer = this.#network
      .ask(node, this.machine, () => this.#take(request))
      .then((carried): FetchOutcome => {
        if (carried.kind !== 'answered') return { ok: false, failure: { kind: 'connect', message: carried.kind } }
        return { ok: true, response: { status: carried.value, headers: {}, body: EMPTY } }
      })
    return await Promise.race([answer, late.promise]).finally(() => timer.cancel())
  }

  /** Resolves to the status of the answer; never for an endpoint that falls silent. */
  #take({ url, headers = {}, body = '' }: GuardedRequest): number | Promise<number> {
    if (this.#random.chance(this.troublePercent)) return 500
    const arrival = {
      url,
      id: headers['webhook-id'] ?? '',
      attempt: Number(headers['x-webhook-attempt']),
      body: Buffer.from(body).toString(),
      atMs: this.machine.monotonicMs(),
    }
    this.arrivals.push(arrival)
    this.heard(arrival)
    return this.#random.chance(this.troublePercent) ? new Promise(() => {}) : 200
  }
}

const EMPTY: GuardedBody = {
  read: async () => ({ kind: 'end' }),
  cancel() {},
}
