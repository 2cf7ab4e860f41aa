import { randomInt } from 'node:crypto'
import test from 'ava'
import { jpeg } from '../files/make-media.ts'
import { answerFlow, answersOf, flowOf, SAID, submitFlow, turnFlow, untilAnswers } from '../helpers/flow-service.ts'
import {
  failSends,
  newPeer,
  reachablePeer,
  send,
  untilInbox,
  untilInHistory,
  untilStatus,
  write,
} from '../helpers/message-service.ts'
import { connectOfficial, postSigned, type OfficialNumber } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { HASTY, joinService } from '../helpers/shared-service.ts'
import { readyTemplate } from '../helpers/template-service.ts'
import { until } from '../helpers/until.ts'
import { sendFlowFrom, webhookWith } from '../helpers/sent-flows.ts'

let service: Service
let number: OfficialNumber

test.before(async () => {
  service = await joinService(HASTY)
  number = await connectOfficial(service, { appId: String(randomInt(1e12, 9e12)) })
})

const sendFlow = (flowId: string, more?: object, from = number) => sendFlowFrom(service, from, flowId, more)

// [flows.responses.4] [flows.responses.5] [flows.responses.6]
test('a Flow is sent, filled in and answered: the answer is joined to the contact and to the message', async (t) => {
  const flow = await flowOf(service, number, 'Who are you')
  const { peer, sent } = await sendFlow(flow.id, {
    header: 'Acme',
    footer: 'Bye',
    screen: 'START',
    data: { known: true },
  })
  const message = await untilStatus(service, number, sent.id, ['READ'])
  t.like(message, { type: 'flow', template: null })
  const [arrived] = await untilInbox(service, peer, number, 1)
  t.like(arrived.content, {
    type: 'flow',
    body: { text: SAID.text },
    action: {
      parameters: {
        flow_id: flow.officialFlowId,
        mode: 'published',
        flow_action_payload: { screen: 'START', data: { known: true } },
      },
    },
  })
  const token = arrived.content.action.parameters.flow_token
  t.regex(token, /^ft_[\w-]{43}$/)
  const photos = [{ id: '790647221', mime_type: 'image/jpeg', file_name: 'a.jpg', sha256: 'x' }]
  const externalMessageId = await submitFlow(service, peer, number, { name: 'Ana', photos }, { fromName: 'Ana' })
  const [answer, ...more] = await untilAnswers(service, number, flow.id, 1)
  const told = await untilInHistory(service, number, externalMessageId)
  const { id, submittedAt, ...rest } = answer
  t.regex(id, /^fres_/)
  t.is(submittedAt, told.createdAt)
  t.deepEqual(
    [rest, more],
    [
      {
        flowId: flow.id,
        contactNumber: peer,
        contactName: 'Ana',
        conversationId: told.conversationId,
        messageId: sent.id,
        externalMessageId,
        flowToken: token,
        response: { name: 'Ana', photos },
      },
      [],
    ],
  )
  t.like(told, { type: 'interactive', content: 'Sent', quotedMessageId: message.externalMessageId })
})

test("an answer is joined by its message, else by the token of a message, ours or the tenant's, and without either to nothing", async (t) => {
  const flow = await flowOf(service, number, 'By what')
  const { peer } = await sendFlow(flow.id)
  await submitFlow(service, peer, number, { by: 'message' }, { withoutToken: true })
  await submitFlow(service, peer, number, { by: 'minted token' }, { withoutContext: true })
  const own = await sendFlow(flow.id, { token: 'order 4711' })
  await submitFlow(service, own.peer, number, { by: 'own token' }, { withoutContext: true })
  const lost = await submitFlow(
    service,
    own.peer,
    number,
    { by: 'nothing' },
    { withoutContext: true, withoutToken: true },
  )
  await submitFlow(service, own.peer, number, '{"by": ')
  await untilInHistory(service, number, lost)
  const answers = await untilAnswers(service, number, flow.id, 4)
  t.deepEqual(
    answers
      .map(({ response, flowToken }) => [response?.by, flowToken === null ? null : flowToken.replace(/^ft_.+/, 'ft')])
      .toSorted(),
    [
      [undefined, null],
      ['message', null],
      ['minted token', 'ft'],
      ['own token', 'order 4711'],
    ],
  )
  t.like(
    answers.find(({ response }) => response === null),
    { rawResponse: '{"by": ', messageId: own.sent.id },
  )
})

