import { GraphError } from '../http/graph-error.ts'
import type { OfficialNumber } from '../registry/registry.ts'

const SECOND_MS = 1_000
/** Upstream's limit, ms: one message in 6 s to the same user; a burst borrows from the time to come. */
const PAIR_MS = 6_000

/** Throughput of numbers that have a limit, counted by the platform's clock. */
export class RateLimits {
  readonly #now: () => number
  /** Messages in the present second, by phone id. */
  readonly #seconds = new Map<string, { second: number; messages: number }>()
  /** When the pair has its whole burst again, in ms since the epoch, by phone id and user. */
  readonly #pairs = new Map<string, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a message, or refuses it: 130429 for the number, 131056 for the pair. A refused message does not count. */
  take({ phoneId, throughput }: OfficialNumber, user: string): void {
    if (!throughput) return
    const { perSecond, pairBurst } = throughput
    const now = this.#now()
    const second = Math.floor(now / SECOND_MS)
    const running = this.#seconds.get(phoneId)
    const messages = running?.second === second ? running.messages : 0
    if (perSecond !== undefined && messages >= perSecond)
      throw new GraphError(130429, {
        details:
          'Message failed to send because there were too many messages sent from this phone number in a short period of time.',
      })
    if (pairBurst !== undefined) this.#takePair(`${phoneId} ${user}`, pairBurst, now)
    this.#seconds.set(phoneId, { second, messages: messages + 1 })
  }

  clear(): void {
    this.#seconds.clear()
    this.#pairs.clear()
  }

  #takePair(key: string, burst: number, now: number): void {
    const fullAtMs = Math.max(this.#pairs.get(key) ?? now, now) + PAIR_MS
    if (fullAtMs - now > burst * PAIR_MS) {
      throw new GraphError(131056, {
        details:
          'Message failed to send because there were too many messages sent from this phone number to the same phone number in a short period of time.',
      })
    }
    this.#pairs.set(key, fullAtMs)
  }
}
