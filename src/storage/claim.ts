import type { Cipher } from '../ports/cipher.ts'
import type { IdempotencyStart, IdempotentRequest } from '../ports/stores/idempotency-store.ts'

/** A claim of an Idempotency-Key that somebody else made. */
export interface ClaimRow {
  readonly fingerprint: string
  readonly status: number | null
  readonly sealed_body: string | null
}

/** What a sealed answer belongs to. */
export function answerContext(keyIdHash: string, key: string): string {
  return `idempotent-answer:${keyIdHash}:${key}`
}

/**
 * The `on conflict` part of a claim inserted into `idempotent_requests as old`: it takes over what is older than `expired` (24 h), and
 * from `crashed` on (a minute) what has no answer yet; both are time parameters.
 */
export function takeOver(expired: string, crashed: string): string {
  return `on conflict (key_id_hash, key) do update
    set fingerprint = excluded.fingerprint, claimed_at = excluded.claimed_at, status = excluded.status, sealed_body = excluded.sealed_body
    where old.claimed_at <= ${expired}::timestamptz
      or (old.status is null and old.fingerprint = excluded.fingerprint and old.claimed_at <= ${crashed}::timestamptz)`
}

/** What a request gets whose key was claimed before. */
export function readClaim(cipher: Cipher, keyIdHash: string, request: IdempotentRequest, row: ClaimRow): Exclude<IdempotencyStart, { kind: 'started' }> {
  if (row.fingerprint !== request.fingerprint) return { kind: 'reused' }
  if (row.status === null || row.sealed_body === null) return { kind: 'running' }
  return { kind: 'replay', answer: { status: row.status, body: cipher.open(row.sealed_body, answerContext(keyIdHash, request.key)) } }
}
