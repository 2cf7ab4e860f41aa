import { leadsOf, linkPage, setForm, submitLead, type LinkedPage } from './lead-service.ts'
import type { PairedNumber, Service } from './service.ts'
import { readyTemplate } from './template-service.ts'

/** The form of leads that get an answer, with the checkbox of consent. */
export const WISHES = {
  name: 'Test drive',
  questions: [
    { key: 'full_name', label: 'Your name', type: 'FULL_NAME' },
    { key: 'phone_number', label: 'Your phone', type: 'PHONE' },
    { key: 'wish', label: 'What would you like?', type: 'CUSTOM' },
  ],
  checkboxes: [{ key: 'may_message', text: 'You may write to me', isRequired: false }],
}
export const YES = { consent: { may_message: true } } as const

/** The auto-answer of a form; `over` replaces fields of it. */
export function autoSendOf(templateId: string, over: object = {}): object {
  return {
    consentKey: 'may_message',
    autoSend: {
      templateId,
      variables: { customer: { field: 'full_name', fallback: 'friend' }, wish: { field: 'wish' } },
      ...over,
    },
  }
}

/** Links a Page whose leads are answered by the named template; `over` replaces fields of the answer. */
export async function answeringPage(
  service: Service,
  number: PairedNumber,
  name: string,
  over: object = {},
  tenantKey: string = service.tenantKey,
): Promise<LinkedPage> {
  const page = await linkPage(service, number, { forms: [WISHES] }, tenantKey)
  const template = await readyTemplate(service, number, name, {
    body: { body: { text: 'Hello {{customer}}, thank you for your interest: {{wish}}. See you!' } },
    examples: { customer: 'Ana', wish: 'a car' },
  })
  await setForm(service, page, autoSendOf(template.id, over), tenantKey)
  return page
}

/** A peer submits the form; resolves to the upstream's id of the lead. */
export async function submitWish(
  service: Service,
  page: Pick<LinkedPage, 'formId'>,
  peer: string,
  more: object = {},
): Promise<string> {
  return await submitLead(
    service,
    page,
    { answers: { full_name: 'Ana Lima', wish: 'A red one', phone_number: `+${peer}` }, ...more },
    peer,
  )
}

/** Reads every lead of a number, page by page. */
export async function allLeadsOf(service: Service, number: PairedNumber): Promise<any[]> {
  const leads: any[] = []
  for (let page = 1; ; page++) {
    const more = await leadsOf(service, number, `&page=${page}`)
    leads.push(...more)
    if (more.length < 100) return leads
  }
}
