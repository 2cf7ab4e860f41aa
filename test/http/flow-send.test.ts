import test from 'ava'
import type { ExecutionContext } from 'ava'
import { FLOW_STATUSES } from '../../src/domain/flow.ts'
import type { SentFlow } from '../../src/ports/stores/message-store.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { OFFICIAL_FACTS } from '../helpers/http-memory-official.ts'

const TO = { destinationNumber: '+55 11 99999-0001' }
const SAID = { text: 'Book a table', cta: 'Book' }
const TOKEN = /^ft_[\w-]{43}$/

async function open(t: ExecutionContext, provider: 'OFFICIAL' | 'UNOFFICIAL' = 'OFFICIAL') {
  const world = new World()
  const { number, key } = provider === 'OFFICIAL' ? world.addOfficial() : { number: world.number, key: world.numberKey }
  const client = await serve(t, world)
  const send = (body: object) => client.send('POST', '/v1/messages/send', { key: key.raw, body: { ...TO, ...body } })
  return { world, number, send, accepted: world.messages.accepted }
}

// [flows.sending.6] [flows.sending.1] [flows.sending.3]
test("a Flow is taken with upstream's id, a token of its own and what its message says", async (t) => {
  const { world, number, send, accepted } = await open(t)
  const { id, officialFlowId } = world.flows.add(number, { officialStatus: 'PUBLISHED' })
  t.is((await send({ flow: { ...SAID, flowId: id } })).status, 202)
  const [first] = accepted
  const { token = '' } = first?.message.flow ?? {}
  t.regex(token, TOKEN)
  t.like(first?.message, {
    type: 'flow',
    template: null,
    content: { text: SAID.text },
    flow: { id, token, statuses: ['PUBLISHED', 'THROTTLED'] },
  })
  t.deepEqual(first?.message.outgoing, {
    mode: 'flow',
    text: SAID.text,
    header: null,
    footer: null,
    cta: SAID.cta,
    officialFlowId: officialFlowId ?? '',
    isDraft: false,
    token,
    action: 'navigate',
    screen: null,
    data: null,
  })
  const all = {
    header: 'Acme',
    footer: 'Bye',
    action: 'data_exchange',
    screen: 'START',
    data: { guests: 2, __proto__: 1 },
    token: 'a'.repeat(256),
  }
  t.is((await send({ flow: { ...SAID, ...all, flowId: id } })).status, 202)
  t.like(accepted[1]?.message, { flow: { token: all.token }, outgoing: { ...all, mode: 'flow' } })
  await send({ flow: { ...SAID, flowId: id } })
  t.not(accepted[2]?.message.flow?.token, token, 'each message has its own')
})

const WRONG: Readonly<Record<string, readonly [body: object, path: string]>> = {
  'no Flow': [{ flow: SAID }, 'flow.flowId'],
  'no text': [{ flow: { flowId: 'flow_1', cta: 'a' } }, 'flow.text'],
  'a text of 1,025 characters': [{ flow: { ...SAID, flowId: 'flow_1', text: 'a'.repeat(1_025) } }, 'flow.text'],
  'no label': [{ flow: { flowId: 'flow_1', text: 'a' } }, 'flow.cta'],
  'a label of 31 characters': [{ flow: { ...SAID, flowId: 'flow_1', cta: 'a'.repeat(31) } }, 'flow.cta'],
  'a header of 61 characters': [{ flow: { ...SAID, flowId: 'flow_1', header: 'a'.repeat(61) } }, 'flow.header'],
  'an empty footer': [{ flow: { ...SAID, flowId: 'flow_1', footer: '' } }, 'flow.footer'],
  'another action': [{ flow: { ...SAID, flowId: 'flow_1', action: 'fly' } }, 'flow.action'],
  'an empty screen': [{ flow: { ...SAID, flowId: 'flow_1', screen: '' } }, 'flow.screen'],
  'empty data': [{ flow: { ...SAID, flowId: 'flow_1', data: {} } }, 'flow.data'],
  'data that are a list': [{ flow: { ...SAID, flowId: 'flow_1', data: [1] } }, 'flow.data'],
  'an empty token': [{ flow: { ...SAID, flowId: 'flow_1', token: '' } }, 'flow.token'],
  'a token of 257 characters': [{ flow: { ...SAID, flowId: 'flow_1', token: 'a'.repeat(257) } }, 'flow.token'],
  'a Flow that is a text': [{ flow: 'flow_1' }, 'flow'],
  'an empty Flow': [{ flow: {} }, ''],
  'a Flow and a text': [{ text: 'a', flow: { ...SAID, flowId: 'flow_1' } }, 'flow'],
  'a Flow with a footer beside it': [{ footer: 'a', flow: { ...SAID, flowId: 'flow_1' } }, 'footer'],
}

// [flows.sending.3]
test('a malformed send is a 400 that names the field, before the Flow is looked up', async (t) => {
  const { send, accepted } = await open(t)
  for (const [what, [fields, path]] of Object.entries(WRONG)) {
    const { status, body } = await send(fields)
    t.deepEqual([status, body.code], [400, undefined], what)
    t.true(
      body.details.some((fault: { path: string }) => fault.path === path),
      `${what}: ${JSON.stringify(body.details)}`,
    )
  }
  t.deepEqual(accepted, [])
})

