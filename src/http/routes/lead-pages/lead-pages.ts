import { findNumber } from '../../middlewares/number-known.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { namedNumber, scopeOf } from './deps.ts'
import type { LeadPageDeps } from './deps.ts'
import * as example from './examples.ts'
import { PAGES, UPSTREAM } from './facts.ts'
import { backfillRoute, formsRoute, readBackfillRoute, setFormRoute } from './forms.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

/** Linked Pages and the settings of their forms ([leads.routes.4] to [leads.routes.11]). */
export function leadPageRoutes(deps: LeadPageDeps): Route[] {
  return [
    link(deps),
    list(deps),
    read(deps),
    patch(deps),
    remove(deps),
    formsRoute(deps.leadCommands),
    setFormRoute(deps.leadCommands),
    backfillRoute(deps.leadCommands),
    readBackfillRoute(deps.leadCommands),
  ]
}

function link({ leadCommands, numbers, baseUrl }: LeadPageDeps): Route {
  return route({
    ...PAGES,
    method: 'post',
    path: '/v1/lead-pages',
    name: 'linkLeadPage',
    isIdempotent: true,
    summary: 'Link a Page to a number',
    description:
      'Its leads belong to that number. Checks the token upstream, subscribes the Page, and the app where it delivers nowhere yet; another callback of the app is never overwritten.',
    body: schema.linkInput,
    bodyExamples: example.LINK,
    answer: {
      status: 201,
      description: 'The Page, and what upstream verifies its webhook with',
      schema: schema.createdPage,
      example: example.LINKED,
    },
    refusals: ['NUMBER_REQUIRED', 'NUMBER_MISMATCH', 'LEAD_PAGE_ALREADY_LINKED', ...UPSTREAM],
    async handle({ caller, narrowedTo, body }) {
      const number = await findNumber(numbers, caller, unwrap(namedNumber(body.channelNumberId, narrowedTo)))
      const { page, verifyToken } = unwrap(
        await leadCommands.linkPage({
          number,
          pageId: body.pageId,
          accessToken: body.pageAccessToken,
          appId: body.appId ?? undefined,
          appSecret: body.appSecret ?? undefined,
        }),
      )
      return { status: 201, body: { ...present.presentPage(page, baseUrl), verifyToken } }
    },
  })
}

function list({ leadCommands, baseUrl }: LeadPageDeps): Route {
  return route({
    ...PAGES,
    method: 'get',
    path: '/v1/lead-pages',
    name: 'listLeadPages',
    summary: 'List linked Pages',
    description: 'Those of all numbers of the tenant; with `x-channel-number-id` those of that one.',
    query: schema.readQuery,
    answer: { status: 200, description: 'The Pages', schema: schema.leadPage.array(), example: [example.PAGE] },
    refusals: ['OFFICIAL_ERROR', 'OFFICIAL_THROTTLED'],
    async handle({ caller, narrowedTo, query }) {
      const scope = scopeOf(caller, narrowedTo)
      const pages =
        query.refresh === '1' ? unwrap(await leadCommands.refreshPages(scope)) : await leadCommands.listPages(scope)
      return { status: 200, body: pages.map((page) => present.presentPage(page, baseUrl)) }
    },
  })
}

function read({ leadCommands, baseUrl }: LeadPageDeps): Route {
  return route({
    ...PAGES,
    method: 'get',
    path: '/v1/lead-pages/{pageId}',
    name: 'getLeadPage',
    summary: 'Read a linked Page',
    params: schema.pageParams,
    query: schema.readQuery,
    answer: { status: 200, description: 'The Page', schema: schema.leadPage, examples: example.READ },
    refusals: ['LEAD_PAGE_NOT_FOUND', ...UPSTREAM],
    async handle({ caller, narrowedTo, params, query }) {
      const find = query.refresh === '1' ? leadCommands.refreshPage : leadCommands.findPage
      return {
        status: 200,
        body: present.presentPage(unwrap(await find(scopeOf(caller, narrowedTo), params.pageId)), baseUrl),
      }
    },
  })
}

function patch({ leadCommands, numbers, baseUrl }: LeadPageDeps): Route {
  return route({
    ...PAGES,
    method: 'patch',
    path: '/v1/lead-pages/{pageId}',
    name: 'updateLeadPage',
    summary: 'Change the number, the token or the app secret of a Page',
    description:
      'A new token or secret is checked upstream as the first was; what waits for a token is fetched at once. Leads that are stored stay with their number.',
    params: schema.pageParams,
    body: schema.patchInput,
    bodyExamples: example.CHANGE,
    answer: { status: 200, description: 'The Page as it is now', schema: schema.leadPage, example: example.PAGE },
    refusals: ['LEAD_PAGE_NOT_FOUND', 'NUMBER_MISMATCH', ...UPSTREAM],
    async handle({ caller, narrowedTo, params, body }) {
      const moved =
        typeof body.channelNumberId === 'string'
          ? await findNumber(numbers, caller, unwrap(namedNumber(body.channelNumberId, narrowedTo)))
          : null
      const changed = unwrap(
        await leadCommands.patchPage(scopeOf(caller, narrowedTo), params.pageId, {
          channelNumberId: moved?.id,
          accessToken: body.pageAccessToken ?? undefined,
          appSecret: body.appSecret ?? undefined,
        }),
      )
      return { status: 200, body: present.presentPage(changed, baseUrl) }
    },
  })
}

function remove({ leadCommands }: LeadPageDeps): Route {
  return route({
    ...PAGES,
    method: 'delete',
    path: '/v1/lead-pages/{pageId}',
    name: 'unlinkLeadPage',
    summary: 'Unlink a Page',
    description: 'Its leads stay. What upstream told of and was not read yet is dropped.',
    params: schema.pageParams,
    answer: { status: 200, description: 'It is gone', schema: schema.deletedPage, example: example.DELETED },
    refusals: ['LEAD_PAGE_NOT_FOUND'],
    async handle({ caller, narrowedTo, params }) {
      return {
        status: 200,
        body: {
          deleted: true,
          id: unwrap(await leadCommands.removePage(scopeOf(caller, narrowedTo), params.pageId)),
        },
      }
    },
  })
}
