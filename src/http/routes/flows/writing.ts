import type { FlowCommands } from '../../../commands/flows/flows.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

/** Facts of every route of Flows. Only OFFICIAL numbers have an account, and so Flows ([flows.scope.1]). */
const ALL = { group: 'Flows', access: { by: ['key', 'grant', 'session'], of: 'number' }, capability: 'flows' } as const
export const READS = { ...ALL, permission: 'flows:read' } as const
export const WRITES = { ...ALL, permission: 'flows:manage' } as const
export const UPSTREAM: readonly RefusalCode[] = ['OFFICIAL_ERROR', 'OFFICIAL_REQUEST_REFUSED', 'OFFICIAL_THROTTLED']
const FORM: readonly RefusalCode[] = ['FLOW_BODY_INVALID', 'FLOW_UNKNOWN_FIELDS']
const NAMES: readonly RefusalCode[] = ['FLOW_NAME_REQUIRED', 'FLOW_NAME_INVALID', 'FLOW_CATEGORY_INVALID']
export const DRAFT: readonly RefusalCode[] = [...FORM, 'FLOW_NOT_FOUND', 'FLOW_NOT_DRAFT', ...UPSTREAM]

/** POST /v1/flows. */
export function createFlowRoute(flows: FlowCommands): Route {
  return route({
    ...WRITES,
    method: 'post',
    path: '/v1/flows',
    name: 'createFlow',
    isIdempotent: true,
    summary: 'Create a Flow, or clone one',
    description:
      'It is a draft, without a document unless it is a clone. While the platform is away `officialFlowId` is null; it is brought up in the background and by the next write.',
    body: schema.createInput,
    bodyExamples: example.CREATE,
    answer: { status: 201, description: 'The Flow', schema: schema.flow, examples: example.CREATED },
    refusals: [...FORM, ...NAMES, 'FLOW_CLONE_SOURCE_INVALID', ...UPSTREAM],
    handle: async ({ number, body }) => ({
      status: 201,
      body: present.presentFlow(unwrap(await flows.create(number, unwrap(body)))),
    }),
  })
}

/** POST /v1/flows/sync. */
export function syncFlowsRoute(flows: FlowCommands): Route {
  return route({
    ...WRITES,
    method: 'post',
    path: '/v1/flows/sync',
    name: 'syncFlows',
    isIdempotent: true,
    summary: 'Import the Flows of the account',
    description:
      'It also happens when a number is connected, and every hour. A draft that the platform has no more is removed.',
    body: schema.noInput,
    answer: { status: 200, description: 'What changed here', schema: schema.syncAnswer, example: example.SYNCED },
    refusals: [...FORM, ...UPSTREAM],
    async handle({ number, body }) {
      unwrap(body)
      return { status: 200, body: unwrap(await flows.sync(number)) }
    },
  })
}

/** PATCH /v1/flows/{id}. */
export function patchFlowRoute(flows: FlowCommands): Route {
  return route({
    ...WRITES,
    method: 'patch',
    path: '/v1/flows/{id}',
    name: 'updateFlow',
    summary: 'Change the name or the categories of a draft',
    params: schema.flowParams,
    body: schema.patchInput,
    bodyExample: example.PATCH,
    answer: { status: 200, description: 'The Flow as it is now', schema: schema.flow, example: example.PATCHED },
    refusals: [...DRAFT, ...NAMES, 'FLOW_PATCH_EMPTY'],
    handle: async ({ number, params, body }) => ({
      status: 200,
      body: present.presentFlow(unwrap(await flows.patch(number, params.id, unwrap(body)))),
    }),
  })
}

/** POST /v1/flows/{id}/publish. */
export function publishFlowRoute(flows: FlowCommands): Route {
  return route({
    ...WRITES,
    method: 'post',
    path: '/v1/flows/{id}/publish',
    name: 'publishFlow',
    isIdempotent: true,
    summary: 'Publish a draft, for good',
    description: 'A published Flow is never changed: clone it for the next version.',
    params: schema.flowParams,
    body: schema.publishInput,
    bodyExample: example.PUBLISH,
    answer: { status: 200, description: 'The Flow', schema: schema.flow, example: example.IS_PUBLISHED },
    refusals: [...DRAFT, 'FLOW_PUBLISH_REQUIRES_CONFIRMATION', 'FLOW_JSON_INVALID'],
    async handle({ number, params, body }) {
      unwrap(body)
      return { status: 200, body: present.presentFlow(unwrap(await flows.publish(number, params.id))) }
    },
  })
}

/** POST /v1/flows/{id}/deprecate. */
export function deprecateFlowRoute(flows: FlowCommands): Route {
  return route({
    ...WRITES,
    method: 'post',
    path: '/v1/flows/{id}/deprecate',
    name: 'deprecateFlow',
    isIdempotent: true,
    summary: 'End a published Flow',
    description: 'It cannot be sent or opened any more. It stays here with what was submitted.',
    params: schema.flowParams,
    body: schema.deprecateInput,
    bodyExamples: example.DEPRECATE,
    answer: { status: 200, description: 'The Flow', schema: schema.flow, example: example.DEPRECATED },
    refusals: [...FORM, 'FLOW_DEPRECATE_INVALID_SUCCESSOR', 'FLOW_NOT_FOUND', 'FLOW_NOT_PUBLISHED', ...UPSTREAM],
    handle: async ({ number, params, body }) => ({
      status: 200,
      body: present.presentFlow(unwrap(await flows.deprecate(number, params.id, unwrap(body)))),
    }),
  })
}

/** DELETE /v1/flows/{id}. */
export function removeFlowRoute(flows: FlowCommands): Route {
  return route({
    ...WRITES,
    method: 'delete',
    path: '/v1/flows/{id}',
    name: 'deleteFlow',
    summary: 'Delete a draft, upstream too',
    description: 'What was submitted to it goes with it.',
    params: schema.flowParams,
    body: schema.noInput,
    answer: { status: 200, description: 'It is gone', schema: schema.deletedFlow, example: example.DELETED },
    refusals: DRAFT,
    async handle({ number, params, body }) {
      unwrap(body)
      return { status: 200, body: { deleted: true, id: unwrap(await flows.remove(number, params.id)) } }
    },
  })
}
