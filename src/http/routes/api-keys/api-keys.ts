import type { KeyCommands } from '../../../commands/keys/keys.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { NumberId } from '../../../domain/ids.ts'
import type { IssuedKey } from '../../../ports/stores/key-store.ts'
import { repeated } from '../../request/first-answer.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

interface ApiKeyDeps {
  readonly keyCommands: KeyCommands
}

const GROUP = 'API keys'

/**
 * Keys are replaced, never added: one default key a number, one key a tenant ([keys.scopes.1], [keys.scopes.2],
 * [keys.routes.7]).
 */
export function apiKeyRoutes({ keyCommands: keys }: ApiKeyDeps): Route[] {
  return [listKeys(keys), replace(keys), regenerate(keys)]
}

function listKeys(keys: KeyCommands): Route {
  return route({
    method: 'get',
    path: '/v1/api-keys',
    name: 'listApiKeys',
    group: GROUP,
    access: { by: ['key', 'session'], of: 'tenant' },
    permission: 'account:manage',
    summary: 'List the default key of each number',
    answer: { status: 200, description: 'One item a number', schema: schema.keyItem.array(), example: example.LIST },
    async handle({ caller, narrowedTo }) {
      const items = await keys.list(caller.tenantId)
      return {
        status: 200,
        body: items
          .filter(({ numberId }) => narrowedTo === null || numberId === narrowedTo)
          .map(present.presentKeyItem),
      }
    },
  })
}

function replace(keys: KeyCommands): Route {
  return route({
    method: 'post',
    path: '/v1/api-keys',
    name: 'replaceApiKey',
    group: GROUP,
    access: { by: ['key', 'session'], of: 'tenant' },
    permission: 'account:manage',
    isIdempotent: true,
    summary: "Replace a number's default key",
    description: 'The previous key is refused at once. The new one is shown here.',
    body: schema.replaceInput,
    bodyExample: { channelNumberId: 'num_01kb0000000000000000000000' },
    answer: { status: 201, description: 'The new key', schema: schema.replacedKey, example: example.REPLACED },
    refusals: ['NUMBER_NOT_FOUND'],
    async handle({ caller, narrowedTo, body }) {
      if (narrowedTo !== null && narrowedTo !== body.channelNumberId)
        throw new RefusalError(refuse('NUMBER_NOT_FOUND', 'No such number in this account'))
      const key = unwrap(await keys.replace(caller.tenantId, body.channelNumberId as NumberId))
      return { status: 201, body: present.presentReplacedKey(key) }
    },
  })
}

function regenerate(keys: KeyCommands): Route {
  return route({
    method: 'post',
    path: '/v1/api-keys/regenerate',
    name: 'regenerateApiKey',
    group: GROUP,
    access: { by: ['key', 'session'], of: 'either' },
    permission: 'account:manage',
    isIdempotent: true,
    keepsFirstAnswer: true,
    answersReplacedKey: true,
    summary: 'Replace the calling key itself',
    description:
      'The calling key is refused from the next request on. The new one is shown here. Send an `Idempotency-Key`: should the answer be lost, '
      + 'the same request with the replaced key gets it again for 10 minutes, and nothing else.',
    answer: { status: 201, description: 'The new key', schema: schema.ownKey, examples: example.REGENERATED },
    async handle({ caller, claim }) {
      const answer = (key: IssuedKey) => ({ status: 201, body: JSON.stringify(present.presentOwnKey(key)) })
      const regenerated = unwrap(await keys.regenerate(caller, claim && { request: claim, answer }))
      return regenerated.kind === 'rotated'
        ? { ...answer(regenerated.key), type: 'application/json' }
        : repeated(regenerated)
    },
  })
}
