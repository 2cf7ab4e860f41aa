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

/** What the REST layer needs, as values and ports: all that its routes and the life of a request name. */
export type RestDeps = Omit<DescribedDeps & AdmissionDeps, keyof Caches> & CacheDeps & ExecutionDeps & ArrivalDeps

/** The REST application. Nothing listens yet: see `startHttp`. */
export function createHttpApp(deps: RestDeps): Koa<RequestState> {
  const caches = createCaches(deps)
  const heavy = new HeavyWork(deps.clock)
  const app = new Koa<RequestState>()
  // Koa would print errors itself, messages included: `errorsAnswered` logs what may be logged.
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

  // The life of a request, in order (contract 2).
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
