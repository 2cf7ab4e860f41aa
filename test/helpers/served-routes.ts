import { createCaches } from '../../src/http/caches.ts'
import { describedRoutes } from '../../src/http/described-routes.ts'
import { HeavyWork } from '../../src/http/request/heavy-work.ts'
import type { Route } from '../../src/http/request/route.ts'
import { toolRoutes } from '../../src/http/routes/tools/tools.ts'
import { World } from './world.ts'

/** Every route that a service has, including tools; no test calls them through this list. */
export function servedRoutes(world: World = new World()): readonly Route[] {
  const deps = world.deps()
  const tools = toolRoutes({
    ...deps,
    heavy: new HeavyWork(deps.clock),
    makeTools: () => [],
    run: () => Promise.reject(new Error('no tool is called')),
  })
  return [...describedRoutes({ ...deps, ...createCaches(deps) }), ...tools]
}

/** The title of a route in documents. */
export function titleOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`
}
