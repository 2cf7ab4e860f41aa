import { RefusalError, refuse } from '../../domain/errors.ts'
import type { ProviderRegistry } from '../../ports/provider.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware } from '../request/context.ts'

/** Decides once, before anything is asked, whether the number's provider can do what the route does. */
export function featureSupported(providers: ProviderRegistry): HttpMiddleware {
  return (ctx, next) => {
    requireFeature(ctx, providers)
    return next()
  }
}

/** Refuses a route that the number cannot do; as soon as the number is known. */
export function requireFeature(ctx: HttpContext, providers: ProviderRegistry): void {
  const { capability } = matchedRoute(ctx)
  const { number } = ctx.state
  if (!number || !capability) return
  if (!providers.supports(number.provider, capability))
    throw new RefusalError(refuse('FEATURE_NOT_SUPPORTED', `${number.provider} numbers do not support this route`))
}
