import type { CallerCache } from './caller-cache.ts'
import type { HttpMiddleware } from './context.ts'
import type { HttpDeps } from './deps.ts'
import { authenticated } from './middlewares/authenticated.ts'
import { featureSupported } from './middlewares/feature-supported.ts'
import { numberKnown } from './middlewares/number-known.ts'
import { rateLimited } from './middlewares/rate-limited.ts'
import { scopeAllowed } from './middlewares/scope-allowed.ts'

/** Who calls, and may they: key -> scope -> number -> provider feature (contract 2). */
export function admission(deps: HttpDeps & { readonly callers: CallerCache }): HttpMiddleware[] {
  return [
    authenticated(deps),
    rateLimited(deps.limiter),
    scopeAllowed(),
    numberKnown(deps.numbers),
    featureSupported(deps.providers),
  ]
}
