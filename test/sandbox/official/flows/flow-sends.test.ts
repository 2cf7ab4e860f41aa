import { generateKeyPairSync } from 'node:crypto'
import test from 'ava'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { BUSINESS, startOfficial, USER, type Graph, type OfficialPlayground } from '../official-playground.ts'

const PEER = `${USER}0006`
const DOCUMENT = {
  version: '7.1',
  screens: [
    {
      id: 'ONLY',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [{ type: 'Footer', label: 'Send', 'on-click-action': { name: 'complete', payload: {} } }],
      },
    },
  ],
}

async function open(t: { teardown(run: () => Promise<void>): void }): Promise<OfficialPlayground> {
  const official = await startOfficial({}, { clock: new FakeClock() })
  t.teardown(() => official.close())
  await official.subscribe()
  await official.control('POST', `/peers/${PEER}/messages`, { to: BUSINESS, type: 'text', text: 'hi' })
  return official
}

async function make({ graph, seeded }: OfficialPlayground, more: object = {}): Promise<string> {
  const { body } = await graph('POST', `${seeded.accountId}/flows`, {
    name: 'Survey',
    categories: ['SURVEY'],
    flow_json: JSON.stringify(DOCUMENT),
    publish: true,
    ...more,
  })
  return body.id
}

function send({ graph, seeded }: OfficialPlayground, parameters: object): Promise<Graph> {
  return graph('POST', `${seeded.phoneId}/messages`, {
    messaging_product: 'whatsapp',
    to: PEER,
    type: 'interactive',
    interactive: {
      type: 'flow',
      body: { text: 'Please' },
      action: { name: 'flow', parameters: { flow_message_version: '3', flow_cta: 'Open', ...parameters } },
    },
  })
}

function sendTemplate({ graph, seeded }: OfficialPlayground, components: object[] = []): Promise<Graph> {
  return graph('POST', `${seeded.phoneId}/messages`, {
    messaging_product: 'whatsapp',
    to: PEER,
    type: 'template',
    template: { name: 'survey', language: { code: 'en_US' }, components },
  })
}

/** Fills in a Flow; resolves to the answer and to what webhooks told of it. */
async function answered({ control, receiver }: OfficialPlayground, body: object) {
  const answer = await control('POST', `/peers/${PEER}/flows`, { to: BUSINESS, response: { stars: 5 }, ...body })
  if (answer.status !== 201) return answer
  const message = await until('it is told', () =>
    receiver.messages().find(({ id }) => id === answer.body.externalMessageId),
  )
  const contact = receiver.changes('messages').find(({ value }) => value.messages?.[0]?.id === message.id).value
    .contacts[0]
  return { ...answer, message, contact, reply: message.interactive.nfm_reply }
}

// [sandbox.templates-and-flows.23]
test('a Flow is sent by id or name, in the mode of its state, and filled in by the peer it reached', async (t) => {
  const official = await open(t)
  t.is((await answered(official, {})).status, 409, 'nothing was sent')
  const flowId = await make(official)
  const draftId = await make(official, { name: 'Draft', publish: false })
  const sent = await send(official, {
    flow_id: flowId,
    flow_token: 'ft_1',
    flow_action_payload: { screen: 'ONLY', data: { a: 1 } },
  })
  t.is(sent.status, 200)
  const [{ id: wamid }] = sent.body.messages
  t.is((await send(official, { flow_name: 'Survey' })).status, 200)
  t.is((await send(official, { flow_id: draftId, mode: 'draft' })).status, 200)
  const {
    body: { messages },
  } = await official.control('GET', `/peers/${PEER}/inbox`)
  t.like(messages[0], {
    type: 'interactive',
    content: { type: 'flow', action: { parameters: { flow_id: flowId, flow_token: 'ft_1' } } },
  })

  const first = await answered(official, { messageId: wamid })
  t.like(first, {
    message: { type: 'interactive', context: { from: BUSINESS, id: wamid }, interactive: { type: 'nfm_reply' } },
    reply: { name: 'flow', body: 'Sent' },
  } as object)
  t.deepEqual(JSON.parse((first as any).reply.response_json), { flow_token: 'ft_1', stars: 5 })
  const newest = await answered(official, { response: 'no {JSON', withoutContext: true, fromName: null })
  t.like(newest, {
    reply: { response_json: 'no {JSON' },
    message: { context: undefined },
    contact: { profile: undefined },
  } as object)
  const bare = await answered(official, { withoutToken: true, hiddenAs: 'US.1' })
  t.is((bare as any).reply.response_json, '{"stars":5}')
  t.like(bare, { message: { from: undefined, from_user_id: 'US.1' } } as object)
  t.deepEqual(JSON.parse(((await answered(official, {})) as any).reply.response_json), {
    flow_token: 'unused',
    stars: 5,
  })
  t.is((await answered(official, { messageId: 'wamid.x' })).status, 409)
})

