import type { CallerCache } from './caller-cache.ts'
import type { HttpDeps } from './deps.ts'
import { messagingRoutes } from './messaging-routes.ts'
import { describeApi } from './openapi.ts'
import type { OpenApiDocument } from './openapi.ts'
import type { Route } from './route.ts'
import { apiKeyRoutes } from './routes/api-keys/api-keys.ts'
import { callRoutes } from './routes/calls/calls.ts'
import { eventRoutes } from './routes/events/events.ts'
import { numberRoutes } from './routes/numbers/numbers.ts'
import { officialWebhookRoutes } from './routes/official-webhooks/official-webhooks.ts'
import { operationRoutes } from './routes/operations/operations.ts'
import { remotePairingRoutes } from './routes/remote-pairing/remote-pairing.ts'
import { statusRoutes } from './routes/status/status.ts'
import { webhookRoutes } from './routes/webhooks/webhooks.ts'

/** Every route, in the order it is matched and documented. Fixed paths stand before `{id}` paths. */
export function apiRoutes(deps: HttpDeps & { readonly callers: CallerCache }): Route[] {
  let document: OpenApiDocument | null = null
  const routes: Route[] = [
    ...callRoutes(deps),
    ...messagingRoutes(deps),
    ...remotePairingRoutes(deps),
    ...numberRoutes(deps),
    ...statusRoutes(deps),
    ...apiKeyRoutes(deps),
    ...webhookRoutes(deps),
    ...eventRoutes(deps),
    ...officialWebhookRoutes(deps),
    ...operationRoutes({ ...deps, document: () => (document ??= describeApi(routes, deps.baseUrl)) }),
  ]
  return routes
}
