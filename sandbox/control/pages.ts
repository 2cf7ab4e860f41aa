import { z } from 'zod'
import type { PlatformForm, PlatformPage } from '../official/leads/page.ts'
import type { OfficialPlatform } from '../official/platform/platform.ts'
import { ControlRefusal } from './refusal.ts'
import { json, readBody, type ControlAnswer, type ControlRequest, type Route } from './router.ts'

const questionSchema = z
  .object({ key: z.string().min(1), label: z.string().optional(), type: z.string().min(1).default('CUSTOM') })
  .transform(({ key, label = key, type }) => ({ key, label, type }))
const questionsSchema = z.array(questionSchema)
const checkboxesSchema = z.array(
  z.object({ key: z.string().min(1), text: z.string().default(''), isRequired: z.boolean().default(false) }),
)
const formSchema = z.object({
  name: z.string().min(1).default('Sandbox form'),
  questions: questionsSchema.default([]),
  checkboxes: checkboxesSchema.default([]),
})
/** Body of `POST /control/official/pages`. */
const pageSchema = z.object({
  name: z.string().min(1).default('Sandbox Page'),
  appId: z
    .string()
    .regex(/^\d{1,30}$/)
    .optional(),
  appSecret: z.string().min(1).optional(),
  forms: z.array(formSchema).default([]),
})
const pagePatchSchema = z.object({
  name: z.string().min(1).optional(),
  /** Replaces the token, so that the old one opens nothing any more. */
  accessToken: z.string().min(1).optional(),
  /** True while the token answers 190. */
  isTokenExpired: z.boolean().optional(),
  /** Fields of the Page that the app is subscribed to, set without the API; empty when it is not subscribed. */
  subscribedFields: z.array(z.string()).optional(),
})
/** Given fields replace the old ones. */
const formPatchSchema = z
  .object({
    name: z.string().min(1),
    status: z.string().min(1),
    questions: questionsSchema,
    checkboxes: checkboxesSchema,
  })
  .partial()

function presentForm({ id, pageId, name, status, questions, checkboxes }: PlatformForm) {
  return { formId: id, pageId, name, status, questions, checkboxes }
}

function presentPage({ registry, leadAds: { pages } }: OfficialPlatform, page: PlatformPage) {
  const app = registry.appById(page.appId)
  return {
    pageId: page.id,
    name: page.name,
    pageAccessToken: page.token,
    isTokenExpired: page.isTokenExpired,
    appId: page.appId,
    appSecret: app?.secret ?? null,
    subscribedFields: [...(page.subscribedFields ?? [])],
    callbackUrl: app?.pageWebhook?.callbackUrl ?? null,
    forms: pages.formsOf(page).toReversed().map(presentForm),
  }
}

/** Finds a Page by its id. */
export function findPage({ leadAds: { pages } }: OfficialPlatform, id: string = ''): PlatformPage {
  const page = pages.find(id)
  if (!page) throw new ControlRefusal(404, 'PAGE_NOT_FOUND', 'There is no such Page')
  return page
}

/** Finds a form by its id. */
export function findForm({ leadAds: { pages } }: OfficialPlatform, id: string = ''): PlatformForm {
  const form = pages.form(id)
  if (!form) throw new ControlRefusal(404, 'FORM_NOT_FOUND', 'There is no such form')
  return form
}

function addPage(official: OfficialPlatform, { body }: ControlRequest): ControlAnswer {
  const { name, appId, appSecret, forms } = readBody(pageSchema, body)
  const page = official.leadAds.pages.add(official.registry.addApp({ appId, appSecret }).id, name)
  for (const form of forms) official.leadAds.pages.addForm(page, form)
  return json(201, presentPage(official, page))
}

/** Routes that make Pages and their forms, and change them. */
export function pageRoutes(official: OfficialPlatform): Route[] {
  const { pages } = official.leadAds
  return [
    { method: 'POST', path: '/control/official/pages', answer: (request) => addPage(official, request) },
    {
      method: 'GET',
      path: '/control/official/pages',
      answer: () => json(200, { pages: pages.all().map((page) => presentPage(official, page)) }),
    },
    {
      method: 'PATCH',
      path: '/control/official/pages/:pageId',
      answer: ({ params, body }) => {
        const page = findPage(official, params['pageId'])
        pages.patch(page, readBody(pagePatchSchema, body))
        return json(200, presentPage(official, page))
      },
    },
    {
      method: 'POST',
      path: '/control/official/pages/:pageId/forms',
      answer: ({ params, body }) =>
        json(201, presentForm(pages.addForm(findPage(official, params['pageId']), readBody(formSchema, body)))),
    },
    {
      method: 'PATCH',
      path: '/control/official/forms/:formId',
      answer: ({ params, body }) => {
        const form = findForm(official, params['formId'])
        pages.patchForm(form, readBody(formPatchSchema, body))
        return json(200, presentForm(form))
      },
    },
  ]
}