test('a draft goes out as a draft; a template opens its Flow with a token of its own', async (t) => {
  const draft = await flowOf(service, number, 'Still a draft', false)
  const first = await sendFlow(draft.id)
  const [message] = await untilInbox(service, first.peer, number, 1)
  t.is(message.content.action.parameters.mode, 'draft')
  await submitFlow(service, first.peer, number, { name: 'Ana' })
  await untilAnswers(service, number, draft.id, 1)

  const flow = await flowOf(service, number, 'Behind a button')
  const template = await readyTemplate(service, number, 'with_flow', {
    body: {
      body: 'We would like to know you.',
      buttons: [{ type: 'FLOW', text: 'Tell us', flowId: flow.id, screen: 'START' }],
    },
    examples: {},
  })
  t.is(template.body.buttons[0].flowId, flow.id)
  const peer = newPeer()
  const sent = await send(service, number, {
    destinationNumber: peer,
    templateId: template.id,
    flow: { data: { known: true } },
  })
  await submitFlow(service, peer, number, { name: 'Bob' }, { withoutContext: true })
  const [answer] = await untilAnswers(service, number, flow.id, 1)
  t.like(answer, { messageId: sent.id, response: { name: 'Bob' } })
  t.regex(answer.flowToken, /^ft_/)
})

test('a key sees the answers that its own number received; other accounts see neither the Flow nor its answers', async (t) => {
  const second = await connectOfficial(service, { accountId: number.accountId })
  const stranger = await connectOfficial(service)
  const flow = await flowOf(service, number, 'Of one account')
  const [mine, other] = [await sendFlow(flow.id), await sendFlow(flow.id, { token: 'mine' }, second)]
  await submitFlow(service, mine.peer, number, { name: 'first' })
  await submitFlow(service, other.peer, second, { name: 'second' })
  const names = async (of: OfficialNumber) =>
    (await untilAnswers(service, of, flow.id, 1)).map(({ response }) => response.name)
  t.deepEqual([await names(number), await names(second)], [['first'], ['second']])
  t.like(await service.api('GET', `/v1/flows/${flow.id}/responses`, stranger.key), {
    status: 404,
    body: { code: 'FLOW_NOT_FOUND' },
  })
  const peer = await reachablePeer(service, stranger)
  t.like(
    await service.api('POST', '/v1/messages/send', stranger.key, {
      destinationNumber: peer,
      flow: { ...SAID, flowId: flow.id },
    }),
    { status: 404, body: { code: 'FLOW_NOT_FOUND' } },
  )
  const body = { body: 'Would you tell us?', buttons: [{ type: 'FLOW', text: 'Yes', flowId: flow.id }] }
  t.like(
    await service.api('POST', '/v1/templates', stranger.key, {
      name: 'foreign',
      category: 'UTILITY',
      language: 'en',
      body,
    }),
    { status: 400, body: { code: 'TEMPLATE_FLOW_INVALID' } },
  )
})

test('an answer that comes while the answer of the send is lost is joined once a status names the message', async (t) => {
  const lonely = await connectOfficial(service)
  const flow = await flowOf(service, lonely, 'Overtaken')
  const peer = await reachablePeer(service, lonely)
  await failSends(service, lonely, { drop: 'after' })
  const sent = await send(service, lonely, { destinationNumber: peer, flow: { ...SAID, flowId: flow.id } })
  await submitFlow(service, peer, lonely, { name: 'early' }, { withoutToken: true })
  const [answer] = await untilAnswers(service, lonely, flow.id, 1, sent.id)
  t.like(answer, { messageId: sent.id, response: { name: 'early' } })
})

test('a Flow that upstream blocks is refused at once, and a template for it; once it is let go both are sent', async (t) => {
  const flow = await flowOf(service, number, 'Blocked')
  const template = await readyTemplate(service, number, 'blocked_flow', {
    body: {
      body: 'We would like to know you.',
      buttons: [{ type: 'FLOW', text: 'Tell us', flowId: flow.id, screen: 'START' }],
    },
    examples: {},
  })
  const peer = await reachablePeer(service, number)
  const codes = async () =>
    (
      await Promise.all(
        [{ flow: { ...SAID, flowId: flow.id } }, { templateId: template.id }].map((message) =>
          service.api('POST', '/v1/messages/send', number.key, { destinationNumber: peer, ...message }),
        ),
      )
    ).map(({ status, body }) => body.code ?? status)
  const turn = (status: string) => turnFlow(service, number, flow, status)
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
  await until(
    'the message came in',
    async () => (await service.api('GET', `/v1/messages/${externalMessageId}`, relay.key)).status === 200,
  )
  t.deepEqual(await answersOf(service, relay, flow.id), [])
})

