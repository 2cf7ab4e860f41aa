import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { UserId } from '../../../domain/ids.ts'
import { resourceUri, type Grant } from '../../../domain/oauth.ts'
import { permissionsOfSession, type WebSession } from '../../../domain/web-session.ts'
import type { GrantStore } from '../../../ports/stores/oauth-store.ts'
import type { CallerCache } from '../../request/caller-cache.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as schema from './schema.ts'

export interface GrantDeps {
  readonly grants: Pick<GrantStore, 'list' | 'endOwn'>
  readonly callers: Pick<CallerCache, 'revoke'>
  readonly baseUrl: string
}

const HIDDEN = { group: 'API keys', isHidden: true, access: { by: ['session'], of: 'caller' } } as const

/**
 * Grants that people gave to clients. Whoever gave one, and whoever manages the account, may see and end it
 * ([sessions.login.7], [sessions.login.8]).
 */
export function grantRoutes(deps: GrantDeps): Route[] {
  return [list(deps), end(deps)]
}

function list({ grants, baseUrl }: GrantDeps): Route {
  return route({
    method: 'get',
    path: '/api/grants',
    name: 'listGrants',
    ...HIDDEN,
    summary: 'List what clients were let in for',
    answer: { status: 200, description: 'Newest first', schema: schema.grants },
    async handle({ session }) {
      const found = await grants.list(session.tenantId, whose(session))
      return { status: 200, body: { grants: found.map((grant) => presentGrant(grant, baseUrl)) } }
    },
  })
}

function end({ grants, callers }: GrantDeps): Route {
  return route({
    method: 'delete',
    path: '/api/grants/{id}',
    name: 'endGrant',
    ...HIDDEN,
    summary: 'Shut a client out',
    params: schema.idParams,
    answer: { status: 200, description: 'Its tokens are good for nothing any more', schema: schema.deleted },
    async handle({ session, params: { id } }) {
      if (!(await grants.endOwn(session.tenantId, whose(session), id)))
        throw new RefusalError(refuse('GRANT_NOT_FOUND', 'No such grant'))
      await callers.revoke(id)
      return { status: 200, body: { deleted: true, id } }
    },
  })
}

/**
 * Whose grants a session sees; null when it sees all of the tenant. Sessions without a person act as OWNER
 * ([people.permissions.14]).
 */
function whose(session: WebSession): UserId | null {
  return permissionsOfSession(session).has('account:manage') ? null : (session.user?.id ?? null)
}

/** A grant as lists show it ([sessions.login.7]), without any token. */
function presentGrant(
  { id, client, user, resource, scopes, numberIds, createdAt, lastUsedAt }: Grant,
  baseUrl: string,
) {
  return {
    id,
    clientId: client.clientId,
    clientName: client.name,
    user,
    resource: resourceUri(baseUrl, resource),
    scopes,
    channelNumberIds: numberIds,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }
}
