import { OAUTH_RESOURCES, resourceUri, SCOPES } from '../../../domain/oauth.ts'
import type { OAuthResource } from '../../../domain/oauth.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'

export interface ProtectedResourceDeps {
  /** Public base URL of the service, without a trailing slash. */
  readonly baseUrl: string
  /** The name that people know the service by. */
  readonly serviceName: string
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
const WHAT: Readonly<Record<OAuthResource, string>> = { mcp: 'tools', v1: 'API' }

/**
 * What tokens are for, and which server gives them (RFC 9728; [oauth.endpoints.3]): each resource under its own name,
 * and the tools also without one.
 */
export function protectedResourceRoutes(deps: ProtectedResourceDeps): Route[] {
  return [
    documentOf(deps, 'mcp', WELL_KNOWN, 'getProtectedResource'),
    ...OAUTH_RESOURCES.map((resource) =>
      documentOf(deps, resource, `${WELL_KNOWN}/${resource}`, `getProtectedResource.${resource}`),
    ),
  ]
}

function documentOf(
  { baseUrl, serviceName }: ProtectedResourceDeps,
  resource: OAuthResource,
  path: string,
  name: string,
): Route {
  const body = () => ({
    resource: resourceUri(baseUrl, resource),
    authorization_servers: [baseUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: `${serviceName}: ${WHAT[resource]}`,
  })
  return route({
    method: 'get',
    path,
    name,
    group: 'API keys',
    isHidden: true,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'pages',
    summary: `What tokens of the ${WHAT[resource]} are for`,
    answer: { status: 200, description: 'RFC 9728' },
    handle: async () => ({ status: 200, body: body(), headers: { 'cache-control': 'public, max-age=3600' } }),
  })
}