// [flows.sending.4]
test('a Flow of another account is unknown, of another tenant too', async (t) => {
  const { world, send, accepted } = await open(t)
  const official = { ...OFFICIAL_FACTS, accountId: '102290129340399' }
  const { number: ofTenant } = world.addNumber(world.tenantId, '5511966665556', { provider: 'OFFICIAL', official })
  const { number: ofOther } = world.addNumber(world.otherTenantId, '5511966665557', {
    provider: 'OFFICIAL',
    official: OFFICIAL_FACTS,
  })
  for (const flowId of [
    'flow_1',
    world.flows.add(ofTenant, { officialStatus: 'PUBLISHED' }).id,
    world.flows.add(ofOther, { officialStatus: 'PUBLISHED' }).id,
  ]) {
    const { status, body } = await send({ flow: { ...SAID, flowId } })
    t.deepEqual([status, body.code], [404, 'FLOW_NOT_FOUND'], flowId)
  }
  t.deepEqual(accepted, [])
})

const MODES = { DRAFT: 'draft', PUBLISHED: 'public', THROTTLED: 'public', DEPRECATED: null, BLOCKED: null } as const

// [flows.sending.4] [flows.sending.5] [flows.object.4]
test('a draft goes out as a draft, what upstream throttles goes, what it blocks or is deprecated does not', async (t) => {
  const { world, number, send, accepted } = await open(t)
  for (const officialStatus of FLOW_STATUSES) {
    const { id } = world.flows.add(number, { officialStatus })
    const { status, body } = await send({ flow: { ...SAID, flowId: id } })
    t.deepEqual(
      [status, body.code, body.details],
      MODES[officialStatus] ? [202, undefined, undefined] : [409, 'FLOW_NOT_SENDABLE', { officialStatus }],
      officialStatus,
    )
    if (MODES[officialStatus])
      t.like(accepted.at(-1)?.message, { outgoing: { isDraft: MODES[officialStatus] === 'draft' } })
  }
  const { id } = world.flows.add(number, { officialFlowId: null })
  t.like(await send({ flow: { ...SAID, flowId: id } }), { status: 409, body: { code: 'FLOW_NOT_SENDABLE' } })
})

test('a Flow that leaves its state between the look and the message is looked at again', async (t) => {
  const { world, number, send, accepted } = await open(t)
  const { id } = world.flows.add(number, { officialStatus: 'DRAFT' })
  const { isCurrent } = world.messages
  const seen: (SentFlow | null)[] = []
  world.messages.isCurrent = (message) => {
    if (seen.push(message.flow) === 1)
      void world.flows.change(id, () => ({ kind: 'CHANGE', patch: { officialStatus: 'PUBLISHED' } }))
    return isCurrent(message)
  }
  t.is((await send({ flow: { ...SAID, flowId: id } })).status, 202)
  t.deepEqual(
    seen.map((flow) => flow?.statuses),
    [['DRAFT'], ['PUBLISHED', 'THROTTLED']],
  )
  t.like(accepted[0]?.message, { outgoing: { isDraft: false } })
})

// [flows.sending.2] [flows.sending.1]
test('an UNOFFICIAL number has no Flows', async (t) => {
  const { send, accepted } = await open(t, 'UNOFFICIAL')
  t.like(await send({ flow: { ...SAID, flowId: 'flow_1' } }), {
    status: 422,
    body: { code: 'FLOW_REQUIRES_OFFICIAL_NUMBER' },
  })
  t.deepEqual(accepted, [])
})

// [flows.sending.1]
test("a template with a Flow is sent with a token, the caller's or one of its own, and its data", async (t) => {
  const { world, number, send, accepted } = await open(t)
  const flow = world.flows.add(number, { officialStatus: 'PUBLISHED' })
  const template = world.templates.add(number, {
    body: 'Hi.',
    buttons: [
      { type: 'QUICK_REPLY', text: 'No' },
      { type: 'FLOW', text: 'Book', flowId: flow.id },
    ],
  })
  const button = (action: object) => [
    { type: 'button', sub_type: 'flow', index: '1', parameters: [{ type: 'action', action }] },
  ]
  t.is((await send({ templateId: template.id, flow: { token: 'mine', data: { guests: 2 } } })).status, 202)
  t.like(accepted[0]?.message, { type: 'template', flow: { id: flow.id, token: 'mine' } })
  t.like(accepted[0]?.message.outgoing, { components: button({ flow_token: 'mine', flow_action_data: { guests: 2 } }) })
  // The first send made the node remember the template; this one uses that memory.
  t.is((await send({ templateId: template.id })).status, 202)
  const token = accepted[1]?.message.flow?.token ?? ''
  t.regex(token, TOKEN)
  t.deepEqual(accepted[1]?.message.outgoing, {
    mode: 'template',
    name: 'welcome',
    language: 'pt_BR',
    files: [],
    isMarketing: true,
    components: button({ flow_token: token }),
  })
  const plain = world.templates.add(number, 'Hi.', { name: 'plain' })
  t.like(await send({ templateId: plain.id, flow: { token: 'mine' } }), {
    status: 400,
    body: { details: [{ path: 'flow' }] },
  })
})

test('a template is refused for its Flow, remembered or not', async (t) => {
  const { world, number, send, accepted } = await open(t)
  const flow = world.flows.add(number, { officialStatus: 'PUBLISHED' })
  const { id: templateId } = world.templates.add(number, {
    body: 'Hi.',
    buttons: [{ type: 'FLOW', text: 'Book', flowId: flow.id }],
  })
  for (const officialStatus of FLOW_STATUSES) {
    await world.flows.change(flow.id, () => ({ kind: 'CHANGE', patch: { officialStatus } }))
    const { status, body } = await send({ templateId })
    t.deepEqual(
      [status, body.code],
      MODES[officialStatus] ? [202, undefined] : [409, 'FLOW_NOT_SENDABLE'],
      officialStatus,
    )
  }
  await world.flows.change(flow.id, () => ({ kind: 'REMOVE' }))
  t.like(await send({ templateId }), { status: 404, body: { code: 'FLOW_NOT_FOUND' } })
  t.is(accepted.length, 3)
})
