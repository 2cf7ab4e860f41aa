import { write } from './message-service.ts'
import type { PairedNumber, Service } from './service.ts'
import { taken } from './template-service.ts'
import { until } from './until.ts'

/** A Flow with one field for a name. */
export const FLOW_JSON = JSON.stringify({
  version: '7.1',
  screens: [
    {
      id: 'START',
      terminal: true,
      title: 'Who are you?',
      data: {},
      layout: {
        type: 'SingleColumnLayout',
        children: [
          {
            type: 'Form',
            name: 'form',
            children: [
              { type: 'TextInput', name: 'name', label: 'Name', required: true },
              {
                type: 'Footer',
                label: 'Send',
                'on-click-action': { name: 'complete', payload: { name: '${form.name}' } },
              },
            ],
          },
        ],
      },
    },
  ],
})

/** The texts of a message with a Flow. */
export const SAID = { text: 'Who are you?', cta: 'Tell us' }

/** Changes the state of a Flow upstream; resolves once its news have arrived. */
export async function turnFlow(
  service: Service,
  number: PairedNumber,
  flow: { readonly id: string; readonly officialFlowId: string },
  status: string,
): Promise<void> {
  taken(await service.control('POST', `/official/flows/${flow.officialFlowId}/status`, { status }), 200)
  await until(
    `the Flow is ${status}`,
    async () => (await service.api('GET', `/v1/flows/${flow.id}`, number.key)).body.officialStatus === status,
  )
}

/** Creates a Flow with its document, published unless it should stay a draft. */
export async function flowOf(service: Service, number: PairedNumber, name: string, isPublished = true): Promise<any> {
  const made = taken(await service.api('POST', '/v1/flows', number.key, { name }), 201)
  taken(await service.api('POST', `/v1/flows/${made.id}/json`, number.key, { flowJson: FLOW_JSON }), 200)
  return isPublished
    ? taken(await service.api('POST', `/v1/flows/${made.id}/publish`, number.key, { confirm: true }), 200)
    : made
}

/** A peer fills in the Flow of a message that it received; resolves to the upstream's id of the answer. */
export async function submitFlow(
  service: Service,
  peer: string,
  number: PairedNumber,
  response: object | string,
  more: object = {},
): Promise<string> {
  const submitted = await until(`the Flow reached ${peer}`, async () => {
    const answer = await service.control('POST', `/peers/${peer}/flows`, { to: number.digits, response, ...more })
    return answer.status === 409 ? null : answer
  })
  return taken(submitted, 201).externalMessageId
}

/**
 * A peer sends an answer with content of the test's choice; `more` can name the message it answers (`quoted`) and its
 * time. Resolves to the upstream's id of it.
 */
export async function answerFlow(
  service: Service,
  peer: string,
  number: PairedNumber,
  response: object | string,
  more: object = {},
): Promise<string> {
  const told = typeof response === 'string' ? response : JSON.stringify(response)
  return await write(service, peer, number, {
    type: 'interactive',
    content: { type: 'nfm_reply', nfm_reply: { response_json: told, body: 'Sent', name: 'flow' } },
    ...more,
  })
}

/** The answers of a Flow as the number sees them, newest first. */
export async function answersOf(service: Service, number: PairedNumber, flowId: string): Promise<any[]> {
  const { responses, total } = taken(
    await service.api('GET', `/v1/flows/${flowId}/responses?pageSize=100`, number.key),
    200,
  )
  if (responses.length !== Math.min(total, 100)) throw new Error(`${responses.length} of ${total} answers`)
  return responses
}

/** Waits until the Flow has this many answers; a failure also tells of the message that they answer. */
export async function untilAnswers(
  service: Service,
  number: PairedNumber,
  flowId: string,
  count: number,
  messageId?: string,
): Promise<any[]> {
  let last: unknown = null
  return await until(`the Flow has ${count} answers`, async () => {
    const answers = await answersOf(service, number, flowId)
    last = answers
    return answers.length >= count ? answers : null
  }).catch(async (error: unknown) => {
    const sent = messageId && (await service.api('GET', `/v1/messages/${messageId}`, number.key)).text
    throw new Error(`${String(error)}: ${JSON.stringify(last)} ${sent ?? ''}`)
  })
}
