import { REFUSALS } from '../../domain/errors.ts'
import type { Refusal, RefusalCode } from '../../domain/errors.ts'
import { flowCodeOf, showFlowRefusal } from '../../domain/flow-refusals.ts'
import { isBelow } from './below.ts'
import type { HttpContext } from './context.ts'

/**
 * The code of an error body, null where the contract has none ([rest.errors.17], [rest.errors.20]). Refusals of
 * different status may show one code: a key bound to no number shows NUMBER_NOT_FOUND with status 400
 * ([rest.errors.11]).
 */
export function shownCode(code: RefusalCode): string | null {
  if (code === 'NUMBER_NOT_BOUND') return 'NUMBER_NOT_FOUND'
  const row: { readonly status: number; readonly hidden?: true; readonly shownAs?: string } = REFUSALS[code]
  return row.hidden ? null : (row.shownAs ?? code)
}

export interface ErrorBody {
  readonly error: string
  readonly errorEN?: string
  readonly code?: string
  readonly details?: unknown
  readonly validationErrors?: unknown
  readonly unknownFields?: unknown
}

/** Paths of Flows: for keys and tokens, and for sessions. */
const FLOWS = ['/v1/flows', '/api/v1/flows']

/** Whether every error below a path speaks two languages, that of an unknown route too ([flows.scope.2]). */
export function isOfFlows(path: string): boolean {
  return FLOWS.some((base) => isBelow(path, base))
}

/** Whether the body leaves out `details` ([rest.errors.20]). */
function isBare(code: RefusalCode): boolean {
  return code === 'RATE_LIMITED' || code === 'INTERNAL'
}

/** Makes every error body ([rest.errors.1]); `path` is that of the request. */
export function presentRefusal(refusal: Refusal, path: string): ErrorBody {
  const details = isBare(refusal.code) ? undefined : refusal.details
  if (!isOfFlows(path)) return bodyOf({ error: refusal.message }, refusal.code, 'details', details)
  const { code, pt, en, under } = showFlowRefusal(refusal)
  return bodyOf({ error: pt, errorEN: en }, code, under, details)
}

function bodyOf(
  texts: Pick<ErrorBody, 'error' | 'errorEN'>,
  ofCode: RefusalCode,
  under: keyof ErrorBody,
  details: unknown,
): ErrorBody {
  const code = shownCode(ofCode)
  return { ...texts, ...(code === null ? {} : { code }), ...(details === undefined ? {} : { [under]: details }) }
}

/**
 * The status of a refusal. Below the paths of Flows some have a status of their own (docs/contract/flows.md#errors).
 */
export function refusalStatus({ code }: Refusal, path: string): number {
  return REFUSALS[isOfFlows(path) ? flowCodeOf(code) : code].status
}

/** Answers a refusal with its status, body and `retry-after`. */
export function writeRefusal(ctx: HttpContext, refusal: Refusal): void {
  ctx.state.refusal = refusal
  ctx.status = refusalStatus(refusal, ctx.path)
  if (refusal.retryAfterSeconds !== undefined)
    ctx.set('retry-after', String(Math.max(1, Math.ceil(refusal.retryAfterSeconds))))
  ctx.type = 'application/json'
  ctx.body = JSON.stringify(presentRefusal(refusal, ctx.path))
}
