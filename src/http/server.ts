import Koa from 'koa'
import { admission } from './admission.ts'
import type { AdmissionDeps } from './admission.ts'
import type { ApiDeps } from './api-routes.ts'
import { describedRoutes } from './described-routes.ts'
import { execution } from './execution.ts'
import type { ExecutionDeps } from './execution.ts'
import { clientKnown } from './middlewares/client-known.ts'
import type { ClientDeps } from './middlewares/client-known.ts'
import { errorsAnswered } from './middlewares/errors-answered.ts'
import { pathReadable } from './middlewares/path-readable.ts'
import { requestId } from './middlewares/request-id.ts'
import { requestMeasured } from './middlewares/request-measured.ts'
import type { MeasuredDeps } from './middlewares/request-measured.ts'
import { routeExists } from './middlewares/route-exists.ts'
import { securityHeaders } from './middlewares/security-headers.ts'
import { createCaches } from './caches.ts'
import type { Caches } from './caches.ts'
import type { CallerCacheDeps } from './request/caller-cache.ts'
import type { RequestState } from './request/context.ts'

/** What the REST layer needs, as values and ports: all that its routes and the life of a request name. */
export type RestDeps = Omit<ApiDeps & AdmissionDeps, keyof Caches> & ExecutionDeps & MeasuredDeps & CallerCacheDeps & ClientDeps & {
  /** Public base of REST and pages, without a trailing slash. */
  readonly baseUrl: string
}

/** The REST application. Nothing listens yet: see `startHttp`. */
export function createHttpApp(deps: RestDeps): Koa<RequestState> {
  const caches = createCaches(deps)
  const app = new Koa<RequestState>()
  // Koa would print errors itself, messages included: `errorsAnswered` logs what may be logged.
  app.silent = true

  // The life of a request, in order (contract 2).
  const life = [
    requestId(),
    clientKnown(deps),
    requestMeasured(deps),
    securityHeaders(deps.baseUrl),
    errorsAnswered(deps.log),
    pathReadable(),
    routeExists(describedRoutes({ ...deps, ...caches })),
    ...admission({ ...deps, ...caches }),
    ...execution(deps),
  ]
  for (const step of life) app.use(step)
  return app
}
