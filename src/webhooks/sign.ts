import { createHmac } from 'node:crypto'
import type { EventId, FlowAskId } from '../domain/ids.ts'
import { secretBytes } from '../domain/webhook-secret.ts'

export interface Signable {
  readonly id: EventId | FlowAskId
  /** Unix seconds of this attempt. They are part of the signed text, so that an old request cannot be replayed. */
  readonly timestamp: number
  readonly body: Uint8Array
}

/**
 * Writes `webhook-signature` (Standard Webhooks 1.0): HMAC-SHA256 of `id.timestamp.body` with each of the secrets,
 * separated by spaces. A receiver can verify with the old secret or the new one during a rotation.
 */
export function sign(secrets: readonly string[], { id, timestamp, body }: Signable): string {
  return secrets
    .map((secret) => {
      return `v1,${createHmac('sha256', secretBytes(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
    })
    .join(' ')
}
