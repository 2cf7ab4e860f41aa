import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import type { HttpContext } from './context.ts'

/**
 * Begins what tells two requests with one Idempotency-Key apart; the bytes of the body follow, and `digest('hex')`.
 * Whoever may act for many numbers says by a header for which: the same body for another number is another request.
 */
export function beginFingerprint({ method, path, state: { caller, number, narrowedTo } }: HttpContext): Hash {
  const actsFor = caller && caller.by !== 'key' ? (number?.id ?? narrowedTo) : null
  return createHash('sha256').update(actsFor === null ? `${method} ${path}\n` : `${method} ${path}\n${actsFor}\n`)
}