// [sandbox.templates-and-flows.22]
test('a Flow is sent only in a mode that fits its state, ten times an hour while throttled, and only by its own account', async (t) => {
  const official = await open(t)
  const flowId = await make(official)
  const draftId = await make(official, { name: 'Draft', publish: false })
  const codeOf = async (parameters: object) => (await send(official, parameters)).body.error?.code ?? null
  t.deepEqual(
    await Promise.all([
      codeOf({ flow_id: '123' }),
      codeOf({ flow_name: 'None' }),
      codeOf({ flow_id: draftId }),
      codeOf({ flow_id: draftId, mode: 'published' }),
      codeOf({ flow_id: flowId, mode: 'draft' }),
    ]),
    [100, 100, 131009, 131009, 131009],
  )
  const turn = (status: string) =>
    official.control('POST', `/official/flows/${flowId}/status`, { status, isSilent: true })
  await turn('THROTTLED')
  const tries = []
  for (let n = 0; n < 11; n++) tries.push(await codeOf({ flow_id: flowId }))
  t.deepEqual(tries, [...Array.from({ length: 10 }, () => null), 132069])
  await official.advance(3_600_000)
  t.is(await codeOf({ flow_id: flowId }), null)
  await turn('BLOCKED')
  t.is(await codeOf({ flow_id: flowId }), 132068)
  await turn('DEPRECATED')
  t.is(await codeOf({ flow_id: flowId }), 131009)
  t.deepEqual(
    official.receiver
      .changes('flows')
      .map(({ value }) => value.new_status)
      .filter((status) => ['THROTTLED', 'BLOCKED'].includes(status)),
    [],
    'silent turns are not told',
  )
  const { body: other } = await official.control('POST', '/official/numbers', { number: '551140000001' })
  const theirs = await make({
    ...official,
    seeded: other,
    graph: (method, path, body) => official.graph(method, path, body, other.accessToken),
  })
  t.is(await codeOf({ flow_id: theirs }), 100)
})

