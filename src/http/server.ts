import Koa from 'koa'
import { admission, proof } from './admission.ts'
import type { AdmissionDeps } from './admission.ts'
import { arrival } from './arrival.ts'
import type { ArrivalDeps } from './arrival.ts'
import { describedRoutes } from './described-routes.ts'
import type { DescribedDeps } from './described-routes.ts'
import { execution, intake } from './execution.ts'
import type { ExecutionDeps } from './execution.ts'
import { routeExists } from './middlewares/route-exists.ts'
import { createCaches } from './caches.ts'
import type { CacheDeps, Caches } from './caches.ts'
import type { RequestState } from './request/context.ts'
import { HeavyWork } from './request/heavy-work.ts'
import { toolRoutes } from './routes/tools/tools.ts'
import { createTools } from './tools/registry.ts'
import { createToolRunner } from './tools/run.ts'

/** What the REST layer needs, as values and ports: the dependencies of its routes and middlewares together. */
export type RestDeps = Omit<DescribedDeps & AdmissionDeps, keyof Caches> & CacheDeps & ExecutionDeps & ArrivalDeps

/** The REST application. Nothing listens yet: see `startHttp`. */
export function createHttpApp(deps: RestDeps): Koa<RequestState> {
  const caches = createCaches(deps)
  const heavy = new HeavyWork(deps.clock)
  const app = new Koa<RequestState>()
  // Silent, because Koa would print errors with their messages; `errorsAnswered` logs what may be logged.
  app.silent = true

  const admitted = admission({ ...deps, ...caches })
  const executed = execution(deps, heavy)
  const routes = describedRoutes({ ...deps, ...caches })
  const tools = toolRoutes({
    ...deps,
    heavy,
    makeTools: () => createTools(routes),
    run: createToolRunner([...admitted], [...executed], deps.log),
  })

  // The middlewares of a request, in the order of checks ([rest.order.1]).
  const life = [
    ...arrival(deps),
    routeExists([...routes, ...tools]),
    ...proof({ ...deps, ...caches }),
    ...admitted,
    ...intake(deps, heavy),
    ...executed,
  ]
  for (const step of life) app.use(step)
  return app
}
