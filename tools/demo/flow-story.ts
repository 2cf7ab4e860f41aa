import { eventually } from './eventually.ts'
import type { Report } from './report.ts'
import { Refused, type Rest } from './rest.ts'

interface Flow {
  readonly id: string
  readonly officialStatus: string
}

interface Finding {
  readonly error: string
  readonly line_start: number
  readonly column_start: number
}

interface Responses {
  readonly responses: readonly {
    readonly contactName: string | null
    readonly messageId: string | null
    readonly response: unknown
  }[]
}

const DOCUMENT = `{
  "version": "7.1",
  "screens": [{
    "id": "VISIT", "title": "Book a visit", "terminal": true,
    "layout": {"type": "SingleColumnLayout", "children": [
      {"type": "DatePicker", "name": "day", "label": "Day", "required": true},
      {"type": "Footer", "label": "Book", "on-click-action": {"name": "complete", "payload": {"day": "\${form.day}"}}}
    ]}
  }]
}`
const MISSPELT = DOCUMENT.replace('DatePicker', 'DatePickr')
const NAME = 'Zoë'
const FILLED_IN = { day: '2026-01-12' }

/** The findings of the platform in a document, from the refusal of its upload. */
async function findingsOf(number: Rest, path: string, flowJson: string): Promise<readonly Finding[]> {
  const refused = await number.post(path, { flowJson }).then(
    () => null,
    (error: unknown) => error,
  )
  if (!(refused instanceof Refused)) throw refused ?? new Error('the document was taken')
  return (refused.body as { readonly validationErrors?: readonly Finding[] }).validationErrors ?? []
}

/** Shows where the platform finds the document wrong. */
async function showFault(report: Report, number: Rest, path: string): Promise<void> {
  await report.step('the platform refuses its document', async () => {
    const [finding] = await findingsOf(number, path, MISSPELT)
    const line = MISSPELT.split('\n')[(finding?.line_start ?? 0) - 1]
    if (!finding || !line?.includes('DatePickr')) throw new Error(`the fault was not found: ${JSON.stringify(finding)}`)
    return [
      undefined,
      `${finding.error} at ${finding.line_start}:${finding.column_start}: ${line.trim().slice(0, 40)} ...`,
    ] as const
  })
}

async function publish(report: Report, number: Rest): Promise<Flow> {
  const { id } = await report.step('draft a Flow', async () => {
    const made = await number.post<Flow>('/v1/flows', { name: 'Book a visit', categories: ['APPOINTMENT_BOOKING'] })
    return [made, `${made.id}, ${made.officialStatus}`] as const
  })
  await showFault(report, number, `/v1/flows/${id}/json`)
  return await report.step('mend it, and publish the Flow', async () => {
    await number.post(`/v1/flows/${id}/json`, { flowJson: DOCUMENT })
    const published = await number.post<Flow>(`/v1/flows/${id}/publish`, { confirm: true })
    return [published, published.officialStatus] as const
  })
}

/**
 * Plays a Flow: drafted, refused with the line of its fault, corrected, published, sent to a user who wrote, filled in,
 * and its answer read.
 */
export async function tellFlowStory(
  report: Report,
  number: Rest,
  control: Rest,
  { ourNumber, user }: { readonly ourNumber: string; readonly user: string },
): Promise<void> {
  const { id } = await publish(report, number)
  const sent = await report.step('send it', async () => {
    const message = await number.post<{ readonly id: string }>('/v1/messages/send', {
      destinationNumber: user,
      flow: { flowId: id, text: 'When may we expect you?', cta: 'Choose a day' },
    })
    await eventually('the message is read', async () =>
      (await number.get<{ readonly status: string }>(`/v1/messages/${message.id}`)).status === 'READ' ? true : null,
    )
    return [message, `${message.id} READ`] as const
  })
  await report.step('the user fills it in', async () => {
    await control.post(`/control/peers/${user}/flows`, { to: ourNumber, fromName: NAME, response: FILLED_IN })
    const answer = await eventually(
      'the answer',
      async () => (await number.get<Responses>(`/v1/flows/${id}/responses`)).responses[0] ?? null,
    )
    if (answer.messageId !== sent.id) throw new Error(`the answer is joined to ${answer.messageId}`)
    return [undefined, `${answer.contactName} answers ${JSON.stringify(answer.response)}`] as const
  })
}
