import type { FlowCommands } from '../../../commands/flows/flows.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { RANGE_CODES } from '../date-range.ts'
import { PAGE_CODES, pageOf } from '../paging.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { uploadRoute } from './uploading.ts'
import {
  createFlowRoute,
  deprecateFlowRoute,
  patchFlowRoute,
  publishFlowRoute,
  READS,
  removeFlowRoute,
  syncFlowsRoute,
  UPSTREAM,
} from './writing.ts'

/** What the routes of Flows use. */
export interface FlowDeps {
  readonly flowCommands: FlowCommands
}

/** Flows of the number's account, and what customers submitted to the number (docs/contract/flows.md). */
export function flowRoutes({ flowCommands: flows }: FlowDeps): Route[] {
  return [
    createFlowRoute(flows),
    syncFlowsRoute(flows),
    list(flows),
    read(flows),
    patchFlowRoute(flows),
    document(flows),
    uploadRoute(flows),
    publishFlowRoute(flows),
    deprecateFlowRoute(flows),
    removeFlowRoute(flows),
    responses(flows),
  ]
}

function list(flows: FlowCommands): Route {
  return route({
    ...READS,
    method: 'get',
    path: '/v1/flows',
    name: 'listFlows',
    summary: 'List Flows, newest first',
    query: schema.listQuery,
    queryCodes: PAGE_CODES,
    queryExample: 'officialStatus=PUBLISHED',
    answer: { status: 200, description: 'A page of Flows', schema: schema.flowPage, example: example.LIST },
    async handle({ number, query }) {
      const page = pageOf(query)
      const { items, total } = await flows.list(number, { ...page, officialStatus: query.officialStatus ?? null })
      return {
        status: 200,
        body: { flows: items.map(present.presentFlow), total, ...page, totalPages: Math.ceil(total / page.pageSize) },
      }
    },
  })
}

function read(flows: FlowCommands): Route {
  return route({
    ...READS,
    method: 'get',
    path: '/v1/flows/{id}',
    name: 'getFlow',
    summary: 'Read a Flow',
    params: schema.flowParams,
    query: schema.readQuery,
    answer: { status: 200, description: 'The Flow', schema: schema.flow, examples: example.READ },
    refusals: ['FLOW_NOT_FOUND', ...UPSTREAM],
    async handle({ number, params, query }) {
      const found = unwrap(await flows.find(number, params.id))
      return {
        status: 200,
        body: present.presentFlow(query.refresh === '1' ? unwrap(await flows.refresh(number, found)) : found),
      }
    },
  })
}

function document(flows: FlowCommands): Route {
  return route({
    ...READS,
    method: 'get',
    path: '/v1/flows/{id}/json',
    name: 'getFlowDocument',
    summary: 'Read the document of a Flow',
    description: 'As the platform holds it, byte for byte.',
    params: schema.flowParams,
    answer: { status: 200, description: 'The document', schema: schema.document, example: example.DOCUMENT_READ },
    refusals: ['FLOW_NOT_FOUND', ...UPSTREAM],
    handle: async ({ number, params }) => ({
      status: 200,
      body: { flowJson: unwrap(await flows.readDocument(number, params.id)) },
    }),
  })
}

function responses(flows: FlowCommands): Route {
  return route({
    ...READS,
    method: 'get',
    path: '/v1/flows/{id}/responses',
    name: 'listFlowResponses',
    summary: 'List what customers submitted, newest first',
    description:
      'What the key’s own number received, for as long as its privacy keeps it. The dates are those of the submission.',
    params: schema.flowParams,
    query: schema.responsesQuery,
    queryCodes: { ...RANGE_CODES, ...PAGE_CODES },
    queryExample: 'startDate=2026-01-01&endDate=2030-01-31',
    answer: { status: 200, description: 'A page of answers', schema: schema.responsePage, examples: example.RESPONSES },
    refusals: ['FLOW_NOT_FOUND'],
    async handle({ number, params, query }) {
      const flow = unwrap(await flows.find(number, params.id))
      const page = pageOf(query)
      const { items, total, isRelayOnly } = await flows.responses(number, flow.id, {
        ...page,
        startDate: query.startDate ?? null,
        endDate: query.endDate ?? null,
      })
      const body = {
        responses: items.map(present.presentResponse),
        total,
        ...page,
        totalPages: Math.ceil(total / page.pageSize),
      }
      return { status: 200, body: isRelayOnly ? { ...body, notice: 'PII_RELAY_ONLY' } : body }
    },
  })
}
