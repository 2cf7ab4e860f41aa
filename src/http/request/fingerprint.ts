import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'

/** Begins what tells two requests with one Idempotency-Key apart; the bytes of the body follow, and `digest('hex')`. */
export function beginFingerprint(method: string, path: string): Hash {
  return createHash('sha256').update(`${method} ${path}\n`)
}
