import { API_ROUTES } from './api-routes.ts'
import type { ApiDeps } from './api-routes.ts'
import { eventDocumentRoutes } from './asyncapi/routes.ts'
import { describeApi } from './openapi/document.ts'
import type { OpenApiDocument } from './openapi/document.ts'
import { isThereForDashboard } from './request/dashboard-paths.ts'
import type { Route } from './request/route.ts'
import { documentRoutes } from './openapi/routes.ts'
import { guideRoutes } from './routes/guides/guides.ts'
import { doorsOf } from './session-routes.ts'

export interface DescribedDeps extends ApiDeps {
  /** False leaves out the dashboard and what it asks for ([configuration.variables.24]). */
  readonly isDashboardOn: boolean
}

/** Every route, the document's own last. The document describes all routes that are not hidden. */
export function describedRoutes(deps: DescribedDeps): Route[] {
  let document: OpenApiDocument | null = null
  const declared = API_ROUTES.flatMap((routesOf) => routesOf(deps))
  const routes = doorsOf(declared).filter(({ path }) => deps.isDashboardOn || !isThereForDashboard(path))
  routes.push(
    ...documentRoutes(() => (document ??= describeApi(routes, deps.baseUrl)), deps.baseUrl),
    ...eventDocumentRoutes(deps.baseUrl),
    ...guideRoutes(),
  )
  return routes
}
