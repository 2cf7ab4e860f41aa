import type { EventId } from '../src/domain/ids.ts'
import type { GuardedBody } from '../src/net/guarded-body.ts'
import type { FetchOutcome, GuardedFetch, GuardedRequest } from '../src/net/guarded-fetch.ts'
import { sign } from '../src/webhooks/sign.ts'
import type { Machine } from './machine.ts'
import type { Network } from './network.ts'
import type { Random } from './random.ts'
import type { Unverified } from './seen.ts'

/** A post that a tenant took, whatever became of the answer. */
export interface Arrival {
  readonly url: string
  readonly id: string
  readonly attempt: number
  readonly body: string
  /** When it came, in simulated ms. */
  readonly atMs: number
}

/** The endpoints of the tenants. They take what is signed, and now and then fail before or after they did. */
export class Receivers {
  /** In the order in which they came. */
  readonly arrivals: Arrival[] = []
  readonly machine: Machine
  /** Told of each post as it comes. */
  heard: (arrival: Arrival) => void = () => {}
  /** Told of each post that the tenant refuses, since none of the secrets that it knows had signed it. */
  refused: (unverified: Unverified) => void = () => {}
  /** Of 100 posts a tenant answers so many with an error, and as many not at all. */
  troublePercent = 3
  readonly #network: Network
  readonly #random: Random
  /** The secrets that each tenant knows, by its endpoint. */
  readonly #secrets = new Map<string, string[]>()

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

  /** The tenant of this endpoint verifies by this secret too. */
  learn(url: string, secret: string): void {
    this.#secrets.set(url, [...(this.#secrets.get(url) ?? []), secret])
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
  #take(request: GuardedRequest): number | Promise<number> {
    const { url, headers = {}, body = '' } = request
    if (this.#random.chance(this.troublePercent)) return 500
    const id = headers['webhook-id'] ?? ''
    if (!this.#isSigned(request)) {
      this.refused({ url, id })
      return 401
    }
    const attempt = Number(headers['x-webhook-attempt'])
    const arrival = { url, id, attempt, body: Buffer.from(body).toString(), atMs: this.machine.monotonicMs() }
    this.arrivals.push(arrival)
    this.heard(arrival)
    return this.#random.chance(this.troublePercent) ? new Promise(() => {}) : 200
  }

  #isSigned({ url, headers = {}, body = '' }: GuardedRequest): boolean {
    const signable = {
      id: headers['webhook-id'] as EventId,
      timestamp: Number(headers['webhook-timestamp']),
      body: Buffer.from(body),
    }
    const signatures = (headers['webhook-signature'] ?? '').split(' ')
    return (this.#secrets.get(url) ?? []).some((secret) => signatures.includes(sign([secret], signable)))
  }
}

const EMPTY: GuardedBody = {
  read: async () => ({ kind: 'end' }),
  cancel() {},
}
