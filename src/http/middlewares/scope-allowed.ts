import { RefusalError } from '../../domain/errors.ts'
import { scopeRefusal } from '../request/access.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpMiddleware } from '../request/context.ts'

/**
 * Refuses callers on routes beyond their reach: a tenant key on routes of one number ([keys.scopes.3]), a number key on
 * routes of the tenant ([keys.scopes.4]), a grant over some numbers on routes of the account ([oauth.tokens.13]).
 */
export function scopeAllowed(): HttpMiddleware {
  return (ctx, next) => {
    const { caller } = ctx.state
    const refusal = caller && scopeRefusal(matchedRoute(ctx), caller, ctx.get('x-channel-number-id') !== '')
    if (refusal) throw new RefusalError(refusal)
    return next()
  }
}
