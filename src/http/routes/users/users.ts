import type { UserCommands } from '../../../commands/users/users.ts'
import type { Caller } from '../../../domain/caller.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { Editor } from '../../../domain/user-rules.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

export interface UserDeps {
  readonly userCommands: UserCommands
  /** Public base URL of the pages, without a trailing slash. */
  readonly baseUrl: string
}

const FACTS = {
  group: 'People',
  access: { by: ['key', 'session'], of: 'tenant' },
  permission: 'account:manage',
} as const
const OWNERS = 'Only an OWNER, or the key of the tenant, makes or changes OWNERs.'

/**
 * People of the tenant. The tenant key, and people who manage the account, invite, change and remove them
 * ([people.users.3]).
 */
export function userRoutes(deps: UserDeps): Route[] {
  return [create(deps), list(deps), read(deps), change(deps), invite(deps), remove(deps)]
}

/**
 * The right by which a caller changes people. The tenant key, and whoever signed in with it, act as an OWNER
 * ([people.owners.2], [people.permissions.14]).
 */
function editorOf(caller: Caller): Editor {
  return {
    isOwner: caller.by === 'key' || (caller.by === 'session' && (caller.user === null || caller.user.role === 'OWNER')),
  }
}

function create({ userCommands: users, baseUrl }: UserDeps): Route {
  return route({
    method: 'post',
    path: '/v1/users',
    name: 'createUser',
    ...FACTS,
    summary: 'Invite a person',
    description: `The service sends no mail: hand \`inviteUrl\` to the person, who sets a password there. ${OWNERS} \`Idempotency-Key\` is ignored, because invitations are not stored.`,
    body: schema.createInput,
    bodyExample: example.CREATE,
    answer: {
      status: 201,
      description: 'The user, INVITED, and the link for the only time',
      schema: schema.invitedUser,
      example: example.INVITED,
    },
    refusals: ['USER_ALREADY_EXISTS'],
    async handle({ caller, body: { email, role, name = null } }) {
      const { user, invitation } = unwrap(await users.invite(editorOf(caller), caller.tenantId, { email, role, name }))
      return { status: 201, body: { ...present.presentUser(user), inviteUrl: present.inviteUrl(baseUrl, invitation) } }
    },
  })
}

function list({ userCommands: users }: UserDeps): Route {
  return route({
    method: 'get',
    path: '/v1/users',
    name: 'listUsers',
    ...FACTS,
    summary: 'List the people of the account',
    answer: { status: 200, description: 'Oldest first', schema: schema.user.array(), example: [example.USER] },
    async handle({ caller }) {
      const all = await users.list(caller.tenantId)
      return { status: 200, body: all.map(present.presentUser) }
    },
  })
}

function read({ userCommands: users }: UserDeps): Route {
  return route({
    method: 'get',
    path: '/v1/users/{id}',
    name: 'getUser',
    ...FACTS,
    summary: 'Read a person',
    params: schema.userParams,
    answer: { status: 200, description: 'The user', schema: schema.user, example: example.USER },
    refusals: ['USER_NOT_FOUND'],
    async handle({ caller, params }) {
      const user = await users.find({ tenantId: caller.tenantId, id: params.id })
      if (!user) throw new RefusalError(refuse('USER_NOT_FOUND', 'No such user in this account'))
      return { status: 200, body: present.presentUser(user) }
    },
  })
}

function change({ userCommands: users }: UserDeps): Route {
  return route({
    method: 'patch',
    path: '/v1/users/{id}',
    name: 'updateUser',
    ...FACTS,
    summary: 'Change role, name or status of a person',
    description: `Acts at once on what the person is signed in to and on what it granted. DISABLED ends all sessions; whoever never set a password is INVITED again where ACTIVE is sent. ${OWNERS}`,
    params: schema.userParams,
    body: schema.patchInput,
    bodyExample: example.PATCH,
    answer: { status: 200, description: 'The user', schema: schema.user, example: example.USER },
    refusals: ['USER_NOT_FOUND', 'LAST_OWNER'],
    async handle({ caller, params, body }) {
      const user = unwrap(await users.change(editorOf(caller), { tenantId: caller.tenantId, id: params.id }, body))
      return { status: 200, body: present.presentUser(user) }
    },
  })
}

function invite({ userCommands: users, baseUrl }: UserDeps): Route {
  return route({
    method: 'post',
    path: '/v1/users/{id}/invite',
    name: 'inviteUser',
    ...FACTS,
    summary: 'Make a new invitation',
    description: `For a link that was lost, or a password that was forgotten: until it is used, the password holds. Older links die. ${OWNERS}`,
    params: schema.userParams,
    answer: {
      status: 201,
      description: 'The link, for the only time',
      schema: schema.invitation,
      example: example.LINK,
    },
    refusals: ['USER_NOT_FOUND'],
    async handle({ caller, params }) {
      const invitation = unwrap(await users.inviteAgain(editorOf(caller), { tenantId: caller.tenantId, id: params.id }))
      return { status: 201, body: present.presentInvitation(baseUrl, invitation) }
    },
  })
}

function remove({ userCommands: users }: UserDeps): Route {
  return route({
    method: 'delete',
    path: '/v1/users/{id}',
    name: 'removeUser',
    ...FACTS,
    summary: 'Remove a person',
    description: `With sessions and what was granted to clients, at once. ${OWNERS}`,
    params: schema.userParams,
    answer: { status: 200, description: 'The person is gone', schema: schema.removed, example: example.REMOVED },
    refusals: ['USER_NOT_FOUND', 'LAST_OWNER'],
    async handle({ caller, params }) {
      const id = unwrap(await users.remove(editorOf(caller), { tenantId: caller.tenantId, id: params.id }))
      return { status: 200, body: { deleted: true, id } }
    },
  })
}
