import type { GuardedFetch, GuardedRequest, FetchOutcome } from '../../src/net/guarded-fetch.ts'
import type { Log } from '../../src/ports/log.ts'
import { createDispatcher } from '../../src/webhooks/dispatcher.ts'
import type { Dispatcher, DispatcherDeps } from '../../src/webhooks/dispatcher.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { MemoryRows } from '../helpers/memory/rows.ts'
import { MemoryWebhooks } from '../helpers/memory/webhooks.ts'
import { noMetrics, silentLog } from '../helpers/silent.ts'
import { MemoryDeliveries } from './memory-deliveries.ts'
import { MemoryQueue } from './memory-queue.ts'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly atMs: number
  answer(status: number, headers?: Record<string, string>): void
}

/** Runs everything that can happen without time passing. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** A function that decides a receiver's answers. `hang` never answers; `hold` leaves the answer to the test. */
export type Behaviour = (post: Post) => number | 'hang' | 'hold'

/**
 * A dispatcher over stores in memory, with a clock that the test moves and with functions as receivers. The time limit
 * of a hanging receiver runs on that clock, like that of the real client.
 */
export class Rig {
  readonly clock = new FakeClock()
  readonly #rows = new MemoryRows()
  readonly store = new MemoryDeliveries({
    rows: this.#rows,
    webhooks: new MemoryWebhooks(this.#rows, this.clock),
    queue: new MemoryQueue(this.#rows, this.clock),
    clock: this.clock,
  })
  readonly posts: Post[] = []
  readonly errors: string[] = []
  /** What was set aside. */
  readonly aside: { readonly item: string; readonly reason: string; readonly tries: number }[] = []
  readonly fetchUrl: GuardedFetch
  readonly dispatcher: Dispatcher
  behaviour: Behaviour = () => 200

  constructor(more: Partial<DispatcherDeps> = {}) {
    const log: Log = { ...silentLog, error: (_, message) => void this.errors.push(message) }
    this.fetchUrl = { request: (request) => this.#request(request), check: async () => null, close: async () => {} }
    this.dispatcher = createDispatcher({
      deliveries: this.store,
      setAside: {
        outboxHead: async (why) => void this.aside.push({ item: 'outbox', ...why }),
        note: async ({ item, reason, tries }) => void this.aside.push({ item, reason, tries }),
      },
      fetchUrl: this.fetchUrl,
      clock: this.clock,
      log,
      metrics: noMetrics,
      random: () => 0.5,
      ...more,
    })
  }

  /** The posts to one address, in order. */
  to(url: string): Post[] {
    return this.posts.filter((post) => post.url === url)
  }

  /** Moves time in steps small enough that every loop has its turn. */
  async pass(ms: number, stepMs: number = Math.max(10, ms / 200)): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.advance(Math.min(stepMs, ms - passed))
      await settled()
    }
  }

  async started(): Promise<this> {
    this.dispatcher.start()
    await settled()
    return this
  }

  /** Stops the dispatcher and lets the time pass that this may take. */
  async stopped(): Promise<void> {
    const stopping = this.dispatcher.stop()
    await this.pass(11_000, 500)
    await stopping
  }

  #request(request: GuardedRequest): Promise<FetchOutcome> {
    return new Promise((resolve) => {
      const end = (outcome: FetchOutcome) => {
        timer.cancel()
        resolve(outcome)
      }
      const timer = this.clock.after(request.totalMs, () =>
        end({ ok: false, failure: { kind: 'timeout', message: 'too long' } }),
      )
      request.signal?.addEventListener('abort', () =>
        end({ ok: false, failure: { kind: 'aborted', message: 'given up' } }),
      )
      const post: Post = {
        url: request.url,
        headers: request.headers ?? {},
        body: Buffer.from(request.body ?? ''),
        atMs: this.clock.monotonicMs(),
        answer: (status, headers = {}) =>
          end({
            ok: true,
            response: { status, headers, body: { read: async () => ({ kind: 'end' }), cancel: () => {} } },
          }),
      }
      this.posts.push(post)
      const answer = this.behaviour(post)
      if (typeof answer === 'number') setImmediate(() => post.answer(answer))
    })
  }
}
