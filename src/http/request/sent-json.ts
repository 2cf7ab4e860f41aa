import type { HttpContext } from './context.ts'
import { parseJson } from './json-text.ts'

/** The body as sent, parsed once; undefined when there is none. Refuses what is no JSON (400 INVALID_JSON). */
export function sentJson(ctx: HttpContext): unknown {
  const { rawBody, bodyFault } = ctx.state
  if (bodyFault) throw bodyFault
  if (!rawBody || rawBody.length === 0) return undefined
  ctx.state.sent ??= { json: parseJson(rawBody) }
  return ctx.state.sent.json
}
