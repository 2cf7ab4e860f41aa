import type { LeadCommands } from '../../../commands/leads/leads.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { RANGE_CODES } from '../date-range.ts'
import { PAGE_CODES, pageOf } from '../paging.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

/** What the routes of leads use. */
interface LeadDeps {
  readonly leadCommands: LeadCommands
}

const READS = {
  group: 'Leads',
  access: { by: ['key', 'grant', 'session'], of: 'namedNumber' },
  permission: 'chat:read',
} as const

/** Leads of one number ([leads.routes.1] to [leads.routes.3]). */
export function leadRoutes({ leadCommands: leads }: LeadDeps): Route[] {
  return [list(leads), read(leads), erase(leads)]
}

function list(commands: LeadCommands): Route {
  return route({
    ...READS,
    method: 'get',
    path: '/v1/leads',
    name: 'listLeads',
    summary: 'List leads, newest first',
    description:
      'By when the person submitted the form. `total` counts every match; erased leads are neither listed nor counted.',
    query: schema.listQuery,
    queryCodes: { ...RANGE_CODES, ...PAGE_CODES },
    queryExample: 'startDate=2026-01-01&endDate=2030-01-31',
    answer: { status: 200, description: 'A page of leads', schema: schema.leadPage, examples: example.LIST },
    async handle({ number, query }) {
      const { formId = null, adId = null, pageId = null, startDate = null, endDate = null } = query
      const page = pageOf(query)
      const { leads, total, notice } = await commands.list(number.id, {
        ...page,
        formId,
        adId,
        pageId,
        startDate,
        endDate,
      })
      return { status: 200, body: present.presentLeads(leads, total, page, notice) }
    },
  })
}

function read(leads: LeadCommands): Route {
  return route({
    ...READS,
    method: 'get',
    path: '/v1/leads/{id}',
    name: 'getLead',
    summary: 'Read a lead',
    description: 'By our id; upstream’s is not known here.',
    params: schema.leadParams,
    answer: { status: 200, description: 'The lead', schema: schema.leadRead, examples: example.READ },
    refusals: ['LEAD_NOT_FOUND'],
    async handle({ number, params }) {
      const { lead, notice } = unwrap(await leads.read(number.id, params.id))
      return { status: 200, body: present.presentLead(lead, notice) }
    },
  })
}

function erase(leads: LeadCommands): Route {
  return route({
    ...READS,
    method: 'delete',
    path: '/v1/leads/{id}',
    name: 'eraseLead',
    permission: 'leads:manage',
    summary: 'Erase a lead for good',
    description: 'Every personal field, its stored event and the logs of that. It is never imported again.',
    params: schema.leadParams,
    answer: { status: 200, description: 'It is erased', schema: schema.deletedLead, example: example.DELETED },
    refusals: ['LEAD_NOT_FOUND'],
    handle: async ({ number, params }) => ({
      status: 200,
      body: { deleted: true, id: unwrap(await leads.erase(number.id, params.id)) },
    }),
  })
}
