import { createHmac, randomBytes } from 'node:crypto'
import type { EventId } from '../domain/ids.ts'

const PREFIX = 'whsec_'
/** contract 5: 32 random bytes. */
const SECRET_BYTES = 32

/** Makes the secret of a webhook: `whsec_` + base64 of 32 random bytes (contract 5). */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

export interface Signable {
  readonly id: EventId
  /** Unix seconds of this attempt; part of what is signed, so that an old request cannot be replayed. */
  readonly timestamp: number
  readonly body: Uint8Array
}

/**
 * Writes `webhook-signature` (Standard Webhooks 1.0): HMAC-SHA256 of `id.timestamp.body` with every secret given,
 * separated by spaces, so that a receiver verifies with the old or the new one while they change.
 */
export function sign(secrets: readonly string[], { id, timestamp, body }: Signable): string {
  return secrets.map((secret) => {
    const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  }).join(' ')
}
