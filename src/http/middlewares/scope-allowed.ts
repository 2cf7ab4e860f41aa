import { RefusalError } from '../../domain/errors.ts'
import { scopeRefusal } from '../request/access.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpMiddleware } from '../request/context.ts'

/** Refuses callers on routes that are about more, or less, than they act for. */
export function scopeAllowed(): HttpMiddleware {
  return (ctx, next) => {
    const { caller } = ctx.state
    const refusal = caller && scopeRefusal(matchedRoute(ctx), caller, ctx.get('x-channel-number-id') !== '')
    if (refusal) throw new RefusalError(refusal)
    return next()
  }
}
