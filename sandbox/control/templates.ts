import { z } from 'zod'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import { reviewOptionsSchema, templateTurnSchema } from '../official/templates/template-review.ts'
import { PARAMETER_FORMATS, type PlatformTemplate } from '../official/templates/template.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type ControlAnswer, type ControlRequest, type Route } from './router.ts'

/** Body of `POST /control/official/templates`: a template that no rule checks. */
const givenSchema = z.object({
  accountId: z.string().optional(),
  name: z.string().min(1),
  language: z.string().min(1).default('en_US'),
  category: z.string().min(1).default('UTILITY'),
  status: z.string().min(1).default('APPROVED'),
  parameterFormat: z.enum(PARAMETER_FORMATS).default('POSITIONAL'),
  components: z.array(z.looseObject({ type: z.string() })).min(1),
})
const seedSchema = z.object({
  /** our choice: more than upstream allows an account. */
  count: z.int().min(1).max(10_000),
  account: z.string().optional(),
  prefix: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/)
    .default('seeded'),
  language: z.string().min(1).default('en_US'),
})

function presentTemplate(template: PlatformTemplate) {
  const {
    id,
    accountId,
    name,
    language,
    category,
    status,
    components,
    parameterFormat,
    quality,
    rejectedReason,
    previousCategory,
    correctCategory,
  } = template
  return {
    id,
    accountId,
    name,
    language,
    category,
    status,
    components,
    parameterFormat,
    quality,
    rejectedReason,
    previousCategory,
    correctCategory,
  }
}

/** The account asked for, or the only one. */
function accountIdOf({ registry }: OfficialPlatform, asked: string | undefined): string {
  const accounts = registry.accounts()
  const account = asked === undefined && accounts.length === 1 ? accounts[0] : registry.account(asked ?? '')
  if (!account)
    throw new ControlRefusal(
      404,
      'ACCOUNT_NOT_FOUND',
      'There is no such account, or there are several and none is named',
    )
  return account.id
}

/** Finds a template by its id, or by its name and, when several have it, language and account. */
function findTemplate(
  { templates }: OfficialPlatform,
  named: string,
  { language, accountId }: { language?: string | undefined; accountId?: string | undefined },
): PlatformTemplate {
  const wanted = language?.replace('-', '_')
  const found = templates.shelf
    .all()
    .filter(
      (template) =>
        template.id === named
        || (template.name === named
          && (wanted === undefined || template.language === wanted)
          && (accountId === undefined || template.accountId === accountId)),
    )
  const [template] = found
  if (!template) throw new ControlRefusal(404, 'TEMPLATE_NOT_FOUND', 'There is no such template')
  if (found.length > 1)
    throw new ControlRefusal(
      409,
      'TEMPLATE_NAME_AMBIGUOUS',
      'Several templates have this name: `language` or `accountId` tells which',
      { languages: found.map((one) => one.language) },
    )
  return template
}

function turn(official: OfficialPlatform, { params, body }: ControlRequest): ControlAnswer {
  const wanted = readBody(templateTurnSchema, body)
  const template = findTemplate(official, params['template'] ?? '', wanted)
  official.templates.review.turn(template, wanted)
  return json(200, presentTemplate(template))
}

function put(official: OfficialPlatform, { body }: ControlRequest): ControlAnswer {
  const { accountId: asked, ...given } = readBody(givenSchema, body)
  const accountId = accountIdOf(official, asked)
  if (official.templates.shelf.named(accountId, given.name, given.language))
    throw new ControlRefusal(409, 'TEMPLATE_EXISTS', 'There is such a template already')
  return json(201, presentTemplate(official.templates.put({ ...given, accountId })))
}

function seed(official: OfficialPlatform, { body }: ControlRequest): ControlAnswer {
  const { count, account, prefix, language } = readBody(seedSchema, body)
  const { templates } = official
  const accountId = accountIdOf(official, account)
  const before = templates.shelf.count(accountId)
  const components = [
    { type: 'BODY', text: 'Hello {{1}}, your order is on its way.', example: { body_text: [['Ana']] } },
  ]
  for (let made = 1; made <= count; made++) {
    const name = `${prefix}_${String(before + made).padStart(6, '0')}`
    templates.put({
      accountId,
      name,
      language,
      category: 'UTILITY',
      status: 'APPROVED',
      parameterFormat: 'POSITIONAL',
      components,
    })
  }
  return json(201, { seeded: count, total: templates.shelf.count(accountId) })
}

/** Routes that play upstream's part in templates: reviews, and later changes. */
export function templateRoutes(official: OfficialPlatform): Route[] {
  const { templates } = official
  return [
    {
      method: 'POST',
      path: '/control/official/review',
      answer: ({ body }) => {
        const options = readBody(reviewOptionsSchema, body)
        templates.review.configure(options)
        return json(200, options)
      },
    },
    {
      method: 'GET',
      path: '/control/official/templates',
      answer: ({ query }) => {
        const [name, accountId] = [query.get('name'), query.get('accountId')]
        const found = templates.shelf
          .all()
          .filter((one) => (name === null || one.name === name) && (accountId === null || one.accountId === accountId))
        return json(200, { templates: found.map(presentTemplate) })
      },
    },
    { method: 'POST', path: '/control/official/templates', answer: (request) => put(official, request) },
    { method: 'POST', path: '/control/official/templates/seed', answer: (request) => seed(official, request) },
    { method: 'POST', path: '/control/official/templates/:template', answer: (request) => turn(official, request) },
  ]
}
