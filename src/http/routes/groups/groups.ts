import type { Directory } from '../../../../actors/hosting/directory.ts'
import { DEVICE_OPS } from '../../../domain/device-ops.ts'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { hasInstance } from '../../../domain/number.ts'
import type { NumberRef } from '../../../domain/number.ts'
import { readPhone } from '../../../domain/phone-reading.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import type { NumberStore } from '../../../ports/stores/number-store.ts'
import { invalidBody } from '../../../domain/fault.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

export interface GroupDeps {
  readonly directory: Directory
  readonly numbers: Pick<NumberStore, 'find'>
}

const GROUP = 'Groups and contacts'
const DESCRIPTION = 'UNOFFICIAL numbers only; the number must be connected.'
const DEVICE_REFUSALS: readonly RefusalCode[] = [
  'CHANNEL_INSTANCE_NOT_CONNECTED',
  'DEVICE_NETWORK_ERROR',
  'DEVICE_NETWORK_TIMEOUT',
  'BUSY',
]

/** What the device of a number knows (docs/contract/groups.md): groups, newsletters and who is registered. */
export function groupRoutes(deps: GroupDeps): Route[] {
  return [
    list(deps),
    create(deps),
    read(deps),
    change(deps, 'post'),
    change(deps, 'delete'),
    newsletters(deps),
    check(deps),
  ]
}

function list({ directory }: GroupDeps): Route {
  return route({
    method: 'get',
    path: '/v1/groups',
    name: 'listGroups',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:read',
    capability: DEVICE_OPS.listGroups.capability,
    summary: 'List the groups the number is in',
    description: DESCRIPTION,
    answer: { status: 200, description: 'The groups', schema: schema.groupList, example: example.LIST },
    refusals: DEVICE_REFUSALS,
    async handle({ number }) {
      const groups = unwrap(await directory.askDevice(number.id, 'listGroups', {}))
      return { status: 200, body: { groups: groups.map(present.presentSummary) } }
    },
  })
}

function create({ directory }: GroupDeps): Route {
  return route({
    method: 'post',
    path: '/v1/groups',
    name: 'createGroup',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:send',
    capability: DEVICE_OPS.createGroup.capability,
    isIdempotent: true,
    summary: 'Create a group',
    description: DESCRIPTION,
    body: schema.createInput,
    bodyExample: { subject: 'Support', participants: ['+5511999990001'] },
    answer: { status: 201, description: 'The group', schema: schema.group, example: example.GROUP },
    refusals: DEVICE_REFUSALS,
    async handle({ number, body }) {
      const participants = [...new Set(body.participants ?? [])]
      return {
        status: 201,
        body: present.presentGroup(
          unwrap(await directory.askDevice(number.id, 'createGroup', { subject: body.subject, participants })),
        ),
      }
    },
  })
}

function read({ directory }: GroupDeps): Route {
  return route({
    method: 'get',
    path: '/v1/groups/{id}',
    name: 'getGroup',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:read',
    capability: DEVICE_OPS.getGroup.capability,
    summary: 'Read a group with its participants',
    description: DESCRIPTION,
    params: schema.groupParams,
    answer: { status: 200, description: 'The group', schema: schema.group, example: example.GROUP },
    refusals: [...DEVICE_REFUSALS, 'NOT_FOUND'],
    async handle({ number, params }) {
      return {
        status: 200,
        body: present.presentGroup(
          unwrap(await directory.askDevice(number.id, 'getGroup', { groupId: wellFormed(params.id) })),
        ),
      }
    },
  })
}

