import { randomInt } from 'node:crypto'
import test from 'ava'
import { newPeer, send, untilInbox, untilStatus } from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import type { OfficialNumber } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service

test.before(async () => {
  service = await joinService()
})

/** A number of an account of its own that upstream lets in, with a template of each category that can be sent. */
async function numberOf(marketingStatus = 'ONBOARDED'): Promise<OfficialNumber> {
  const number = await connectOfficial(service)
  await letIn(number, marketingStatus)
  for (const category of ['MARKETING', 'UTILITY']) await templateOf(number, category)
  return number
}

async function letIn({ accountId }: OfficialNumber, marketingStatus: string): Promise<void> {
  const { status, text } = await service.control('PATCH', `/official/accounts/${accountId}`, { marketingStatus })
  if (status !== 200) throw new Error(text)
}

async function templateOf(number: OfficialNumber, category: string): Promise<void> {
  const name = category.toLowerCase()
  const made = await service.api('POST', '/v1/templates', number.key, {
    name,
    category,
    language: 'en',
    body: 'Hello there.',
  })
  if (made.status !== 201) throw new Error(made.text)
  await service.control('POST', `/official/templates/${made.body.externalId}`, { event: 'APPROVED' })
  await until(`${name} can be sent`, async () => {
    const { body } = await service.api('GET', `/v1/templates/${made.body.id}`, number.key)
    return body.sendable
  })
}

/** Sends a template to a peer of its own until it was read; resolves to the endpoints by which messages came there. */
async function edgesOf(number: OfficialNumber, templateId = 'marketing'): Promise<string[]> {
  const peer = newPeer()
  const { id } = await send(service, number, { destinationNumber: peer, templateId })
  await untilStatus(service, number, id, ['READ'])
  return (await untilInbox(service, peer, number, 1)).map(({ edge }) => edge)
}

/** How often upstream was asked whether it lets the account in. */
async function questions({ accountId }: OfficialNumber): Promise<number> {
  const { body } = await service.control('GET', `/requests?path=/official/v24.0/${accountId}`)
  return body.requests.filter(({ method, path }: any) => method === 'GET' && path === `/official/v24.0/${accountId}`)
    .length
}

// [message-verbs.delivery.2] [message-verbs.delivery.3] [message-verbs.delivery.4]
test('MARKETING templates of an account that is let in go to their endpoint, and nothing else does', async (t) => {
  const number = await numberOf()
  t.deepEqual(await edgesOf(number, 'utility'), ['messages'])
  t.is(await questions(number), 0, 'other templates ask nothing')
  t.deepEqual(await edgesOf(number), ['marketing_messages'])
  t.deepEqual(await edgesOf(number), ['marketing_messages'])
  t.is(await questions(number), 1)
  const { body } = await service.api('GET', '/v1/usage', service.tenantKey)
  t.true(body.total.conversations.MARKETING >= 2, 'marketing_lite is MARKETING')
})

// [message-verbs.delivery.4]
test('two numbers of an account ask once together', async (t) => {
  const number = await numberOf()
  const { accountId } = number
  const other = await connectOfficial(service, { accountId, number: `5511${randomInt(10 ** 8, 10 ** 9)}` })
  const edges = await Promise.all([number, other, number, other].map((one) => edgesOf(one)))
  t.deepEqual(edges.flat(), Array(4).fill('marketing_messages'))
  t.is(await questions(number), 1)
})

// [message-verbs.delivery.2] [message-verbs.delivery.4] [message-verbs.delivery.6]
test('without being let in they go as all messages, until upstream says that the terms were signed', async (t) => {
  const number = await numberOf('ELIGIBLE')
  t.deepEqual(await edgesOf(number), ['messages'])
  await letIn(number, 'ONBOARDED')
  t.deepEqual(await edgesOf(number), ['messages'], 'until the next question')
  const sent = await service.control('POST', '/official/webhooks/send', {
    accountId: number.accountId,
    field: 'account_update',
    value: { event: 'MM_LITE_TERMS_SIGNED', waba_info: { waba_id: number.accountId, owner_business_id: '1' } },
  })
  t.is(sent.status, 202)
  await until('they go to their endpoint', async () => (await edgesOf(number))[0] === 'marketing_messages')
  t.is(await questions(number), 2)
})

// [message-verbs.delivery.2]
test('a number whose way is that of all messages uses no other, and says so', async (t) => {
  const number = await numberOf()
  const patch = async (marketing: string) =>
    (await service.api('PATCH', `/v1/numbers/${number.id}`, service.tenantKey, { marketing })).body.marketing
  t.is(await patch('messages'), 'messages')
  t.deepEqual(await edgesOf(number), ['messages'])
  t.is(await questions(number), 0)
  t.is(await patch('auto'), 'auto')
  t.deepEqual(await edgesOf(number), ['marketing_messages'], 'at once')
})

// [message-verbs.delivery.5]
test('what their endpoint refuses arrives once, as all messages do', async (t) => {
  const number = await numberOf()
  const path = `/official/v24.0/${number.phoneId}/marketing_messages`
  for (const error of ['100', '131009', '134100', '134101', '134102']) {
    await service.control('POST', '/faults', { match: { method: 'POST', path }, error })
    t.deepEqual(await edgesOf(number), ['messages'], error)
  }
  t.deepEqual(await edgesOf(number), ['marketing_messages'])
  await service.control('POST', '/faults', { match: { method: 'POST', path }, error: '10' })
  t.deepEqual(await edgesOf(number), ['messages'])
  t.deepEqual(await edgesOf(number), ['messages'], 'the account is out until the next question')
  t.is(await questions(number), 1)
})
