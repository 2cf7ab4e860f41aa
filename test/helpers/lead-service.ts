import { randomInt } from 'node:crypto'
import { newPeer } from './message-service.ts'
import type { PairedNumber, Service } from './service.ts'
import { taken } from './template-service.ts'
import { until } from './until.ts'

/** What forms of stories ask. */
export const QUESTIONS = [
  { key: 'full_name', label: 'Your name', type: 'FULL_NAME' },
  { key: 'email', label: 'Your e-mail', type: 'EMAIL' },
  { key: 'phone_number', label: 'Your phone', type: 'PHONE' },
  { key: 'model', label: 'Which model?', type: 'CUSTOM' },
]
export const CHECKBOXES = [
  { key: 'may_message', text: 'You may write to me', isRequired: false },
  { key: 'news', text: 'News, too', isRequired: false },
]

/** A Page of the sandbox, with one form. */
export interface SeededPage {
  readonly pageId: string
  readonly pageAccessToken: string
  readonly appId: string
  readonly appSecret: string
  readonly formId: string
  readonly forms: readonly { readonly formId: string }[]
}

/** A Page that is linked to a number. */
export interface LinkedPage extends SeededPage {
  readonly number: PairedNumber
  /** The answer to its link. */
  readonly created: any
}

/** A Page that nobody linked yet; its app is its own unless `seed` names one. */
export async function seedPage(service: Service, seed: object = {}): Promise<SeededPage> {
  const forms = [{ name: 'Test drive', questions: QUESTIONS, checkboxes: CHECKBOXES }]
  const page = taken(
    await service.control('POST', '/official/pages', {
      name: 'Shop',
      appId: String(randomInt(1e12, 9e12)),
      forms,
      ...seed,
    }),
    201,
  )
  return { ...page, formId: page.forms[0]?.formId }
}

/** One more form of a Page. Answers its id. */
export async function addForm(
  service: Service,
  { pageId }: Pick<SeededPage, 'pageId'>,
  form: object = {},
): Promise<string> {
  return taken(
    await service.control('POST', `/official/pages/${pageId}/forms`, {
      name: 'Another',
      questions: QUESTIONS,
      checkboxes: CHECKBOXES,
      ...form,
    }),
    201,
  ).formId
}

/** What links a seeded Page to a number. */
export function linkBody(
  { pageId, pageAccessToken, appId, appSecret }: SeededPage,
  { id }: Pick<PairedNumber, 'id'>,
): Record<string, unknown> {
  return { pageId, pageAccessToken, appId, appSecret, channelNumberId: id }
}

/** Seeds a Page and links it. */
export async function linkPage(
  service: Service,
  number: PairedNumber,
  seed: object = {},
  tenantKey: string = service.tenantKey,
): Promise<LinkedPage> {
  const page = await seedPage(service, seed)
  const created = taken(await service.api('POST', '/v1/lead-pages', tenantKey, linkBody(page, number)), 201)
  if (created.webhook.status !== 'SUBSCRIBED') throw new Error(`not subscribed: ${JSON.stringify(created)}`)
  return { ...page, number, created }
}

/** A Page of the service as it is now. */
export async function readPage(service: Service, { pageId }: Pick<SeededPage, 'pageId'>): Promise<any> {
  return taken(await service.api('GET', `/v1/lead-pages/${pageId}`, service.tenantKey), 200)
}

/** What leads of the form are answered with, and which checkbox says yes. */
export async function setForm(
  service: Service,
  { pageId, formId }: Pick<SeededPage, 'pageId' | 'formId'>,
  settings: object,
  tenantKey: string = service.tenantKey,
): Promise<any> {
  return taken(
    await service.api('PUT', `/v1/lead-pages/${pageId}/forms/${formId}`, tenantKey, {
      consentKey: null,
      autoSend: null,
      ...settings,
    }),
    200,
  )
}

