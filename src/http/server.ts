import Koa from 'koa'
import { admission } from './admission.ts'
import { apiRoutes } from './api-routes.ts'
import { createCallerCache } from './caller-cache.ts'
import type { RequestState } from './context.ts'
import type { HttpDeps } from './deps.ts'
import { execution } from './execution.ts'
import { errorsAnswered } from './middlewares/errors-answered.ts'
import { pathReadable } from './middlewares/path-readable.ts'
import { requestId } from './middlewares/request-id.ts'
import { requestMeasured } from './middlewares/request-measured.ts'
import { routeExists } from './middlewares/route-exists.ts'
import { securityHeaders } from './middlewares/security-headers.ts'

/** The REST application. Nothing listens yet: see `startHttp`. */
export function createHttpApp(deps: HttpDeps): Koa<RequestState> {
  const callers = createCallerCache(deps)
  const app = new Koa<RequestState>({ proxy: deps.isProxyTrusted })
  // Koa would print errors itself, messages included: `errorsAnswered` logs what may be logged.
  app.silent = true

  // The life of a request, in order (contract 2).
  const life = [
    requestId(),
    requestMeasured(deps),
    securityHeaders(deps.baseUrl),
    errorsAnswered(deps.log),
    pathReadable(),
    routeExists(apiRoutes({ ...deps, callers })),
    ...admission({ ...deps, callers }),
    ...execution(deps),
  ]
  for (const step of life) app.use(step)
  return app
}
