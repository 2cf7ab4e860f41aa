import { IDEMPOTENCY_LOCK_MS, IDEMPOTENCY_MS } from '../../domain/limits.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type {
  IdempotencyStart,
  IdempotencyStore,
  IdempotentAnswer,
  IdempotentRequest,
} from '../../ports/stores/idempotency-store.ts'
import type { SqlSession } from '../engine/database.ts'
import type { Engine } from '../engine/engine.ts'
import { purgePast, vacuumEmbedded } from '../engine/purge.ts'
import { digestOf } from '../engine/rows.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { IdempotentRequestEntity } from './entity.ts'

/** The columns that `readClaim` reads. */
export const CLAIM = rowsOf(IdempotentRequestEntity).only('fingerprint', 'sealedFor', 'status', 'sealedBody')
/** A claim of an Idempotency-Key that an earlier request made. */
export type ClaimRow = RowIn<typeof CLAIM>

/** The context that an answer is sealed with. */
export function answerContext(ownerHash: string, key: string): string {
  return `idempotent-answer:${ownerHash}:${key}`
}

/**
 * The `on conflict` part of a claim inserted into `idempotent_requests as old`. It takes over a claim older than
 * `expired` (24 h), and one older than `crashed` (a minute) that has no answer yet; both are time parameters.
 */
export function takeOver(expired: string, crashed: string): string {
  return `on conflict (key_id_hash, key) do update
    set fingerprint = excluded.fingerprint, sealed_for = null, claimed_at = excluded.claimed_at, status = excluded.status, sealed_body = excluded.sealed_body
    where old.claimed_at <= ${expired}::timestamptz
      or (old.status is null and old.fingerprint = excluded.fingerprint and old.claimed_at <= ${crashed}::timestamptz)`
}

/** What a request is answered when its key was claimed before. */
export function readClaim(
  cipher: Cipher,
  ownerHash: string,
  request: Pick<IdempotentRequest, 'key' | 'fingerprint'>,
  row: ClaimRow,
): Exclude<IdempotencyStart, { kind: 'started' }> {
  const { fingerprint, sealedFor, status, sealedBody } = CLAIM.read(row)
  if (fingerprint !== request.fingerprint) return { kind: 'reused' }
  if (status === null || sealedBody === null) return { kind: 'running' }
  return {
    kind: 'replay',
    answer: { status, body: cipher.open(sealedBody, answerContext(sealedFor ?? ownerHash, request.key)) },
  }
}

/** What a request is answered when its key was claimed before; null when it was not. */
export async function findClaim(
  session: SqlSession,
  cipher: Cipher,
  request: IdempotentRequest,
): Promise<ReturnType<typeof readClaim> | null> {
  const ownerHash = digestOf(request.ownerId)
  const rows = await session.query<ClaimRow>(
    `select ${CLAIM.list()} from idempotent_requests where key_id_hash = $1 and key = $2`,
    [ownerHash, request.key],
  )
  return rows[0] ? readClaim(cipher, ownerHash, request, rows[0]) : null
}

/**
 * Claims the key of a request, with its first answer when that is known, inside the transaction that does the work. One
 * statement makes a new claim, or replaces an expired answer or the claim of a crashed request. False when the key was
 * claimed before.
 */
export async function claimKey(
  session: SqlSession,
  cipher: Cipher,
  request: IdempotentRequest,
  answer: IdempotentAnswer | null,
  nowMs: number,
): Promise<boolean> {
  const ownerHash = digestOf(request.ownerId)
  const ago = (ms: number): string => new Date(nowMs - ms).toISOString()
  const rows = await session.query(
    `insert into idempotent_requests as old (key_id_hash, key, fingerprint, claimed_at, status, sealed_body)
    values ($1, $2, $3, $4::timestamptz, $5::integer, $6)
    ${takeOver('$7', '$8')} returning 1`,
    [
      ownerHash,
      request.key,
      request.fingerprint,
      ago(0),
      answer?.status ?? null,
      answer && cipher.seal(answer.body, answerContext(ownerHash, request.key)),
      ago(IDEMPOTENCY_MS),
      ago(IDEMPOTENCY_LOCK_MS),
    ],
  )
  return rows.length > 0
}

/**
 * First answers by owner and Idempotency-Key ([rest.idempotency.2]), sealed because they may carry keys that are shown
 * once.
 */
class SqlIdempotencyStore implements IdempotencyStore {
  #database: Engine['database']
  #cipher: Engine['cipher']
  #clock: Engine['clock']

  constructor({ database, cipher, clock }: Pick<Engine, 'database' | 'cipher' | 'clock'>) {
    this.#database = database
    this.#cipher = cipher
    this.#clock = clock
  }

  start(request: IdempotentRequest): Promise<IdempotencyStart> {
    return this.#startBy(request, null)
  }

  startAnswered(request: IdempotentRequest, answer: IdempotentAnswer): Promise<IdempotencyStart> {
    return this.#startBy(request, answer)
  }

  async #startBy(request: IdempotentRequest, answer: IdempotentAnswer | null): Promise<IdempotencyStart> {
    for (;;) {
      if (await claimKey(this.#database, this.#cipher, request, answer, this.#clock.now())) return { kind: 'started' }
      const found = await this.find(request)
      // The claim was given back or purged between the two statements, so claim again.
      if (found) return found
    }
  }

  find(request: IdempotentRequest): ReturnType<IdempotencyStore['find']> {
    return findClaim(this.#database, this.#cipher, request)
  }

  async finish(request: IdempotentRequest, answer: IdempotentAnswer): Promise<void> {
    const ownerHash = digestOf(request.ownerId)
    // The first answer stays, even when this claim was taken over from a request that was slow but not dead.
    await this.#database.query(
      `update idempotent_requests set status = $4::integer, sealed_body = $5, sealed_for = null
      where key_id_hash = $1 and key = $2 and fingerprint = $3 and status is null`,
      [
        ownerHash,
        request.key,
        request.fingerprint,
        answer.status,
        this.#cipher.seal(answer.body, answerContext(ownerHash, request.key)),
      ],
    )
  }

  async abandon(request: IdempotentRequest): Promise<void> {
    await this.#database.query(
      'delete from idempotent_requests where key_id_hash = $1 and key = $2 and fingerprint = $3 and status is null',
      [digestOf(request.ownerId), request.key, request.fingerprint],
    )
  }

  /** Forgets answers that are older than 24 h. */
  async purge(): Promise<number> {
    const count = await purgePast(
      this.#database,
      IdempotentRequestEntity,
      ['claimedAt'],
      this.#clock.now() - IDEMPOTENCY_MS,
    )
    await vacuumEmbedded(this.#database, ['idempotent_requests'])
    return count
  }
}

/** First answers over an open database. */
export function openIdempotency(engine: Pick<Engine, 'database' | 'cipher' | 'clock'>): {
  readonly idempotency: IdempotencyStore
} {
  return { idempotency: new SqlIdempotencyStore(engine) }
}
