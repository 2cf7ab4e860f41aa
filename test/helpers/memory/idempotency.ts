import { IDEMPOTENCY_LOCK_MS, IDEMPOTENCY_MS } from '../../../src/domain/limits.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type {
  IdempotencyStore,
  IdempotentAnswer,
  IdempotentRequest,
} from '../../../src/ports/stores/idempotency-store.ts'

interface Claim {
  readonly fingerprint: string
  readonly claimedMs: number
  readonly answer: IdempotentAnswer | null
}

function nameOf(request: IdempotentRequest): string {
  return `${request.ownerId} ${request.key}`
}

/** First answers in memory. */
export class MemoryIdempotency implements IdempotencyStore {
  readonly #claims = new Map<string, Claim>()
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async start(request: IdempotentRequest) {
    return this.#startWith(request, null)
  }

  async startAnswered(request: IdempotentRequest, answer: IdempotentAnswer) {
    return this.#startWith(request, answer)
  }

  #startWith(request: IdempotentRequest, answer: IdempotentAnswer | null) {
    const claim = this.#claims.get(nameOf(request))
    const ageMs = claim ? this.#clock.now() - claim.claimedMs : Infinity
    const isSame = claim?.fingerprint === request.fingerprint
    const isCrashed = isSame && !claim.answer && ageMs >= IDEMPOTENCY_LOCK_MS
    if (!claim || ageMs >= IDEMPOTENCY_MS || isCrashed) {
      this.#claims.set(nameOf(request), { fingerprint: request.fingerprint, claimedMs: this.#clock.now(), answer })
      return { kind: 'started' } as const
    }
    if (!isSame) return { kind: 'reused' } as const
    return claim.answer ? ({ kind: 'replay', answer: claim.answer } as const) : ({ kind: 'running' } as const)
  }

  async find(request: IdempotentRequest) {
    const claim = this.#claims.get(nameOf(request))
    if (!claim) return null
    if (claim.fingerprint !== request.fingerprint) return { kind: 'reused' } as const
    return claim.answer ? ({ kind: 'replay', answer: claim.answer } as const) : ({ kind: 'running' } as const)
  }

  async finish(request: IdempotentRequest, answer: IdempotentAnswer) {
    const claim = this.#waiting(request)
    if (claim) this.#claims.set(nameOf(request), { ...claim, answer })
  }

  async abandon(request: IdempotentRequest) {
    if (this.#waiting(request)) this.#claims.delete(nameOf(request))
  }

  async purge() {
    const over = [...this.#claims].filter(([, { claimedMs }]) => this.#clock.now() - claimedMs > IDEMPOTENCY_MS)
    for (const [name] of over) this.#claims.delete(name)
    return over.length
  }

  #waiting(request: IdempotentRequest): Claim | null {
    const claim = this.#claims.get(nameOf(request))
    return claim?.fingerprint === request.fingerprint && !claim.answer ? claim : null
  }
}
