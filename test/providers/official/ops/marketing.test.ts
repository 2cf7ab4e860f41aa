import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { SendableContent } from '../../../../src/ports/provider.ts'
import type { MarketingDoor } from '../../../../src/ports/official/marketing.ts'
import { mediaFile, message, text } from '../../../helpers/sendables.ts'
import { graphError } from '../scripted-graph.ts'
import type { Scripted } from '../scripted-graph.ts'
import { AT, opened, SENT, TAKEN } from './message-rig.ts'

const THERE = 'POST /1001/marketing_messages'
const QUESTION = 'GET /2002'
const TEMPLATE = { mode: 'template', name: 'sale', language: 'pt_BR', components: [], files: [] } as const
const MARKETING: SendableContent = { ...TEMPLATE, isMarketing: true }
const THERE_SENT = { kind: 'sent', externalMessageId: 'wamid.M' } as const

/** A session whose door is open, or asks as `isAsking` says. What upstream is asked is listed in `paths`. */
async function atDoor(t: ExecutionContext, { isAsking = false, isOpen = true } = {}) {
  const refused: string[] = []
  const marketing: MarketingDoor = {
    isOpen: async (_, ask) => (isAsking ? (await ask()) === true : isOpen),
    refused: async (numberId) => void refused.push(numberId),
  }
  const rig = await opened(t, {}, { marketing })
  rig.server.on(THERE, { json: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.M' }] } })
  const paths = () => rig.server.asked.map(({ method, path }) => `${method} ${path}`)
  return { ...rig, refused, paths }
}

// [message-verbs.delivery.2]
test('a MARKETING template of an account that is let in goes to the endpoint for them, with the body of a message', async (t) => {
  const { server, session, paths } = await atDoor(t)
  const sending = message(MARKETING)
  t.deepEqual(await session.sendMessage(sending), THERE_SENT)
  t.deepEqual(paths(), [THERE])
  t.deepEqual(server.asked[0]?.body, {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: sending.to.address,
    type: 'template',
    template: { name: 'sale', language: { code: 'pt_BR' } },
    biz_opaque_callback_data: sending.messageId,
  })
})

// [message-verbs.delivery.2]
test('other templates and other messages never go there, and ask nothing', async (t) => {
  const { session, paths } = await atDoor(t, { isAsking: true })
  for (const content of [TEMPLATE, text('Hello')]) t.deepEqual(await session.sendMessage(message(content)), SENT)
  t.deepEqual(paths(), [AT, AT])
})

// [message-verbs.delivery.2] [message-verbs.delivery.4]
test('the account is asked for by its field; only ONBOARDED is let in', async (t) => {
  const answers: readonly (readonly [Scripted, string])[] = [
    [{ json: { marketing_messages_onboarding_status: 'ONBOARDED', id: '2002' } }, THERE],
    [{ json: { marketing_messages_onboarding_status: 'ELIGIBLE', id: '2002' } }, AT],
    [{ json: { marketing_messages_onboarding_status: 'STATUS_OF_2030', id: '2002' } }, AT],
    [{ json: { id: '2002' } }, AT],
    [graphError(100), AT],
    [graphError(2, 500), AT],
    ['drop', AT],
  ]
  for (const [answer, edge] of answers) {
    const { server, session, paths } = await atDoor(t, { isAsking: true })
    server.on(QUESTION, answer)
    t.is((await session.sendMessage(message(MARKETING))).kind, 'sent')
    t.deepEqual(paths(), [QUESTION, edge], JSON.stringify(answer))
    t.deepEqual(server.asked[0]?.query, { fields: 'marketing_messages_onboarding_status' })
  }
})

const REFUSED: readonly (readonly [answer: Scripted, isOfAccount: boolean])[] = [
  ...[100, 131009, 134100, 134101, 134102].map((code) => [graphError(code), false] as const),
  ...[10, 200, 299].map((code) => [graphError(code, 403), true] as const),
  [graphError(3, 500), true],
  [graphError(2500), true],
  [graphError(100, 400, { error_subcode: 33 }), true],
  [{ status: 404, json: { error: { message: 'Unknown path', type: 'GraphMethodException' } } }, true],
  [{ status: 404, text: '<html>no such page</html>' }, true],
]
for (const [answer, isOfAccount] of REFUSED) {
  // [message-verbs.delivery.5]
  test(`refused there with ${JSON.stringify(answer)} a message goes as all others at once${isOfAccount ? ', and the account is out' : ''}`, async (t) => {
    const { server, session, refused, paths } = await atDoor(t)
    server.on(THERE, answer)
    t.deepEqual(await session.sendMessage(message(MARKETING)), SENT)
    t.deepEqual(paths(), [THERE, AT])
    t.deepEqual(server.asked[0]?.body, server.asked[1]?.body)
    t.is(refused.length, isOfAccount ? 1 : 0)
  })
}

// [message-verbs.delivery.5]
test('a refusal of the message itself stands, as on the way of all messages', async (t) => {
  for (const code of [131026, 131049, 131050, 132001, 132015, 131042, 131047]) {
    const { server, session, refused, paths } = await atDoor(t)
    server.on(THERE, graphError(code)).on(AT, graphError(code))
    const there = await session.sendMessage(message(MARKETING))
    t.deepEqual(paths(), [THERE], String(code))
    t.is(there.kind, 'refused')
    t.deepEqual(there, await session.sendMessage(message(TEMPLATE)), String(code))
    t.deepEqual(refused, [])
  }
})

// [message-verbs.delivery.5]
test('throttling and faults there are those of the way of all messages', async (t) => {
  const answers: readonly Scripted[] = [
    graphError(130429),
    graphError(131056),
    graphError(190, 401),
    graphError(131016, 500),
    graphError(131009, 400, { is_transient: true }),
    { status: 429, text: 'slow down' },
  ]
  for (const answer of answers) {
    const { server, session, paths } = await atDoor(t)
    server.on(THERE, answer).on(AT, answer)
    const there = await session.sendMessage(message(MARKETING))
    t.deepEqual(paths(), [THERE], JSON.stringify(answer))
    t.not(there.kind, 'sent')
    t.deepEqual(there, await session.sendMessage(message(TEMPLATE)), JSON.stringify(answer))
  }
})

// [message-verbs.delivery.5]
test('what is in doubt there is never asked for by the other way', async (t) => {
  const answers: readonly Scripted[] = [
    'drop',
    { status: 502, text: '<html>bad gateway</html>' },
    { json: { messaging_product: 'whatsapp' } },
  ]
  for (const answer of answers) {
    const { server, session, refused, paths } = await atDoor(t)
    server.on(THERE, answer)
    t.is((await session.sendMessage(message(MARKETING))).kind, 'unknown', JSON.stringify(answer))
    t.deepEqual(paths(), [THERE])
    t.deepEqual(refused, [])
  }
})

// [message-verbs.delivery.5]
test('a refusal that a lost file may have caused has it uploaded anew, once both ways gave it', async (t) => {
  const { server, session, paths } = await atDoor(t)
  const source = await mediaFile(t, 'a.jpg', 'image/jpeg')
  const components = [{ type: 'header', parameters: [{ type: 'image', image: { id: '' } }] }]
  const content: SendableContent = {
    ...MARKETING,
    components,
    files: [{ kind: 'image', source, fileName: null, isOwn: true }],
  }
  server.on('POST /1001/media', { json: { id: 'm1' } }, { json: { id: 'm2' } })
  t.deepEqual(await session.sendMessage(message(content)), THERE_SENT)
  server.on(THERE, graphError(131009)).on(AT, graphError(131009), TAKEN)
  t.deepEqual(await session.sendMessage(message(content)), SENT)
  t.deepEqual(paths(), ['POST /1001/media', THERE, THERE, AT, 'POST /1001/media', THERE, AT])
})
