import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { CallerCache } from '../../caller-cache.ts'
import type { HttpDeps } from '../../deps.ts'
import { route } from '../../route.ts'
import type { Route } from '../../route.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

type Deps = Pick<HttpDeps, 'keys'> & { readonly callers: CallerCache }

const GROUP = 'API keys'

/** Keys are replaced, never added: one default key a number, one key a tenant (spec: API keys). */
export function apiKeyRoutes(deps: Deps): Route[] {
  return [listKeys(deps), replaceKey(deps), regenerateKey(deps)]
}

function listKeys(deps: Deps): Route {
  return route({
    method: 'get', path: '/v1/api-keys', name: 'listApiKeys', group: GROUP, access: 'tenant',
    summary: 'List the default key of each number',
    answer: { status: 200, description: 'One item a number', schema: schema.keyItem.array() },
    async handle({ caller, narrowedTo }) {
      const items = await deps.keys.list(caller.tenantId)
      return { status: 200, body: items.filter(({ numberId }) => narrowedTo === null || numberId === narrowedTo).map(present.presentKeyItem) }
    },
  })
}

function replaceKey(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/api-keys', name: 'replaceApiKey', group: GROUP, access: 'tenant', isIdempotent: true,
    summary: "Replace a number's default key", description: 'The previous key is refused at once. The new one is shown here.',
    body: schema.replaceInput, bodyExample: { channelNumberId: 'num_01kb0000000000000000000000' },
    answer: { status: 201, description: 'The new key', schema: schema.replacedKey },
    refusals: ['NUMBER_NOT_FOUND'],
    async handle({ caller, narrowedTo, body }) {
      const isOutside = narrowedTo !== null && narrowedTo !== body.channelNumberId
      const key = isOutside ? null : await deps.keys.rotateNumberKey(caller.tenantId, body.channelNumberId as NumberId)
      if (!key?.numberId) throw new RefusalError(refuse('NUMBER_NOT_FOUND', 'No such number in this account'))
      await deps.callers.revoke(key.numberId)
      return { status: 201, body: present.presentReplacedKey(key) }
    },
  })
}

function regenerateKey(deps: Deps): Route {
  return route({
    method: 'post', path: '/v1/api-keys/regenerate', name: 'regenerateApiKey', group: GROUP, access: 'either', isIdempotent: true,
    summary: 'Replace the calling key itself', description: 'The calling key is refused from the next request on. The new one is shown here.',
    answer: { status: 201, description: 'The new key', schema: schema.ownKey },
    async handle({ caller }) {
      const key = await deps.keys.rotateOwnKey(caller.keyId)
      await deps.callers.revoke(caller.keyId)
      if (!key) throw new RefusalError(refuse('UNAUTHENTICATED', 'The key was replaced meanwhile'))
      return { status: 201, body: present.presentOwnKey(key) }
    },
  })
}
