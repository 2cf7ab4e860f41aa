import { IDEMPOTENCY_LOCK_MS, IDEMPOTENCY_MS } from '../../domain/limits.ts'
import type { IdempotencyStart, IdempotencyStore, IdempotentAnswer, IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import { answerContext, claimAnswered, findClaim, takeOver } from './claim.ts'
import { purgeIdempotency } from './purge.ts'
import type { Engine } from '../engine/engine.ts'
import { digestOf } from '../engine/rows.ts'

/** First answers by owner and Idempotency-Key (contract 2), sealed: they may carry keys shown once. */
class SqlIdempotencyStore implements IdempotencyStore {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
  }

  async start(request: IdempotentRequest): Promise<IdempotencyStart> {
    const ownerHash = digestOf(request.ownerId)
    return this.#startBy(request, () => this.#claim(ownerHash, request))
  }

  async startAnswered(request: IdempotentRequest, answer: IdempotentAnswer): Promise<IdempotencyStart> {
    return this.#startBy(request, () => claimAnswered(this.#database, this.#cipher, request, answer, this.#clock.now()))
  }

  async #startBy(request: IdempotentRequest, claim: () => Promise<boolean>): Promise<IdempotencyStart> {
    for (;;) {
      if (await claim()) return { kind: 'started' }
      const found = await findClaim(this.#database, this.#cipher, request)
      // Given back or purged between the two statements: claim again.
      if (found) return found
    }
  }

  find(request: IdempotentRequest): ReturnType<IdempotencyStore['find']> {
    return findClaim(this.#database, this.#cipher, request)
  }

  async finish(request: IdempotentRequest, answer: IdempotentAnswer): Promise<void> {
    const ownerHash = digestOf(request.ownerId)
    // The first answer stays, also when a claim was taken over from a request that was slow and not dead.
    await this.#database.query(`update idempotent_requests set status = $4::integer, sealed_body = $5, sealed_for = null
      where key_id_hash = $1 and key = $2 and fingerprint = $3 and status is null`,
    [ownerHash, request.key, request.fingerprint, answer.status, this.#cipher.seal(answer.body, answerContext(ownerHash, request.key))])
  }

  async abandon(request: IdempotentRequest): Promise<void> {
    await this.#database.query('delete from idempotent_requests where key_id_hash = $1 and key = $2 and fingerprint = $3 and status is null',
      [digestOf(request.ownerId), request.key, request.fingerprint])
  }

  purge(): Promise<number> {
    return purgeIdempotency({ database: this.#database, clock: this.#clock })
  }

  /** One statement: a new claim, or one over an expired answer, or over a claim whose request crashed. */
  async #claim(ownerHash: string, request: IdempotentRequest): Promise<boolean> {
    const rows = await this.#database.query(`insert into idempotent_requests as old (key_id_hash, key, fingerprint, claimed_at)
      values ($1, $2, $3, $4::timestamptz)
      ${takeOver('$5', '$6')} returning 1`, [ownerHash, request.key, request.fingerprint, this.#ago(0), this.#ago(IDEMPOTENCY_MS), this.#ago(IDEMPOTENCY_LOCK_MS)])
    return rows.length > 0
  }

  #ago(ms: number): string {
    return new Date(this.#clock.now() - ms).toISOString()
  }
}

/** First answers over an open database. */
export function openIdempotency(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): { readonly idempotency: IdempotencyStore } {
  return { idempotency: new SqlIdempotencyStore(engine) }
}
