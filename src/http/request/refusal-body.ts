import { REFUSALS } from '../../domain/errors.ts'
import type { Refusal, RefusalCode } from '../../domain/errors.ts'
import type { HttpContext } from './context.ts'

/**
 * The code shown, or null where the specification lists "(none)". Refusals that differ in status may share one
 * shown code: a key bound to no number shows NUMBER_NOT_FOUND with status 400 (spec: Errors, Common).
 */
export function shownCode(code: RefusalCode): string | null {
  if (code === 'NUMBER_NOT_BOUND') return 'NUMBER_NOT_FOUND'
  const row: { readonly status: number, readonly hidden?: true, readonly shownAs?: string } = REFUSALS[code]
  return row.hidden ? null : row.shownAs ?? code
}

export interface ErrorBody {
  readonly error: string
  readonly code?: string
  readonly details?: unknown
}

/** The one maker of error bodies (contract 2). */
export function presentRefusal(refusal: Refusal): ErrorBody {
  const code = shownCode(refusal.code)
  const isBare = refusal.code === 'RATE_LIMITED' || refusal.code === 'INTERNAL'
  return {
    error: refusal.message,
    ...(code === null ? {} : { code }),
    ...(refusal.details === undefined || isBare ? {} : { details: refusal.details }),
  }
}

/** Answers a refusal with its status, body and `retry-after`. */
export function writeRefusal(ctx: HttpContext, refusal: Refusal): void {
  ctx.status = REFUSALS[refusal.code].status
  if (refusal.retryAfterSeconds !== undefined) ctx.set('retry-after', String(Math.max(1, Math.ceil(refusal.retryAfterSeconds))))
  ctx.type = 'application/json'
  ctx.body = JSON.stringify(presentRefusal(refusal))
}