function change({ directory }: GroupDeps, method: 'post' | 'delete'): Route {
  const isAdded = method === 'post'
  return route({
    method,
    path: '/v1/groups/{id}/participants',
    name: isAdded ? 'addGroupParticipants' : 'removeGroupParticipants',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:send',
    capability: DEVICE_OPS.changeParticipants.capability,
    isIdempotent: isAdded,
    summary: isAdded ? 'Add participants to a group' : 'Remove participants from a group',
    description: DESCRIPTION,
    params: schema.groupParams,
    body: schema.participantsInput,
    bodyExample: { participants: ['+5511999990001'] },
    answer: {
      status: 200,
      description: 'The group as it is now',
      schema: schema.group,
      example: isAdded ? example.GROUP : example.WITHOUT_PEER,
    },
    refusals: [...DEVICE_REFUSALS, 'NOT_FOUND'],
    async handle({ number, params, body }) {
      const fields = {
        groupId: wellFormed(params.id),
        action: isAdded ? 'add' : 'remove',
        participants: [...new Set(body.participants)],
      } as const
      return {
        status: 200,
        body: present.presentGroup(unwrap(await directory.askDevice(number.id, 'changeParticipants', fields))),
      }
    },
  })
}

/** The id of a group. Throws 404 NOT_FOUND for a text that is none. */
function wellFormed(id: string): string {
  if (schema.GROUP_ID.test(id)) return id
  throw new RefusalError(refuse('NOT_FOUND', 'No such group'))
}

function newsletters({ directory, numbers }: GroupDeps): Route {
  return route({
    method: 'get',
    path: '/v1/newsletters',
    name: 'listNewsletters',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'chat:read',
    capability: DEVICE_OPS.listNewsletters.capability,
    summary: 'List the channels the number follows or owns',
    description: `${DESCRIPTION} A number that nobody ever connected, or whose engine cannot list channels, has an empty list.`,
    answer: { status: 200, description: 'The channels', schema: schema.newsletterList, example: example.NEWSLETTERS },
    refusals: DEVICE_REFUSALS,
    async handle({ number }) {
      const found = await directory.askDevice(number.id, 'listNewsletters', {})
      if (!found.ok && (await listsNone(numbers, number, found.error.code)))
        return { status: 200, body: { newsletters: [] } }
      return { status: 200, body: { newsletters: unwrap(found).map(present.presentSummary) } }
    },
  })
}

/**
 * True when a refusal means that there are no channels to list ([groups.newsletters.4]): the engine of the number
 * cannot list them, or no engine ever had the number.
 */
async function listsNone(
  numbers: Pick<NumberStore, 'find'>,
  { tenantId, id }: NumberRef,
  code: RefusalCode,
): Promise<boolean> {
  // The kind of the number can list them, or it was refused before it was asked. So the engine cannot.
  if (code === 'FEATURE_NOT_SUPPORTED') return true
  if (code !== 'CHANNEL_INSTANCE_NOT_CONNECTED') return false
  const row = await numbers.find(tenantId, id)
  return row !== null && !hasInstance(row)
}

function check({ directory }: GroupDeps): Route {
  return route({
    method: 'post',
    path: '/v1/numbers/check',
    name: 'checkNumbers',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'chosenNumber' },
    permission: 'chat:read',
    capability: DEVICE_OPS.checkNumbers.capability,
    summary: 'Look up which phone numbers are registered',
    description: `${DESCRIPTION} A tenant key names the number in \`x-channel-number-id\`.`,
    body: schema.checkInput,
    bodyExample: { numbers: ['+55 11 99999-0001'] },
    answer: {
      status: 200,
      description: 'One answer each, in the order asked',
      schema: schema.checkedNumbers,
      example: example.CHECKED,
    },
    refusals: DEVICE_REFUSALS,
    async handle({ number, body }) {
      const read = body.numbers.map(readPhone)
      const faults = read.flatMap(({ problem }, index) =>
        problem === undefined ? [] : [{ path: `numbers.${index}`, message: problem }],
      )
      if (faults.length > 0) throw new RefusalError(invalidBody(faults))
      const asked = body.numbers.map((input, index) => ({ input, digits: read[index]?.digits ?? '' }))
      const checks = unwrap(
        await directory.askDevice(number.id, 'checkNumbers', {
          numbers: [...new Set(asked.map(({ digits }) => digits))],
        }),
      )
      return { status: 200, body: present.presentChecks(asked, checks) }
    },
  })
}
