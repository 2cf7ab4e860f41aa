import { IDEMPOTENCY_LOCK_MS, IDEMPOTENCY_MS } from '../../domain/limits.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { Clock } from '../../ports/clock.ts'
import type { IdempotencyStart, IdempotencyStore, IdempotentAnswer, IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import type { Database } from '../database.ts'
import { answerContext, readClaim, takeOver, type ClaimRow } from '../claim.ts'
import { digestOf } from '../rows.ts'

/** First answers by caller and Idempotency-Key (contract 2), sealed: they may carry keys shown once. */
export class SqlIdempotencyStore implements IdempotencyStore {
  #database: Database
  #cipher: Cipher
  #clock: Clock

  constructor(database: Database, cipher: Cipher, clock: Clock) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
  }

  async start(request: IdempotentRequest): Promise<IdempotencyStart> {
    const keyIdHash = digestOf(request.keyId)
    for (;;) {
      if (await this.#claim(keyIdHash, request)) return { kind: 'started' }
      const rows = await this.#database.query<ClaimRow>(
        'select fingerprint, status, sealed_body from idempotent_requests where key_id_hash = $1 and key = $2', [keyIdHash, request.key])
      const row = rows[0]
      // Given back or purged between the two statements: claim again.
      if (!row) continue
      return readClaim(this.#cipher, keyIdHash, request, row)
    }
  }

  async finish(request: IdempotentRequest, answer: IdempotentAnswer): Promise<void> {
    const keyIdHash = digestOf(request.keyId)
    // The first answer stays, also when a claim was taken over from a request that was slow and not dead.
    await this.#database.query(`update idempotent_requests set status = $4::integer, sealed_body = $5
      where key_id_hash = $1 and key = $2 and fingerprint = $3 and status is null`,
    [keyIdHash, request.key, request.fingerprint, answer.status, this.#cipher.seal(answer.body, answerContext(keyIdHash, request.key))])
  }

  async abandon(request: IdempotentRequest): Promise<void> {
    await this.#database.query('delete from idempotent_requests where key_id_hash = $1 and key = $2 and fingerprint = $3 and status is null',
      [digestOf(request.keyId), request.key, request.fingerprint])
  }

  async purge(): Promise<number> {
    const rows = await this.#database.query<{ gone: number }>(
      'with gone as (delete from idempotent_requests where claimed_at < $1::timestamptz returning 1) select count(*)::integer as gone from gone',
      [this.#ago(IDEMPOTENCY_MS)])
    return rows[0]?.gone ?? 0
  }

  /** One statement: a new claim, or one over an expired answer, or over a claim whose request crashed. */
  async #claim(keyIdHash: string, request: IdempotentRequest): Promise<boolean> {
    const rows = await this.#database.query(`insert into idempotent_requests as old (key_id_hash, key, fingerprint, claimed_at)
      values ($1, $2, $3, $4::timestamptz)
      ${takeOver('$5', '$6')} returning 1`, [keyIdHash, request.key, request.fingerprint, this.#ago(0), this.#ago(IDEMPOTENCY_MS), this.#ago(IDEMPOTENCY_LOCK_MS)])
    return rows.length > 0
  }

  #ago(ms: number): string {
    return new Date(this.#clock.now() - ms).toISOString()
  }
}