// [flows.responses.1] [flows.responses.2]
test('an answer belongs to the message it answers whatever token it has; tokens of other accounts join nothing, and are told to nobody', async (t) => {
  const stranger = await connectOfficial(service)
  const [first, second, foreign] = [
    await flowOf(service, number, 'First of two'),
    await flowOf(service, number, 'Second of two'),
    await flowOf(service, stranger, 'Foreign'),
  ]
  const [one, two] = [await sendFlow(first.id), await sendFlow(second.id, { token: 'token of the second' })]
  const theirs = await sendFlow(foreign.id, { token: `token of ${foreign.id}` }, stranger)
  const { externalMessageId: quoted } = await untilStatus(service, number, one.sent.id, ['READ'])
  const { externalMessageId: theirMessage } = await untilStatus(service, stranger, theirs.sent.id, ['READ'])
  await answerFlow(service, one.peer, number, { flow_token: 'token of the second', by: 'message' }, { quoted })
  t.like((await untilAnswers(service, number, first.id, 1))[0], {
    messageId: one.sent.id,
    flowToken: 'token of the second',
    response: { by: 'message' },
  })
  const lost = [
    await answerFlow(service, one.peer, number, { flow_token: `token of ${foreign.id}`, by: 'foreign token' }),
    await answerFlow(
      service,
      one.peer,
      number,
      { flow_token: `token of ${foreign.id}`, by: 'foreign both' },
      { quoted: theirMessage },
    ),
    await answerFlow(service, one.peer, number, { by: 'foreign message' }, { quoted: theirMessage }),
    await answerFlow(service, one.peer, number, { flow_token: 'of nobody', by: 'nothing' }),
  ]
  await answerFlow(
    service,
    two.peer,
    number,
    { flow_token: 'token of the second', by: 'token' },
    { quoted: theirMessage },
  )
  t.like(await untilAnswers(service, number, second.id, 1), {
    length: 1,
    0: { messageId: two.sent.id, response: { by: 'token' } },
  })
  for (const id of lost) t.like(await untilInHistory(service, number, id), { type: 'interactive', content: 'Sent' })
  t.deepEqual(
    [(await answersOf(service, number, first.id)).length, await answersOf(service, stranger, foreign.id)],
    [1, []],
  )
})

test('one answer told five times is one, of 64 KB of fields as they came', async (t) => {
  const flow = await flowOf(service, number, 'Told often')
  const { peer, sent } = await sendFlow(flow.id)
  const { externalMessageId: quoted } = await untilStatus(service, number, sent.id, ['READ'])
  const response = {
    ...Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`field ${at}`, '😀é"\\'.repeat(128)])),
    nested: { list: [1, null, { deep: true }] },
    constructor: 'x',
    '': '',
  }
  const body = webhookWith(number, peer, `wamid.${flow.id}`, quoted, response)
  t.true(body.length > 64 * 1_024)
  const told = await Promise.all(Array.from({ length: 4 }, () => postSigned(number, body)))
  const answer = await untilAnswers(service, number, flow.id, 1)
  told.push(await postSigned(number, body))
  t.deepEqual(
    told.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  // The number works off changes in order, so once this answer is stored the earlier changes are done too.
  await submitFlow(service, peer, number, { name: 'another' })
  const answers = await untilAnswers(service, number, flow.id, 2)
  t.deepEqual(
    answers.map(({ externalMessageId }) => externalMessageId).filter((id) => id === `wamid.${flow.id}`).length,
    1,
  )
  t.is(answers.length, 2)
  t.deepEqual(answer[0].response, response)
})

