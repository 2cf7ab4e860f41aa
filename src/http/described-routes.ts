import { API_ROUTES } from './api-routes.ts'
import type { ApiDeps } from './api-routes.ts'
import { describeApi } from './openapi/document.ts'
import type { OpenApiDocument } from './openapi/document.ts'
import type { Route } from './request/route.ts'
import { documentRoutes } from './routes/operations/operations.ts'

/** Every route, those of the document that describes them all last. */
export function describedRoutes(deps: ApiDeps): Route[] {
  let document: OpenApiDocument | null = null
  const routes = API_ROUTES.flatMap((routesOf) => routesOf(deps))
  routes.push(...documentRoutes(() => (document ??= describeApi(routes, deps.baseUrl)), deps.baseUrl))
  return routes
}
