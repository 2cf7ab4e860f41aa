import { SCOPES } from '../../domain/oauth.ts'
import { SCOPE_WORDS } from '../../domain/scope-words.ts'
import { opensTo } from '../request/access.ts'
import type { Route } from '../request/route.ts'

type Requirement = Record<string, string[]>

/** What a route takes unless it says otherwise: either header of a key. */
export const KEYS: Requirement[] = [{ apiKey: [] }, { apiKeyId: [] }]

/** The security schemes of the document. */
export function securitySchemes(baseUrl: string) {
  return {
    apiKey: {
      type: 'apiKey' as const,
      in: 'header' as const,
      name: 'x-api-key',
      description: 'Raw API key: `cms_...`. Wins when both headers are sent.',
    },
    apiKeyId: {
      type: 'apiKey' as const,
      in: 'header' as const,
      name: 'x-api-key-id',
      description: 'Id of an API key: `key_...`. As secret as the key itself; an installation may refuse it.',
    },
    accessToken: {
      type: 'oauth2' as const,
      description:
        'Access token of a grant, as `authorization: Bearer`; not together with a key. A person says in a browser what a client may do, and for which numbers; the scope that a route needs stands beside it.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${baseUrl}/oauth/authorize`,
          tokenUrl: `${baseUrl}/oauth/token`,
          refreshUrl: `${baseUrl}/oauth/token`,
          scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_WORDS[scope]])),
        },
      },
    },
    embedToken: {
      type: 'http' as const,
      scheme: 'bearer',
      description: 'Token of an embed session, as `POST /v1/embed/sessions` answers it.',
    },
  }
}

/** The security of one route, empty when it is that of most routes. */
export function securityOf(route: Route): { readonly security?: Requirement[] } {
  if (opensTo(route, 'embed')) return { security: [{ embedToken: [] }] }
  if (!opensTo(route, 'key')) return { security: [] }
  return isForTokens(route) ? { security: [...KEYS, { accessToken: [route.permission] }] } : {}
}

/** Whether some grant may call the route. */
function isForTokens(route: Route): route is Route & { readonly permission: NonNullable<Route['permission']> } {
  return opensTo(route, 'grant') && route.permission !== undefined
}
