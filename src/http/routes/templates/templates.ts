import type { TemplateCommands } from '../../../commands/templates/templates.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { BODY_MEDIA_BYTES } from '../../../domain/limits.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { PAGE_CODES, pageOf } from '../paging.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'
import { createTemplateRoute, removeTemplateRoute, RULES, updateTemplateRoute } from './writing.ts'

const GROUP = 'Templates'
const ONE: readonly RefusalCode[] = ['TEMPLATE_NOT_FOUND', 'TEMPLATE_NAME_AMBIGUOUS']

/** What the routes of templates use. */
export interface TemplateDeps {
  readonly templateCommands: TemplateCommands
}

/** Templates of the number's account, or of the UNOFFICIAL number itself ([templates.scope.1]). */
export function templateRoutes({ templateCommands: templates }: TemplateDeps): Route[] {
  return [
    createTemplateRoute(templates),
    preview(templates),
    sync(templates),
    list(templates),
    read(templates),
    updateTemplateRoute(templates),
    removeTemplateRoute(templates),
  ]
}

function preview(templates: TemplateCommands): Route {
  return route({
    method: 'post',
    path: '/v1/templates/preview',
    name: 'previewTemplate',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'templates:read',
    bodyBytes: BODY_MEDIA_BYTES,
    summary: 'Check a template and see it filled',
    description: 'Every check of the creation that fetches nothing. Nothing is stored, nothing is submitted.',
    body: schema.previewInput,
    bodyExamples: example.PREVIEW,
    answer: {
      status: 200,
      description: 'The template as it will look',
      schema: schema.previewAnswer,
      example: example.PREVIEWED,
    },
    refusals: RULES,
    async handle({ number, body: { name, category, language, body, examples, variables } }) {
      return {
        status: 200,
        body: unwrap(await templates.preview(number, { name, category, language, body, examples }, variables)),
      }
    },
  })
}

function sync(templates: TemplateCommands): Route {
  return route({
    method: 'post',
    path: '/v1/templates/sync',
    name: 'syncTemplates',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'templates:manage',
    capability: 'templateReview',
    summary: 'Import the templates of the account',
    description:
      'OFFICIAL numbers only. It also happens when a number is connected, every hour, and every ten minutes while something is under review.',
    answer: { status: 200, description: 'What changed here', schema: schema.syncAnswer, example: example.SYNCED },
    refusals: ['OFFICIAL_ERROR', 'OFFICIAL_THROTTLED'],
    handle: async ({ number }) => ({ status: 200, body: unwrap(await templates.sync(number)) }),
  })
}

function list(templates: TemplateCommands): Route {
  return route({
    method: 'get',
    path: '/v1/templates',
    name: 'listTemplates',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'templates:read',
    summary: 'List templates, newest first',
    query: schema.listQuery,
    queryCodes: PAGE_CODES,
    queryExample: 'officialStatus=APPROVED&sendable=true',
    answer: { status: 200, description: 'A page of templates', schema: schema.templatePage, example: example.LIST },
    async handle({ number, query }) {
      const { name = null, category = null, language = null, source = null, officialStatus = null, sendable } = query
      const page = pageOf(query)
      const filter = {
        name,
        category,
        language,
        source,
        officialStatus,
        sendable: sendable === undefined ? null : sendable === 'true',
      }
      const { items, total } = await templates.list(number, { ...page, ...filter })
      return {
        status: 200,
        body: {
          templates: items.map(present.presentTemplate),
          total,
          ...page,
          totalPages: Math.ceil(total / page.pageSize),
        },
      }
    },
  })
}

function read(templates: TemplateCommands): Route {
  return route({
    method: 'get',
    path: '/v1/templates/{id}',
    name: 'getTemplate',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'templates:read',
    summary: 'Read a template',
    params: schema.templateParams,
    query: schema.readQuery,
    answer: { status: 200, description: 'The template', schema: schema.template, examples: example.READ },
    refusals: [...ONE, 'OFFICIAL_ERROR', 'OFFICIAL_THROTTLED'],
    async handle({ number, params, query }) {
      const found = unwrap(await templates.find(number, params.id, query.language ?? null))
      return {
        status: 200,
        body: present.presentTemplate(query.refresh === '1' ? unwrap(await templates.refresh(number, found)) : found),
      }
    },
  })
}
