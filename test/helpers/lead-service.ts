import { randomInt } from 'node:crypto'
import { newPeer } from './message-service.ts'
import type { PairedNumber, Service } from './service.ts'
import { taken } from './template-service.ts'
import { until } from './until.ts'

/** The questions of forms. */
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

/** A Page of the sandbox with one form. */
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
  /** The answer to the link request. */
  readonly created: any
}

/** Seeds a Page that is not linked yet; it has an app of its own unless `seed` names one. */
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

/** Adds a form to a Page; resolves to its id. */
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

/** The body that links a seeded Page to a number. */
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

/** Reads a Page of the service. */
export async function readPage(service: Service, { pageId }: Pick<SeededPage, 'pageId'>): Promise<any> {
  return taken(await service.api('GET', `/v1/lead-pages/${pageId}`, service.tenantKey), 200)
}

/** Sets the answer to leads of the form, and the checkbox of consent. */
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

/** A peer submits the Page's form; resolves to the upstream's id of the lead. */
export async function submitLead(
  service: Service,
  { formId }: Pick<SeededPage, 'formId'>,
  lead: object = {},
  peer: string = newPeer(),
): Promise<string> {
  return taken(await service.control('POST', `/peers/${peer}/leads`, { formId, ...lead }), 201).leadgenId
}

/** Has the upstream repeat the notice of a lead. */
export async function tellAgain(service: Service, leadgenId: string): Promise<void> {
  taken(await service.control('POST', `/official/leads/${leadgenId}/notice`), 202)
}

/** The leads of a number as it sees them, newest first: up to 100. */
export async function leadsOf(service: Service, number: PairedNumber, query = ''): Promise<any[]> {
  return taken(await service.api('GET', `/v1/leads?pageSize=100${query}`, number.key), 200).leads
}

/** Waits until the number has the lead; resolves to it. */
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

/** Waits until the newest import of the form has ended; resolves to it. */
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

/** Seeds an ad upstream; resolves to it with the token that shares its account. */
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

/** Shares an ad account with its token, or withdraws it; names may follow later. */
export async function changeAdAccount(
  service: Service,
  { adAccountId }: { readonly adAccountId: string },
  change: object,
): Promise<void> {
  taken(await service.control('PATCH', `/official/ad-accounts/${adAccountId}`, change), 200)
}

/**
 * Changes a Page upstream: its token expires or works again (`isTokenExpired`), is replaced (`accessToken`), or its app
 * subscribes to other fields.
 */
export async function changePage(
  service: Service,
  { pageId }: Pick<SeededPage, 'pageId'>,
  change: object,
): Promise<void> {
  taken(await service.control('PATCH', `/official/pages/${pageId}`, change), 200)
}

/**
 * Makes the next requests of the operation on this id fail. `id` is that of the Page, the form, the lead, the ad or the
 * app.
 */
export async function failLeads(service: Service, op: string, id: string, fault: object): Promise<void> {
  taken(await service.control('POST', '/faults', { match: { op, path: `/official/v24.0/${id}` }, ...fault }), 201)
}

/** Requests to the upstream, oldest first. `id` is as in `failLeads`. */
export async function leadRequests(service: Service, op: string, id: string): Promise<any[]> {
  return (await service.control('GET', `/requests?op=${op}&path=/official/v24.0/${id}`)).body.requests
}
