import { IDEMPOTENCY_LOCK_MS, IDEMPOTENCY_MS } from '../../domain/limits.ts'
import type { Cipher } from '../../ports/cipher.ts'
import type { IdempotencyStart, IdempotentAnswer, IdempotentRequest } from '../../ports/stores/idempotency-store.ts'
import type { SqlSession } from '../engine/database.ts'
import { digestOf } from '../engine/rows.ts'
import { rowsOf, type RowIn } from '../engine/rows-of.ts'
import { IdempotentRequestEntity } from './entity.ts'

/** Columns of a claim, for readClaim. */
export const CLAIM = rowsOf(IdempotentRequestEntity).only('fingerprint', 'sealedFor', 'status', 'sealedBody')
/** A claim of an Idempotency-Key that somebody else made. */
export type ClaimRow = RowIn<typeof CLAIM>

/** What a sealed answer belongs to. */
export function answerContext(ownerHash: string, key: string): string {
  return `idempotent-answer:${ownerHash}:${key}`
}

/**
 * The `on conflict` part of a claim inserted into `idempotent_requests as old`: it takes over what is older than `expired` (24 h), and
 * from `crashed` on (a minute) what has no answer yet; both are time parameters.
 */
export function takeOver(expired: string, crashed: string): string {
  return `on conflict (key_id_hash, key) do update
    set fingerprint = excluded.fingerprint, sealed_for = null, claimed_at = excluded.claimed_at, status = excluded.status, sealed_body = excluded.sealed_body
    where old.claimed_at <= ${expired}::timestamptz
      or (old.status is null and old.fingerprint = excluded.fingerprint and old.claimed_at <= ${crashed}::timestamptz)`
}

/** What a request gets whose key was claimed before. */
export function readClaim(cipher: Cipher, ownerHash: string, request: IdempotentRequest, row: ClaimRow): Exclude<IdempotencyStart, { kind: 'started' }> {
  const { fingerprint, sealedFor, status, sealedBody } = CLAIM.read(row)
  if (fingerprint !== request.fingerprint) return { kind: 'reused' }
  if (status === null || sealedBody === null) return { kind: 'running' }
  return { kind: 'replay', answer: { status, body: cipher.open(sealedBody, answerContext(sealedFor ?? ownerHash, request.key)) } }
}

/** What a request gets whose key was claimed; null when it was not. */
export async function findClaim(session: SqlSession, cipher: Cipher, request: IdempotentRequest): Promise<ReturnType<typeof readClaim> | null> {
  const ownerHash = digestOf(request.ownerId)
  const rows = await session.query<ClaimRow>(`select ${CLAIM.list()} from idempotent_requests where key_id_hash = $1 and key = $2`, [ownerHash, request.key])
  return rows[0] ? readClaim(cipher, ownerHash, request, rows[0]) : null
}

/** Claims the key of a request together with its first answer, inside the transaction that does the work. False when it was claimed before. */
export async function claimAnswered(session: SqlSession, cipher: Cipher, request: IdempotentRequest, answer: IdempotentAnswer, nowMs: number): Promise<boolean> {
  const ownerHash = digestOf(request.ownerId)
  const ago = (ms: number): string => new Date(nowMs - ms).toISOString()
  const rows = await session.query(`insert into idempotent_requests as old (key_id_hash, key, fingerprint, claimed_at, status, sealed_body)
    values ($1, $2, $3, $4::timestamptz, $5::integer, $6)
    ${takeOver('$7', '$8')} returning 1`, [ownerHash, request.key, request.fingerprint, ago(0), answer.status,
    cipher.seal(answer.body, answerContext(ownerHash, request.key)), ago(IDEMPOTENCY_MS), ago(IDEMPOTENCY_LOCK_MS)])
  return rows.length > 0
}
