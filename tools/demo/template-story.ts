import { eventually } from './eventually.ts'
import type { Report } from './report.ts'
import type { Rest } from './rest.ts'

interface Template {
  readonly name: string
  /** Null for a number whose templates are not reviewed. */
  readonly officialStatus: string | null
  readonly statusReason: string | null
}

interface Inbox {
  readonly messages: readonly { readonly from: string; readonly content: { readonly body?: string | null } | null }[]
}

/** A contact of the sandbox who reads what it is sent, and never wrote to the number ([sandbox.peers.6]). */
const CONTACT = '5511999990006'
const TEMPLATE = {
  name: 'Order shipped',
  category: 'UTILITY',
  language: 'en',
  body: {
    header: { type: 'TEXT', text: 'Your order' },
    body: { text: 'Hello {{customer}}, your order {{order}} is on its way.' },
    buttons: [{ type: 'URL', text: 'Track it', url: 'https://acme.shop/track/{{order}}' }],
  },
  examples: { customer: 'Ana', order: '10042' },
}
const VARIABLES = { customer: 'Zoë', order: 4711 }
const FILLED = 'Hello Zoë, your order 4711 is on its way.'

async function waitForReview(report: Report, number: Rest, name: string): Promise<void> {
  await report.step('the platform reviews it', async () => {
    const reviewed = await eventually('the review', async () => {
      const read = await number.get<Template>(`/v1/templates/${name}`)
      return read.officialStatus === 'PENDING' ? null : read
    })
    if (reviewed.officialStatus !== 'APPROVED')
      throw new Error(`the template is ${reviewed.officialStatus}: ${reviewed.statusReason}`)
    return [undefined, reviewed.officialStatus] as const
  })
}

/**
 * Plays a template: created, approved when that is needed, and sent. It reaches a contact whom no free text could reach
 * on an OFFICIAL number.
 */
export async function tellTemplateStory(report: Report, number: Rest, control: Rest, ourNumber: string): Promise<void> {
  const { name, officialStatus } = await report.step('create a template', async () => {
    const created = await number.post<Template>('/v1/templates', TEMPLATE)
    return [created, `${created.name}, ${created.officialStatus ?? 'sendable at once'}`] as const
  })
  if (officialStatus !== null) await waitForReview(report, number, name)
  await report.step('send it to somebody who never wrote', async () => {
    await number.post('/v1/messages/send', { destinationNumber: CONTACT, templateId: name, variables: VARIABLES })
    const shown = await eventually('the template at the contact', async () => {
      const { messages } = await control.get<Inbox>(`/control/peers/${CONTACT}/inbox`)
      return messages.find(({ from }) => from === ourNumber)?.content?.body ?? null
    })
    if (shown !== FILLED) throw new Error(`the contact sees "${shown}"`)
    return [undefined, `the contact sees "${shown}"`] as const
  })
}
