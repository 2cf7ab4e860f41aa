import type { TemplateCommands } from '../../../commands/templates/templates.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { BODY_MEDIA_BYTES } from '../../../domain/limits.ts'
import { templateRuleRows } from '../../../domain/template-rules.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import * as example from './examples.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

const GROUP = 'Templates'
const MEDIA: readonly RefusalCode[] = [
  'MEDIA_URL_FORBIDDEN',
  'MEDIA_DOWNLOAD_FAILED',
  'MEDIA_UNSUPPORTED',
  'MEDIA_TOO_LARGE',
  'TEMPLATE_CARD_MEDIA_REFUSED',
]
/** Refusals of a template before anything is fetched ([templates.checks.1]). */
export const RULES: readonly RefusalCode[] = [
  'TEMPLATE_NAME_INVALID',
  'TEMPLATE_LANGUAGE_INVALID',
  'FEATURE_NOT_SUPPORTED',
  ...templateRuleRows().map(({ code }) => code),
]
const UPSTREAM: readonly RefusalCode[] = [
  'OFFICIAL_APP_ID_REQUIRED',
  'OFFICIAL_TEMPLATE_SUBMIT_FAILED',
  'OFFICIAL_ERROR',
  'OFFICIAL_THROTTLED',
]
const ONE: readonly RefusalCode[] = ['TEMPLATE_NOT_FOUND', 'TEMPLATE_NAME_AMBIGUOUS']

/** POST /v1/templates. */
export function createTemplateRoute(templates: TemplateCommands): Route {
  return route({
    method: 'post',
    path: '/v1/templates',
    name: 'createTemplate',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'templates:manage',
    isIdempotent: true,
    bodyBytes: BODY_MEDIA_BYTES,
    summary: 'Create a template',
    description:
      'Every rule that upstream is known to have is checked before anything is fetched or submitted, and everything wrong is told at once in `details.faults`. '
      + 'On an OFFICIAL number it is submitted for review; on an UNOFFICIAL one it is sendable at once.',
    body: schema.createInput,
    bodyExamples: example.CREATE,
    answer: { status: 201, description: 'The template', schema: schema.template, examples: example.CREATED },
    refusals: [...RULES, 'TEMPLATE_ALREADY_EXISTS', 'TEMPLATE_NAME_BEING_DELETED', ...MEDIA, ...UPSTREAM],
    async handle({ number, body: { name, category, language, body, examples } }) {
      return {
        status: 201,
        body: present.presentTemplate(
          unwrap(await templates.create(number, { name, category, language, body, examples })),
        ),
      }
    },
  })
}

/** PUT /v1/templates/{id}. */
export function updateTemplateRoute(templates: TemplateCommands): Route {
  return route({
    method: 'put',
    path: '/v1/templates/{id}',
    name: 'updateTemplate',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'templates:manage',
    bodyBytes: BODY_MEDIA_BYTES,
    summary: 'Replace the wording of a template',
    description:
      'What a read gives can be sent back. An OFFICIAL template changes once upstream took the new wording, and is reviewed anew; messages accepted before go out as they were accepted.',
    params: schema.templateParams,
    query: schema.oneQuery,
    body: schema.updateInput,
    bodyExample: example.UPDATE,
    answer: {
      status: 200,
      description: 'The template as it is now',
      schema: schema.template,
      examples: example.CREATED,
    },
    refusals: [
      ...ONE,
      'TEMPLATE_CATEGORY_FIXED',
      'TEMPLATE_IDENTITY_FIXED',
      'TEMPLATE_NOT_EDITABLE',
      ...RULES,
      ...MEDIA,
      ...UPSTREAM,
    ],
    async handle({ number, params, query, body: { name = null, category = null, language = null, body, examples } }) {
      const changed = await templates.update({
        number,
        idOrName: params.id,
        languageAsked: query.language ?? null,
        name,
        category,
        language,
        body,
        examples,
      })
      return { status: 200, body: present.presentTemplate(unwrap(changed)) }
    },
  })
}

/** DELETE /v1/templates/{id}. */
export function removeTemplateRoute(templates: TemplateCommands): Route {
  return route({
    method: 'delete',
    path: '/v1/templates/{id}',
    name: 'deleteTemplate',
    group: GROUP,
    access: { by: ['key', 'grant', 'session'], of: 'number' },
    permission: 'templates:manage',
    summary: 'Delete a template, upstream too',
    description: 'Other languages of its name stay. Only 200 says that it is gone; with 409 nothing was removed.',
    params: schema.templateParams,
    query: schema.oneQuery,
    answer: { status: 200, description: 'It is gone', schema: schema.deletedTemplate, example: example.DELETED },
    refusals: [...ONE, 'TEMPLATE_NOT_EDITABLE', 'TEMPLATE_DELETION_REFUSED', 'OFFICIAL_ERROR', 'OFFICIAL_THROTTLED'],
    async handle({ number, params, query }) {
      return {
        status: 200,
        body: { deleted: true, id: unwrap(await templates.remove(number, params.id, query.language ?? null)) },
      }
    },
  })
}