/** A peer submits the Page's form. Answers upstream's id of the lead. */
export async function submitLead(
  service: Service,
  { formId }: Pick<SeededPage, 'formId'>,
  lead: object = {},
  peer: string = newPeer(),
): Promise<string> {
  return taken(await service.control('POST', `/peers/${peer}/leads`, { formId, ...lead }), 201).leadgenId
}

/** Upstream tells of a lead once more. */
export async function tellAgain(service: Service, leadgenId: string): Promise<void> {
  taken(await service.control('POST', `/official/leads/${leadgenId}/notice`), 202)
}

/** Leads of a number as it sees them, newest first: up to 100. */
export async function leadsOf(service: Service, number: PairedNumber, query = ''): Promise<any[]> {
  return taken(await service.api('GET', `/v1/leads?pageSize=100${query}`, number.key), 200).leads
}

/** Waits until the number has the lead, and answers it. */
export async function untilLead(
  service: Service,
  number: PairedNumber,
  leadgenId: string,
  isSo: (lead: any) => boolean = () => true,
): Promise<any> {
  let last: unknown = null
  return await until(`lead ${leadgenId} is as it is to be`, async () => {
    last = (await leadsOf(service, number)).find((lead) => lead.leadgenId === leadgenId) ?? null
    return last !== null && isSo(last) ? last : null
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(last)}`)
  })
}

/** Starts an import of the form's leads. */
export async function startBackfill(
  service: Service,
  { pageId, formId }: Pick<SeededPage, 'pageId' | 'formId'>,
  range?: object,
  tenantKey: string = service.tenantKey,
): Promise<any> {
  return taken(await service.api('POST', `/v1/lead-pages/${pageId}/forms/${formId}/backfill`, tenantKey, range), 202)
}

/** Waits until the newest import of the form has ended, and answers it. */
export async function untilBackfilled(
  service: Service,
  { pageId, formId }: Pick<SeededPage, 'pageId' | 'formId'>,
  tenantKey: string = service.tenantKey,
): Promise<any> {
  return await until(`the import of form ${formId} has ended`, async () => {
    const backfill = taken(
      await service.api('GET', `/v1/lead-pages/${pageId}/forms/${formId}/backfill`, tenantKey),
      200,
    )
    return backfill.status === 'RUNNING' ? null : backfill
  })
}

/** An ad upstream, and the token that its account is shared with. */
export async function seedAd(service: Service, ad: object = {}): Promise<any> {
  return taken(
    await service.control('POST', '/official/ads', {
      name: 'Spring',
      adset: { name: 'Young' },
      campaign: { name: 'All' },
      ...ad,
    }),
    201,
  )
}

/** Shares an account of ads with its token, or takes it back; names may take their time. */
export async function changeAdAccount(
  service: Service,
  { adAccountId }: { readonly adAccountId: string },
  change: object,
): Promise<void> {
  taken(await service.control('PATCH', `/official/ad-accounts/${adAccountId}`, change), 200)
}

/**
 * Changes a Page upstream: its token dies or lives again (`isTokenExpired`), is another one (`accessToken`), its app
 * hears of other fields.
 */
export async function changePage(
  service: Service,
  { pageId }: Pick<SeededPage, 'pageId'>,
  change: object,
): Promise<void> {
  taken(await service.control('PATCH', `/official/pages/${pageId}`, change), 200)
}

/** The next requests of the operation on this id fail. `id`: of the Page, the form, the lead, the ad or the app. */
export async function failLeads(service: Service, op: string, id: string, fault: object): Promise<void> {
  taken(await service.control('POST', '/faults', { match: { op, path: `/official/v24.0/${id}` }, ...fault }), 201)
}

/** What upstream was asked, oldest first. `id`: as `failLeads` has it. */
export async function leadRequests(service: Service, op: string, id: string): Promise<any[]> {
  return (await service.control('GET', `/requests?op=${op}&path=/official/v24.0/${id}`)).body.requests
}
