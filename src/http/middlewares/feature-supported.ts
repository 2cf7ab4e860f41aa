import { RefusalError, refuse } from '../../domain/errors.ts'
import type { ProviderRegistry } from '../../ports/provider.ts'
import { matchedRoute } from '../context.ts'
import type { HttpMiddleware } from '../context.ts'

/** Decides once, before anything is asked, whether the number's provider can do what the route does. */
export function featureSupported(providers: ProviderRegistry): HttpMiddleware {
  return (ctx, next) => {
    const { capability } = matchedRoute(ctx)
    const { number } = ctx.state
    if (!capability || !number || providers.supports(number.provider, capability)) return next()
    throw new RefusalError(refuse('FEATURE_NOT_SUPPORTED', `${number.provider} numbers do not support this route`))
  }
}
