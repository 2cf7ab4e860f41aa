import { RefusalError, refuse } from '../../domain/errors.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'

/** Refuses a route that the number's kind cannot serve ([rest.errors.13]), before any actor or upstream is asked. */
export function featureSupported(): HttpMiddleware {
  return (ctx, next) => {
    requireFeature(ctx)
    return next()
  }
}

/** Refuses a route that the number's kind cannot serve. Passes while no number is known. */
export function requireFeature(ctx: HttpContext): void {
  const { capability } = matchedRoute(ctx)
  const { number } = ctx.state
  if (!number || !capability) return
  if (!kindOf(number).can[capability])
    throw new RefusalError(refuse('FEATURE_NOT_SUPPORTED', `${number.provider} numbers do not support this route`))
}
