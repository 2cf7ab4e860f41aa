import type { LeadCommands } from '../../../commands/leads/leads.ts'
import type { RefusalCode } from '../../../domain/errors.ts'
import { unwrap } from '../../request/outcome.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'
import { dateIn } from '../date-range.ts'
import { scopeOf } from './deps.ts'
import * as example from './examples.ts'
import { PAGES, UPSTREAM } from './facts.ts'
import * as present from './present.ts'
import * as schema from './schema.ts'

const ONE: readonly RefusalCode[] = ['LEAD_PAGE_NOT_FOUND', 'LEAD_FORM_NOT_FOUND']

/** GET /v1/lead-pages/{pageId}/forms. */
export function formsRoute(leads: LeadCommands): Route {
  return route({
    ...PAGES,
    method: 'get',
    path: '/v1/lead-pages/{pageId}/forms',
    name: 'listLeadForms',
    summary: 'List the forms of a Page',
    description: 'Read upstream now, with what is set for each.',
    params: schema.pageParams,
    answer: { status: 200, description: 'The forms', schema: schema.forms, example: { forms: [example.FORM] } },
    refusals: ['LEAD_PAGE_NOT_FOUND', ...UPSTREAM],
    async handle({ caller, narrowedTo, params: { pageId } }) {
      const forms = unwrap(await leads.listForms(scopeOf(caller, narrowedTo), pageId))
      return { status: 200, body: { forms: forms.map((form) => present.presentForm(form, pageId)) } }
    },
  })
}

/** PUT /v1/lead-pages/{pageId}/forms/{formId}. */
export function setFormRoute(leads: LeadCommands): Route {
  return route({
    ...PAGES,
    method: 'put',
    path: '/v1/lead-pages/{pageId}/forms/{formId}',
    name: 'setLeadForm',
    summary: 'Set what leads of a form consent by and are answered with',
    description: 'Replaces both. Leads that are stored stay as they were decided.',
    params: schema.formParams,
    body: schema.formInput,
    bodyExamples: example.SETTINGS,
    answer: { status: 200, description: 'The form', schema: schema.form, example: example.FORM },
    refusals: [
      ...ONE,
      'TEMPLATE_NOT_FOUND',
      'TEMPLATE_NAME_AMBIGUOUS',
      'MISSING_TEMPLATE_VARIABLES',
      'INVALID_TEMPLATE_VARIABLE_VALUE',
      ...UPSTREAM,
    ],
    async handle({ caller, narrowedTo, params: { pageId, formId }, body: { consentKey, autoSend } }) {
      const given = autoSend
        ? {
            templateId: autoSend.templateId,
            variables: autoSend.variables ?? {},
            onlyWithConsent: autoSend.onlyWithConsent ?? true,
            skipRecentConversationDays: autoSend.skipRecentConversationDays ?? 0,
          }
        : null
      const form = unwrap(
        await leads.setForm(scopeOf(caller, narrowedTo), {
          pageId,
          formId,
          consentKey: consentKey ?? null,
          autoSend: given,
        }),
      )
      return { status: 200, body: present.presentForm(form, pageId) }
    },
  })
}

/** POST /v1/lead-pages/{pageId}/forms/{formId}/backfill. */
export function backfillRoute(leads: LeadCommands): Route {
  return route({
    ...PAGES,
    method: 'post',
    path: '/v1/lead-pages/{pageId}/forms/{formId}/backfill',
    name: 'startLeadBackfill',
    isIdempotent: true,
    summary: 'Import the leads of a form',
    description:
      'With their own dates. They cause no `lead.received` and are not answered; what is known already, or was erased, is passed over.',
    params: schema.formParams,
    body: schema.backfillInput,
    bodyExamples: example.BACKFILL,
    answer: {
      status: 202,
      description: 'The import, which runs on',
      schema: schema.backfill,
      example: example.STARTED,
    },
    refusals: ['INVALID_DATE_RANGE', ...ONE, 'BACKFILL_RUNNING', ...UPSTREAM],
    async handle({ caller, narrowedTo, params: { pageId, formId }, body }) {
      const [since, until] = [
        dateIn('since', body?.since, 'T00:00:00.000Z'),
        dateIn('until', body?.until, 'T23:59:59.999Z'),
      ]
      const backfill = unwrap(await leads.startBackfill(scopeOf(caller, narrowedTo), { pageId, formId, since, until }))
      return { status: 202, body: present.presentBackfill(backfill) }
    },
  })
}

/** GET /v1/lead-pages/{pageId}/forms/{formId}/backfill. */
export function readBackfillRoute(leads: LeadCommands): Route {
  return route({
    ...PAGES,
    method: 'get',
    path: '/v1/lead-pages/{pageId}/forms/{formId}/backfill',
    name: 'getLeadBackfill',
    summary: 'Read the newest import of a form',
    params: schema.formParams,
    answer: { status: 200, description: 'The import', schema: schema.backfill, examples: example.BACKFILLS },
    refusals: ['LEAD_PAGE_NOT_FOUND', 'BACKFILL_NOT_FOUND'],
    async handle({ caller, narrowedTo, params: { pageId, formId } }) {
      return {
        status: 200,
        body: present.presentBackfill(unwrap(await leads.readBackfill(scopeOf(caller, narrowedTo), pageId, formId))),
      }
    },
  })
}
