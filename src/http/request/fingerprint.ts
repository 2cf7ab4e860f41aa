import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import type { HttpContext } from './context.ts'

/**
 * Begins the hash that tells two requests with one Idempotency-Key apart. The bytes of the body follow, then
 * `digest('hex')`. A caller of many numbers names its number in a header, so that number is part of the hash: the same
 * body for another number is another request.
 */
export function beginFingerprint({ method, path, state: { caller, number, narrowedTo } }: HttpContext): Hash {
  const actsFor = caller && caller.by !== 'key' ? (number?.id ?? narrowedTo) : null
  return createHash('sha256').update(actsFor === null ? `${method} ${path}\n` : `${method} ${path}\n${actsFor}\n`)
}
