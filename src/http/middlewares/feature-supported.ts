import { RefusalError, refuse } from '../../domain/errors.ts'
import { kindOf } from '../../domain/kinds/kinds.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'

/** Refuses a route that the number's kind cannot serve ([rest.errors.13]), before any actor or upstream is asked. */
export function featureSupported(): HttpMiddleware {
  return async (ctx, next) => {
    await requireFeature(ctx)
    return next()
  }
}

/** Refuses a route that the number's kind cannot serve. Passes while no number is known. */
export async function requireFeature(ctx: HttpContext): Promise<void> {
  const { capability, exception } = matchedRoute(ctx)
  const { number, params } = ctx.state
  if (!number || !capability || kindOf(number).can[capability]) return
  if (!(await exception?.(number, params)))
    throw new RefusalError(
      refuse('FEATURE_NOT_SUPPORTED', `${number.provider} numbers do not support this route`, { capability }),
    )
}