test('an answer that overtakes the answer of its send is joined; so is one of a contact without number or profile', async (t) => {
  const slow = await connectOfficial(service)
  const flow = await flowOf(service, slow, 'Slow')
  const peer = await reachablePeer(service, slow)
  await failSends(service, slow, { answerDelayMs: 1_500 })
  const sent = await send(service, slow, { destinationNumber: peer, flow: { ...SAID, flowId: flow.id } })
  const early = await submitFlow(service, peer, slow, { name: 'early' }, { withoutToken: true })
  t.like((await untilAnswers(service, slow, flow.id, 1))[0], {
    messageId: sent.id,
    externalMessageId: early,
    response: { name: 'early' },
  })

  await submitFlow(service, peer, slow, { name: 'hidden' }, { hiddenAs: 'BR.4711', fromName: null })
  const hidden = (await untilAnswers(service, slow, flow.id, 2)).find(({ response }) => response.name === 'hidden')
  t.like(hidden, { contactNumber: 'BR.4711', contactName: null, messageId: sent.id })
})

// [flows.responses.7]
test('files inside an answer are kept as the upstream told them and can be read by their ids', async (t) => {
  const flow = await flowOf(service, number, 'With a photo')
  const { peer } = await sendFlow(flow.id)
  const picture = await jpeg(31, 17)
  const photo = await untilInHistory(
    service,
    number,
    await write(service, peer, number, {
      type: 'image',
      media: { base64: picture.toString('base64'), mimeType: 'image/jpeg' },
    }),
  )
  const photos = [{ id: photo.media.id, mime_type: 'image/jpeg', sha256: 'x', file_name: 'a.jpg' }]
  await submitFlow(service, peer, number, { photos })
  const [{ response }] = await untilAnswers(service, number, flow.id, 1)
  t.deepEqual(response, { photos })
  const read = await service.api(
    'GET',
    `/v1/media/${response.photos[0].id}?phoneNumberId=${number.phoneId}`,
    number.key,
  )
  t.like(read, {
    status: 200,
    body: { mimeType: 'image/jpeg', base64: `data:image/jpeg;base64,${picture.toString('base64')}` },
  })
})

const DAY_MS = 86_400_000

test('an answer is shown and counted until the second its window ends, on every page; another mode counts from the next request', async (t) => {
  const kept = await connectOfficial(service)
  const flow = await flowOf(service, kept, 'For a day')
  const { peer, sent } = await sendFlow(flow.id, {}, kept)
  const { externalMessageId: quoted } = await untilStatus(service, kept, sent.id, ['READ'])
  // The upstream's times are whole seconds.
  const atMs = Math.floor((Date.now() - DAY_MS) / 1_000) * 1_000 + 4_000
  for (const [name, timestamp] of [
    ['old', atMs - 5 * DAY_MS],
    ['edge', atMs],
    ['new', Date.now()],
  ])
    await answerFlow(service, peer, kept, { name }, { quoted, timestamp })
  await untilAnswers(service, kept, flow.id, 3)
  const set = async (mode: object) =>
    t.is((await service.api('PATCH', `/v1/numbers/${kept.id}`, service.tenantKey, mode)).status, 200)
  const page = async (at: number) =>
    (await service.api('GET', `/v1/flows/${flow.id}/responses?pageSize=1&page=${at}`, kept.key)).body
  const shown = async () => {
    const pages = [await page(1), await page(2), await page(3)]
    return pages.map(({ responses, total }) => `${responses[0]?.response.name ?? '-'} of ${total}`).join(', ')
  }
  t.is(await shown(), 'new of 3, edge of 3, old of 3')
  await set({ piiMode: 'STORE_X_DAYS', piiRetentionDays: 10 })
  t.is((await page(3)).total, 3)
  await set({ piiMode: 'STORE_X_DAYS', piiRetentionDays: 1 })
  await until('the window has ended', async () => {
    const startMs = Date.now()
    const { total, responses } = await page(2)
    // The response may only be listed while the window is open, which was between these two times.
    if (total === 2)
      t.true(startMs <= atMs + DAY_MS && responses[0].response.name === 'edge', 'it is shown within its window alone')
    else t.true(Date.now() > atMs + DAY_MS, 'it is withheld behind its window alone')
    return total !== 2
  })
  t.is(await shown(), 'new of 1, - of 1, - of 1')
  await set({ piiMode: 'STORE_INDEFINITE' })
  t.is(await shown(), 'new of 3, edge of 3, old of 3')
  await set({ piiMode: 'RELAY_ONLY' })
  t.like(await page(1), { responses: [], total: 0, notice: 'PII_RELAY_ONLY' })
})
