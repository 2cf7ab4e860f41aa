import { randomInt } from 'node:crypto'
import test from 'ava'
import { answersOf, flowOf, submitFlow, untilAnswers } from '../helpers/flow-service.ts'
import { failSends, newPeer, reachablePeer, send, untilInbox, untilInHistory, untilStatus } from '../helpers/message-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { readyTemplate } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let number: OfficialNumber

test.before(async () => {
  service = await joinService()
  number = await connectOfficial(service, { appId: String(randomInt(1e12, 9e12)) })
})

const SAID = { text: 'Who are you?', cta: 'Tell us' }

/** Sends a Flow to a peer of its own. */
async function sendFlow(flowId: string, more: object = {}, from = number) {
  const peer = await reachablePeer(service, from)
  return { peer, sent: await send(service, from, { destinationNumber: peer, flow: { ...SAID, flowId, ...more } }) }
}

test('a Flow is sent, filled in and answered: the answer is joined to the contact and to the message', async (t) => {
  const flow = await flowOf(service, number, 'Who are you')
  const { peer, sent } = await sendFlow(flow.id, { header: 'Acme', footer: 'Bye', screen: 'START', data: { known: true } })
  const message = await untilStatus(service, number, sent.id, ['READ'])
  t.like(message, { type: 'flow', template: null })
  const [arrived] = await untilInbox(service, peer, number, 1)
  t.like(arrived.content, { type: 'flow', body: { text: SAID.text }, action: { parameters: { flow_id: flow.officialFlowId, mode: 'published', flow_action_payload: { screen: 'START', data: { known: true } } } } })
  const token = arrived.content.action.parameters.flow_token
  t.regex(token, /^ft_[\w-]{43}$/)
  const photos = [{ id: '790647221', mime_type: 'image/jpeg', file_name: 'a.jpg', sha256: 'x' }]
  const externalMessageId = await submitFlow(service, peer, number, { name: 'Ana', photos }, { fromName: 'Ana' })
  const [answer, ...more] = await untilAnswers(service, number, flow.id, 1)
  const told = await untilInHistory(service, number, externalMessageId)
  const { id, submittedAt, ...rest } = answer
  t.regex(id, /^fres_/)
  t.is(submittedAt, told.createdAt)
  t.deepEqual([rest, more], [{
    flowId: flow.id, contactNumber: peer, contactName: 'Ana', conversationId: told.conversationId, messageId: sent.id, externalMessageId, flowToken: token, response: { name: 'Ana', photos },
  }, []])
  t.like(told, { type: 'interactive', content: 'Sent', quotedMessageId: message.externalMessageId })
})

test('an answer is joined by the message, by the token of the message, by the tenant\'s own, and by neither to nothing', async (t) => {
  const flow = await flowOf(service, number, 'By what')
  const { peer } = await sendFlow(flow.id)
  await submitFlow(service, peer, number, { by: 'message' }, { withoutToken: true })
  await submitFlow(service, peer, number, { by: 'minted token' }, { withoutContext: true })
  const own = await sendFlow(flow.id, { token: 'order 4711' })
  await submitFlow(service, own.peer, number, { by: 'own token' }, { withoutContext: true })
  const lost = await submitFlow(service, own.peer, number, { by: 'nothing' }, { withoutContext: true, withoutToken: true })
  await submitFlow(service, own.peer, number, '{"by": ')
  await untilInHistory(service, number, lost)
  const answers = await untilAnswers(service, number, flow.id, 4)
  t.deepEqual(answers.map(({ response, flowToken }) => [response?.by, flowToken === null ? null : flowToken.replace(/^ft_.+/, 'ft')]).toSorted(),
    [[undefined, null], ['message', null], ['minted token', 'ft'], ['own token', 'order 4711']])
  t.like(answers.find(({ response }) => response === null), { rawResponse: '{"by": ', messageId: own.sent.id })
})

test('a draft goes out as a draft; a template opens its Flow with a token of its own', async (t) => {
  const draft = await flowOf(service, number, 'Still a draft', false)
  const first = await sendFlow(draft.id)
  const [message] = await untilInbox(service, first.peer, number, 1)
  t.is(message.content.action.parameters.mode, 'draft')
  await submitFlow(service, first.peer, number, { name: 'Ana' })
  await untilAnswers(service, number, draft.id, 1)

  const flow = await flowOf(service, number, 'Behind a button')
  const template = await readyTemplate(service, number, 'with_flow', { body: { body: 'We would like to know you.', buttons: [{ type: 'FLOW', text: 'Tell us', flowId: flow.id, screen: 'START' }] }, examples: {} })
  t.is(template.body.buttons[0].flowId, flow.id)
  const peer = newPeer()
  const sent = await send(service, number, { destinationNumber: peer, templateId: template.id, flow: { data: { known: true } } })
  await submitFlow(service, peer, number, { name: 'Bob' }, { withoutContext: true })
  const [answer] = await untilAnswers(service, number, flow.id, 1)
  t.like(answer, { messageId: sent.id, response: { name: 'Bob' } })
  t.regex(answer.flowToken, /^ft_/)
})

