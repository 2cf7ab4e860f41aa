import createClient from 'openapi-fetch'
import type { components, paths, webhooks } from './api.ts'

/**
 * Compiled by a test against types made from the document, and never run: what stands here is what a caller may write.
 */
const client = createClient<paths>({ baseUrl: 'http://localhost:3000', headers: { 'x-api-key': 'cms_...' } })

export async function placeCall(): Promise<string> {
  const { data, error } = await client.POST('/v1/calls', { body: { to: '+5511999990001' } })
  if (!data) throw new Error(`${error.code ?? ''} ${error.error}`)
  const session = await client.POST('/v1/calls/{callId}/realtime-session', { params: { path: { callId: data.id } } })
  await client.POST('/v1/calls/{callId}/accept', { params: { path: { callId: data.id } } })
  const read = await client.GET('/v1/calls/{callId}', {
    params: { path: { callId: data.id }, query: { includeSdp: '1' } },
  })
  const status: 'RINGING' | 'ACCEPTED' | string | undefined = read.data?.status
  // A session that is dialled has an id in place of an address.
  const opened = session.data && 'wsUrl' in session.data ? session.data : null
  return `${status} ${opened?.wsUrl} ${opened?.expiresIn.toFixed()}`
}

export async function placeOfficialCall(sdp: string): Promise<boolean> {
  const { response } = await client.POST('/v1/calls', {
    body: { to: '+5511999990001', sdp },
    params: { header: { 'idempotency-key': 'order-4711' } },
  })
  return response.ok
}

export async function sendMessages(): Promise<(string | undefined)[]> {
  const text = await client.POST('/v1/messages/send', { body: { destinationNumber: '+5511999990001', text: 'Hello' } })
  const image = await client.POST('/v1/messages/send', {
    body: { destinationNumber: '+5511999990001', media: 'https://example.com/a.png', mediaType: 'image', caption: 'A' },
  })
  const buttons = await client.POST('/v1/messages/send', {
    body: {
      destinationNumber: '+5511999990001',
      text: 'Today?',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Yes' },
        { type: 'URL', text: 'More', url: 'https://example.com' },
      ],
    },
  })
  return [text.data?.id, image.data?.correlationId, buttons.data?.status]
}

export async function listHistory(): Promise<string[]> {
  const { data } = await client.GET('/v1/messages/history', {
    params: { query: { startDate: '2026-01-01', page: 1, direction: 'INBOUND' } },
  })
  return data?.messages.map(({ from, content, media }) => `${from}: ${content ?? media?.url}`) ?? []
}

export async function publishFlow(flowJson: string): Promise<string> {
  const made = await client.POST('/v1/flows', { body: { name: 'Book a visit', categories: ['APPOINTMENT_BOOKING'] } })
  if (!made.data) throw new Error(`${made.error.code ?? ''} ${made.error.errorEN}`)
  const params = { path: { id: made.data.id } }
  const taken = await client.POST('/v1/flows/{id}/json', { params, body: { flowJson } })
  const [fault] = taken.error?.validationErrors ?? []
  if (fault) throw new Error(`${String(fault['error'])} in line ${String(fault['line_start'])}`)
  const published = await client.POST('/v1/flows/{id}/publish', { params, body: { confirm: true } })
  const status: 'DRAFT' | 'PUBLISHED' | string | undefined = published.data?.officialStatus
  return `${status} ${published.data?.jsonVersion}`
}

export async function sendFlow(flowId: string): Promise<string | undefined> {
  const { data } = await client.POST('/v1/messages/send', {
    body: {
      destinationNumber: '+5511999990001',
      flow: {
        flowId,
        text: 'When may we come?',
        cta: 'Choose',
        screen: 'DAYS',
        data: { days: 3 },
        token: 'order 4711',
      },
    },
  })
  return data?.id
}

export async function listAnswers(id: string): Promise<string[]> {
  const { data } = await client.GET('/v1/flows/{id}/responses', {
    params: { path: { id }, query: { pageSize: 100, startDate: '2026-01-01' } },
  })
  return (
    data?.responses.map(
      ({ contactName, messageId, response, rawResponse }) =>
        `${contactName} ${messageId} ${String(response?.['day'] ?? rawResponse)}`,
    ) ?? []
  )
}

export async function linkPage(pageId: string, pageAccessToken: string, formId: string): Promise<string> {
  const linked = await client.POST('/v1/lead-pages', { body: { pageId, pageAccessToken, channelNumberId: 'num_...' } })
  if (!linked.data) throw new Error(`${linked.error.code ?? ''} ${linked.error.error}`)
  const set = await client.PUT('/v1/lead-pages/{pageId}/forms/{formId}', {
    params: { path: { pageId, formId } },
    body: {
      consentKey: 'may_message',
      autoSend: {
        templateId: 'welcome',
        variables: { customer: { field: 'full_name', fallback: 'there' }, shop: { value: 'Acme' } },
      },
    },
  })
  await client.POST('/v1/lead-pages/{pageId}/forms/{formId}/backfill', {
    params: { path: { pageId, formId } },
    body: { since: '2026-01-01' },
  })
  const status: 'SUBSCRIBED' | 'OTHER_CALLBACK' | 'NOT_SUBSCRIBED' = linked.data.webhook.status
  return `${status} ${linked.data.verifyToken} ${set.data?.checkboxes[0]?.text}`
}

export async function listLeads(): Promise<string[]> {
  const { data } = await client.GET('/v1/leads', {
    params: {
      query: { formId: '1', startDate: '2026-01-01', pageSize: 100 },
      header: { 'x-channel-number-id': 'num_...' },
    },
  })
  return (
    data?.leads.map(
      ({ fullName, phone, fields, consentGiven, redacted }) =>
        `${fullName ?? ''} ${phone ?? ''} ${fields[0]?.values[0] ?? ''} ${consentGiven ?? 'unknown'} ${redacted}`,
    ) ?? []
  )
}

export async function createWebhook(): Promise<string | undefined> {
  const { data } = await client.POST('/v1/webhooks', {
    body: { url: 'https://example.com/hooks', events: ['call.ended', 'messages'] },
  })
  return data?.secret
}

export async function createNumber(): Promise<string | undefined> {
  const { data } = await client.POST('/v1/numbers', { body: { name: 'Front desk', number: '+5511988887777' } })
  return data?.apiKey.key
}

type BodyOf<Name extends keyof webhooks> = webhooks[Name]['post']['requestBody']['content']['application/json']

export function seconds(delivery: BodyOf<'call.ended'>): number {
  return delivery.data.duration ?? 0
}

export function account(delivery: BodyOf<'messages'>): string {
  return delivery.entry[0].id
}

// @ts-expect-error a call needs somebody to call
export const nobody: components['schemas']['CallPlace'] = {}
// @ts-expect-error a publication wants to be confirmed
export const unconfirmed: components['schemas']['FlowPublish'] = { confirm: false }
export const unknown: components['schemas']['MessageSend'] = {
  destinationNumber: '+5511999990001',
  media: 'https://example.com/a',
  // @ts-expect-error no such kind of media
  mediaType: 'hologram',
}
