import { eventually } from './eventually.ts'
import type { Receiver } from './receiver.ts'
import type { Report } from './report.ts'
import type { Rest } from './rest.ts'

interface Lead {
  readonly id: string
  readonly leadgenId: string
  readonly fullName: string | null
  readonly consentGiven: boolean | null
  readonly adName: string | null
  readonly adsetName: string | null
  readonly campaignName: string | null
  readonly autoSendStatus: string
  readonly autoSendReason: string | null
}

interface Inbox {
  readonly messages: readonly { readonly from: string; readonly content: { readonly body?: string | null } | null }[]
}

/** The number whose leads come in, and its accounts on the platform. */
export interface LeadStage {
  readonly tenant: Rest
  readonly number: Rest
  readonly control: Rest
  readonly receiver: Receiver
  readonly ourNumber: string
  readonly numberId: string
  readonly appId: string
}

/** A contact of the sandbox who reads what it is sent, and never wrote to the number ([sandbox.peers.9]). */
const PERSON = '5511999990016'
const FORM = {
  name: 'Test drive',
  questions: [
    { key: 'full_name', label: 'Your name', type: 'FULL_NAME' },
    { key: 'phone_number', label: 'Your phone', type: 'PHONE' },
    { key: 'order', label: 'Which order?' },
  ],
  checkboxes: [{ key: 'may_message', text: 'You may write to me', isRequired: false }],
}
const AD = { name: 'Spring', adset: { name: 'São Paulo' }, campaign: { name: 'Cars' } }
/** The template that the template story created, filled with the answers of the form. */
const ANSWER = {
  templateId: 'order_shipped',
  variables: { customer: { field: 'full_name' }, order: { field: 'order' } },
}
const FILLED = 'Hello Bia, your order 4712 is on its way.'

interface Form {
  readonly pageId: string
  readonly formId: string
}

async function link(report: Report, { tenant, control, numberId, appId }: LeadStage): Promise<Form> {
  return await report.step('link a Page, and say what its leads are answered with', async () => {
    const {
      pageId,
      pageAccessToken,
      forms: [form],
    } = await control.post<{ pageId: string; pageAccessToken: string; forms: { formId: string }[] }>(
      '/control/official/pages',
      { name: 'Shop', appId, forms: [FORM] },
    )
    if (!form) throw new Error('the Page has no form')
    const page = await tenant.post<{ webhook: { status: string } }>('/v1/lead-pages', {
      pageId,
      pageAccessToken,
      channelNumberId: numberId,
    })
    await tenant.put(`/v1/lead-pages/${pageId}/forms/${form.formId}`, { consentKey: 'may_message', autoSend: ANSWER })
    return [{ pageId, formId: form.formId }, `Page ${pageId}, webhook ${page.webhook.status}`] as const
  })
}

/** Shares an ad account with the number; resolves to the id of one of its ads. */
async function shareAds(report: Report, { tenant, control, numberId }: LeadStage): Promise<string> {
  return await report.step('share the account of its ads', async () => {
    const { adId, accessToken } = await control.post<{ adId: string; accessToken: string }>('/control/official/ads', AD)
    const { adAccounts } = await tenant.put<{ adAccounts: { id: string }[] }>(`/v1/numbers/${numberId}/ad-access`, {
      accessToken,
    })
    return [adId, adAccounts.map(({ id }) => id).join(', ')] as const
  })
}

/** The lead once `isSo` accepts it. */
async function leadWhen(number: Rest, id: string, what: string, isSo: (lead: Lead) => boolean): Promise<Lead> {
  return await eventually(what, async () => {
    const { lead } = await number.get<{ lead: Lead }>(`/v1/leads/${id}`)
    if (lead.autoSendStatus === 'skipped' || lead.autoSendStatus === 'failed')
      throw new Error(`the lead was not answered: ${lead.autoSendReason}`)
    return isSo(lead) ? lead : null
  })
}

/**
 * Plays a lead: its Page is linked, a person submits the form, the webhook gets the event, a template answers it, and
 * the ad it came from is shown by name.
 */
export async function tellLeadStory(report: Report, stage: LeadStage): Promise<void> {
  const { formId } = await link(report, stage)
  const adId = await shareAds(report, stage)
  const { number, control, receiver, ourNumber } = stage
  const { id } = await report.step('a person submits its form', async () => {
    const { leadgenId } = await control.post<{ leadgenId: string }>(`/control/peers/${PERSON}/leads`, {
      formId,
      adId,
      answers: { full_name: 'Bia', order: '4712' },
      consent: { may_message: true },
    })
    const lead = await eventually('the lead at the webhook', () => {
      const told = receiver.received
        .filter(({ event }) => event === 'lead.received')
        .map(({ body }) => (JSON.parse(body) as { data: Lead }).data)
      return told.find((one) => one.leadgenId === leadgenId) ?? null
    })
    return [lead, `lead.received: ${lead.fullName}, consent ${lead.consentGiven}`] as const
  })
  await report.step('it is answered by a template', async () => {
    await leadWhen(number, id, 'the answer is sent', ({ autoSendStatus }) => autoSendStatus === 'sent')
    const { messages } = await control.get<Inbox>(`/control/peers/${PERSON}/inbox`)
    const shown = messages.find(({ from }) => from === ourNumber)?.content?.body
    if (shown !== FILLED) throw new Error(`the person sees "${shown}"`)
    return [undefined, `the person sees "${shown}"`] as const
  })
  await report.step('it shows the names of its ad', async () => {
    const { adName, adsetName, campaignName } = await leadWhen(
      number,
      id,
      'the names of the ad',
      (lead) => lead.adName !== null,
    )
    return [undefined, [campaignName, adsetName, adName].join(' > ')] as const
  })
}