test('a key sees what its own number received, of one account; other accounts have neither the Flow nor what was answered', async (t) => {
  const second = await connectOfficial(service, { accountId: number.accountId })
  const stranger = await connectOfficial(service)
  const flow = await flowOf(service, number, 'Of one account')
  const [mine, other] = [await sendFlow(flow.id), await sendFlow(flow.id, { token: 'mine' }, second)]
  await submitFlow(service, mine.peer, number, { name: 'first' })
  await submitFlow(service, other.peer, second, { name: 'second' })
  const names = async (of: OfficialNumber) => (await untilAnswers(service, of, flow.id, 1)).map(({ response }) => response.name)
  t.deepEqual([await names(number), await names(second)], [['first'], ['second']])
  t.like(await service.api('GET', `/v1/flows/${flow.id}/responses`, stranger.key), { status: 404, body: { code: 'FLOW_NOT_FOUND' } })
  const peer = await reachablePeer(service, stranger)
  t.like(await service.api('POST', '/v1/messages/send', stranger.key, { destinationNumber: peer, flow: { ...SAID, flowId: flow.id } }), { status: 404, body: { code: 'FLOW_NOT_FOUND' } })
  const body = { body: 'Would you tell us?', buttons: [{ type: 'FLOW', text: 'Yes', flowId: flow.id }] }
  t.like(await service.api('POST', '/v1/templates', stranger.key, { name: 'foreign', category: 'UTILITY', language: 'en', body }), { status: 400, body: { code: 'TEMPLATE_FLOW_INVALID' } })
})

test('an answer that comes while the answer of the send is lost is joined once a status names the message', async (t) => {
  const lonely = await connectOfficial(service)
  const flow = await flowOf(service, lonely, 'Overtaken')
  const peer = await reachablePeer(service, lonely)
  await failSends(service, lonely, { drop: 'after' })
  const sent = await send(service, lonely, { destinationNumber: peer, flow: { ...SAID, flowId: flow.id } })
  await submitFlow(service, peer, lonely, { name: 'early' }, { withoutToken: true })
  const [answer] = await untilAnswers(service, lonely, flow.id, 1)
  t.like(answer, { messageId: sent.id, response: { name: 'early' } })
})

test('a Flow that upstream blocks is refused at once, and a template for it; once it is let go both are sent', async (t) => {
  const flow = await flowOf(service, number, 'Blocked')
  const template = await readyTemplate(service, number, 'blocked_flow', { body: { body: 'We would like to know you.', buttons: [{ type: 'FLOW', text: 'Tell us', flowId: flow.id, screen: 'START' }] }, examples: {} })
  const peer = await reachablePeer(service, number)
  const codes = async () => (await Promise.all([{ flow: { ...SAID, flowId: flow.id } }, { templateId: template.id }].map((message) =>
    service.api('POST', '/v1/messages/send', number.key, { destinationNumber: peer, ...message })))).map(({ status, body }) => body.code ?? status)
  const turn = async (status: string) => {
    await service.control('POST', `/official/flows/${flow.officialFlowId}/status`, { status })
    await until(`the Flow is ${status}`, async () => (await service.api('GET', `/v1/flows/${flow.id}`, number.key)).body.officialStatus === status)
  }
  t.deepEqual(await codes(), [202, 202])
  await turn('BLOCKED')
  t.deepEqual(await codes(), ['FLOW_NOT_SENDABLE', 'FLOW_NOT_SENDABLE'])
  await turn('PUBLISHED')
  t.deepEqual(await codes(), [202, 202])
  await service.api('POST', `/v1/flows/${flow.id}/deprecate`, number.key, {})
  t.deepEqual(await codes(), ['FLOW_NOT_SENDABLE', 'FLOW_NOT_SENDABLE'])
})

test('RELAY_ONLY keeps nothing of an answer', async (t) => {
  const relay = await connectOfficial(service)
  await service.api('PATCH', `/v1/numbers/${relay.id}`, service.tenantKey, { piiMode: 'RELAY_ONLY' })
  const flow = await flowOf(service, relay, 'Kept nowhere')
  const { peer } = await sendFlow(flow.id, {}, relay)
  const secret = `secret ${flow.id}`
  const externalMessageId = await submitFlow(service, peer, relay, { secret })
  await until('the message came in', async () => (await service.api('GET', `/v1/messages/${externalMessageId}`, relay.key)).status === 200)
  t.deepEqual(await answersOf(service, relay, flow.id), [])
})
