import type { PairedNumber, Service } from './service.ts'
import { readyTemplate, taken } from './template-service.ts'
import { until } from './until.ts'

/** What the forms of tests ask, and the box they show. */
export const FORM = {
  name: 'Test drive',
  questions: [{ key: 'full_name', label: 'Your name', type: 'FULL_NAME' }, { key: 'phone_number', label: 'Your phone', type: 'PHONE' }, { key: 'wish', label: 'What would you like?', type: 'CUSTOM' }],
  checkboxes: [{ key: 'may_message', text: 'You may write to me', isRequired: false }],
} as const

/** The person of tests, beside the phone. */
export const ANSWERS = { full_name: 'Ana Lima', wish: 'A red one' } as const
export const YES = { consent: { may_message: true } } as const

/** A Page of the sandbox that is linked to a number. */
export interface LinkedPage {
  readonly number: PairedNumber
  readonly pageId: string
  readonly formId: string
  readonly appId: string
  readonly appSecret: string
  readonly pageAccessToken: string
}

/** A Page with a form, not linked yet. */
export async function seedPage(service: Service, seed: object = {}): Promise<any> {
  return taken(await service.control('POST', '/official/pages', { name: 'Shop', forms: [FORM], ...seed }), 201)
}

/** Makes a Page with a form, and links it. */
export async function linkPage(service: Service, number: PairedNumber, seed: object = {}): Promise<LinkedPage> {
  const { pageId, appId, appSecret, pageAccessToken, forms } = await seedPage(service, seed)
  taken(await service.api('POST', '/v1/lead-pages', service.tenantKey, { pageId, pageAccessToken, channelNumberId: number.id, appId, appSecret }), 201)
  return { number, pageId, formId: forms[0].formId, appId, appSecret, pageAccessToken }
}

/** What a tenant wants of the leads of the Page's form. */
export async function setForm(service: Service, { pageId, formId }: LinkedPage, settings: object): Promise<any> {
  return taken(await service.api('PUT', `/v1/lead-pages/${pageId}/forms/${formId}`, service.tenantKey, settings), 200)
}

/** A template that greets by name, and its settings for a form. */
export async function answeringTemplate(service: Service, number: PairedNumber, name: string): Promise<any> {
  return await readyTemplate(service, number, name, { body: { body: { text: 'Hello {{customer}}, thank you for your interest: {{wish}}!' } }, examples: { customer: 'Ana', wish: 'a car' } })
}

export function autoSendOf(templateId: string, over: object = {}): object {
  return { consentKey: 'may_message', autoSend: { templateId, variables: { customer: { field: 'full_name', fallback: 'friend' }, wish: { field: 'wish' } }, ...over } }
}

/** A peer submits the Page's form; answers upstream's id. */
export async function submit(service: Service, peer: string, { formId }: Pick<LinkedPage, 'formId'>, more: object = {}): Promise<string> {
  return taken(await service.control('POST', `/peers/${peer}/leads`, { formId, answers: { ...ANSWERS, phone_number: `+${peer}` }, ...more }), 201).leadgenId
}

/** Leads of a number, newest first, every page of them. */
export async function leadsOf(service: Service, number: PairedNumber, query = ''): Promise<any[]> {
  const leads: any[] = []
  for (let page = 1; ; page++) {
    const answer = taken(await service.api('GET', `/v1/leads?pageSize=100&page=${page}${query}`, number.key), 200)
    leads.push(...answer.leads)
    if (page >= answer.totalPages) return leads
  }
}

/** Waits until the lead is here and so, and answers it. */
export async function untilLead(service: Service, number: PairedNumber, leadgenId: string, what = 'here', isSo: (lead: any) => boolean = () => true): Promise<any> {
  let last: unknown = null
  return await until(`lead ${leadgenId} is ${what}`, async () => {
    const lead = (await leadsOf(service, number)).find((one) => one.leadgenId === leadgenId)
    last = lead
    return lead && isSo(lead) ? lead : null
  }).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${JSON.stringify(last)}`)
  })
}

/** Imports the leads of the form, and waits for the end. */
export async function importLeads(service: Service, { pageId, formId }: LinkedPage, range: object = {}): Promise<any> {
  const path = `/v1/lead-pages/${pageId}/forms/${formId}/backfill`
  const { id } = taken(await service.api('POST', path, service.tenantKey, range), 202)
  return await until(`import ${id} has ended`, async () => {
    const { body } = await service.api('GET', path, service.tenantKey)
    if (body.id !== id) throw new Error(`another import than ${id}: ${JSON.stringify(body)}`)
    return body.status === 'RUNNING' ? null : body
  })
}