test('a template opens a published Flow of its account alone, and its button takes a token and data', async (t) => {
  const official = await open(t)
  const flowId = await make(official)
  const draftId = await make(official, { name: 'Draft', publish: false })
  const submit = (named: object, name = 'survey') =>
    official.graph('POST', `${official.seeded.accountId}/message_templates`, {
      name,
      language: 'en_US',
      category: 'UTILITY',
      components: [
        { type: 'BODY', text: 'How was it?' },
        { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Tell us', ...named }] },
      ],
    })
  for (const named of [{ flow_id: '123' }, { flow_id: draftId }, { flow_name: 'None' }])
    t.is((await submit(named)).body.error?.code, 100)
  t.is((await submit({ flow_id: flowId })).status, 200)
  await official.advance(1_000)
  const button = (action: object) => [
    { type: 'button', sub_type: 'flow', index: '0', parameters: [{ type: 'action', action }] },
  ]
  t.is((await sendTemplate(official, button({ flow_token: 'ft_2', flow_action_data: { a: 1 } }))).status, 200)
  t.deepEqual(JSON.parse(((await answered(official, {})) as any).reply.response_json), { flow_token: 'ft_2', stars: 5 })
  t.is((await sendTemplate(official, button({}))).status, 200)
  t.deepEqual(JSON.parse(((await answered(official, {})) as any).reply.response_json), {
    flow_token: 'unused',
    stars: 5,
  })
  t.is((await sendTemplate(official, button({ flow_token: 1 }))).body.error.code, 132012)
  t.is((await sendTemplate(official)).body.error.code, 131009)
  await official.control('POST', `/official/flows/${flowId}/status`, { status: 'BLOCKED' })
  t.is((await sendTemplate(official, button({}))).body.error.code, 132068)
})

// [sandbox.templates-and-flows.3]
test('requests of Flows are known by name to faults and to the ledger, without signatures', async (t) => {
  const official = await open(t)
  const flowId = await make(official)
  await official.control('POST', '/faults', { match: { op: 'flow.publish' }, error: '139000' })
  t.is((await official.graph('POST', `${flowId}/publish`)).body.error.code, 139000)
  const asked: [string, string][] = [
    ['GET', `${official.seeded.accountId}/flows`],
    ['GET', flowId],
    ['POST', flowId],
    ['GET', `${flowId}/assets`],
    ['POST', `${flowId}/assets`],
    ['POST', `${flowId}/deprecate`],
    ['DELETE', flowId],
    ['GET', `${official.seeded.phoneId}/whatsapp_business_encryption`],
    ['POST', `${official.seeded.phoneId}/whatsapp_business_encryption`],
  ]
  for (const [method, path] of asked) await official.graph(method, path)
  const {
    body: {
      data: [{ download_url: url }],
    },
  } = await official.graph('GET', `${flowId}/assets`)
  t.deepEqual(await (await fetch(url)).json(), DOCUMENT)
  t.is((await fetch(url.replace(/oh=./, (found: string) => (found === 'oh=-' ? 'oh=_' : 'oh=-')))).status, 403)
  await official.advance(86_400_000)
  t.is((await fetch(url)).status, 403)
  const {
    body: { requests },
  } = await official.control('GET', '/requests')
  t.deepEqual(
    requests.map(({ op }: any) => op).filter((op: string | null) => op !== null),
    [
      'flow.create',
      'flow.publish',
      'flow.list',
      'flow.read',
      'flow.update',
      'flow.assets',
      'flow.asset',
      'flow.deprecate',
      'flow.delete',
      'encryption.read',
      'encryption.set',
      'flow.assets',
    ],
  )
  t.false(JSON.stringify(requests).includes(new URL(url).searchParams.get('oh') ?? 'x'))
})

test('a Flow is read by the fields asked for, its preview renewed when it is over or told to be', async (t) => {
  const official = await open(t)
  const flowId = await make(official)
  const read = async (fields: string) => (await official.graph('GET', `${flowId}?fields=${fields}`)).body
  t.deepEqual(Object.keys((await official.graph('GET', flowId)).body), [
    'id',
    'name',
    'status',
    'categories',
    'validation_errors',
  ])
  const { preview } = await read('preview.invalidate(false)')
  t.deepEqual((await read('name,preview.invalidate(false),health_status.phone_number(1)')).preview, preview)
  t.not((await read('preview.invalidate(true)')).preview.preview_url, preview.preview_url)
  const { preview: second } = await read('preview')
  await official.advance(30 * 86_400_000)
  t.not((await read('preview')).preview.preview_url, second.preview_url)
  t.like(await read('json_version,health_status,application'), {
    json_version: '7.1',
    health_status: { can_send_message: 'AVAILABLE' },
    application: { id: official.seeded.appId },
  })
  t.is((await read('shoe_size')).error.code, 100)
  t.is((await read('metric.name(ENDPOINT_REQUEST_COUNT)')).error.code, 139006)
  t.like((await official.graph('GET', '123')).body.error, { code: 100, error_subcode: 33 })
})

// [sandbox.templates-and-flows.3] [sandbox.templates-and-flows.21]
test('a Flow that asks an endpoint for data is published once it has the address and a key', async (t) => {
  const official = await open(t)
  const exchange = { ...DOCUMENT, data_api_version: '3.0', routing_model: { ONLY: [] } }
  const flowId = await make(official, { flow_json: JSON.stringify(exchange) })
  const publish = async () => (await official.graph('POST', `${flowId}/publish`)).body.error?.error_user_title ?? null
  t.regex(await publish(), /endpoint_uri/)
  t.is((await official.graph('POST', flowId, { endpoint_uri: 'https://example.com/x' })).status, 200)
  t.regex(await publish(), /Public Key/)
  const { publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  t.is(
    (
      await official.graph('POST', `${official.seeded.phoneId}/whatsapp_business_encryption`, {
        business_public_key: publicKey,
      })
    ).status,
    200,
  )
  t.is(await publish(), null)
  t.is((await official.control('GET', '/official/flows?name=Survey')).body.flows[0].status, 'PUBLISHED')
})
