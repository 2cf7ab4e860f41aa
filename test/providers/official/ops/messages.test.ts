import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { FlowMode } from '../../../../src/domain/outgoing.ts'
import type { SendableMessage } from '../../../../src/ports/provider.ts'
import { message, PEER, text } from '../../../helpers/sendables.ts'
import { graphError } from '../scripted-graph.ts'
import { AT, opened, QUICK, SENT, URL_BUTTON } from './message-rig.ts'

/** The body of the single request that sends a message. */
async function bodyOf(t: ExecutionContext, sending: SendableMessage) {
  const { server, session } = await opened(t)
  t.deepEqual(await session.sendMessage(sending), SENT)
  t.is(server.asked.length, 1)
  return server.asked[0]?.body
}

test('a text is sent to the peer and named by our message id', async (t) => {
  const sending = message(text('Hello'))
  t.deepEqual(await bodyOf(t, sending), {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: PEER,
    type: 'text',
    text: { body: 'Hello' },
    biz_opaque_callback_data: sending.messageId,
  })
})

test('a text with a link shows its preview', async (t) => {
  t.like(await bodyOf(t, message(text('See https://example.com/a'))), {
    text: { body: 'See https://example.com/a', preview_url: true },
  })
})

test('a quote names the message quoted', async (t) => {
  t.like(await bodyOf(t, message(text('Yes'), { quotedMessageId: 'wamid.Q' })), { context: { message_id: 'wamid.Q' } })
})

test('a user who hides the number is reached by upstream’s id', async (t) => {
  const body = await bodyOf(t, message(text('Hi'), { to: { type: 'DIRECT', address: 'US.13491' } }))
  t.like(body, { recipient: 'US.13491' })
  t.false('to' in (body ?? {}))
})

test('an answer that names the user by number and by id tells both', async (t) => {
  const { server, session } = await opened(t)
  server.on('POST /1001/messages', {
    json: { contacts: [{ input: PEER, wa_id: PEER, user_id: 'US.13491' }], messages: [{ id: 'wamid.N' }] },
  })
  t.deepEqual(await session.sendMessage(message(text('Hi'))), {
    kind: 'sent',
    externalMessageId: 'wamid.N',
    named: { addresses: [PEER, 'US.13491'] },
  })
})

test('quick replies are buttons with header and footer', async (t) => {
  t.like(await bodyOf(t, message(text('Coming?', { buttons: QUICK, header: 'Party', footer: 'Free' }))), {
    type: 'interactive',
    interactive: {
      type: 'button',
      header: { type: 'text', text: 'Party' },
      body: { text: 'Coming?' },
      footer: { text: 'Free' },
      action: {
        buttons: ['Yes', 'No', 'Later'].map((title) => ({ type: 'reply', reply: { id: `id-${title}`, title } })),
      },
    },
  })
})

test('one link is a call to action', async (t) => {
  t.like(
    await bodyOf(t, message(text('Read', { buttons: [{ type: 'URL', text: 'Open', url: 'https://example.com' }] }))),
    {
      interactive: {
        type: 'cta_url',
        body: { text: 'Read' },
        action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://example.com' } },
      },
    },
  )
})

const IMPOSSIBLE: readonly (readonly [name: string, sending: SendableMessage])[] = [
  ['two links', message(text('x', { buttons: [URL_BUTTON, URL_BUTTON] }))],
  ['a link beside a quick reply', message(text('x', { buttons: [URL_BUTTON, ...QUICK.slice(0, 1)] }))],
  ['four quick replies', message(text('x', { buttons: [...QUICK, ...QUICK.slice(0, 1)] }))],
  ['a phone button', message(text('x', { buttons: [{ type: 'PHONE_NUMBER', text: 'Call', phoneNumber: PEER }] }))],
  ['a group', message(text('x'), { to: { type: 'GROUP', address: '1@g.us' } })],
  ['a channel', message(text('x'), { to: { type: 'NEWSLETTER', address: '1@newsletter' } })],
]

for (const [name, sending] of IMPOSSIBLE) {
  test(`${name} is refused without asking upstream`, async (t) => {
    const { server, session } = await opened(t)
    t.like(await session.sendMessage(sending), {
      kind: 'refused',
      failure: { code: 'OFFICIAL_ERROR', upstreamCode: null },
    })
    t.is(server.asked.length, 0)
  })
}

test('a template goes by its name and language, with what fills it in', async (t) => {
  const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }]
  const sending = message({ mode: 'template', name: 'welcome', language: 'pt_BR', components, files: [] })
  t.deepEqual(await bodyOf(t, sending), {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: PEER,
    biz_opaque_callback_data: sending.messageId,
    type: 'template',
    template: { name: 'welcome', language: { code: 'pt_BR' }, components },
  })
  const plain = message({ mode: 'template', name: 'welcome', language: 'en_US', components: [], files: [] })
  t.deepEqual((await bodyOf(t, plain))?.['template'], { name: 'welcome', language: { code: 'en_US' } })
})

const FLOW: FlowMode = {
  mode: 'flow',
  text: 'Book a table',
  header: null,
  footer: null,
  cta: 'Book',
  officialFlowId: '98765432109876543210',
  isDraft: false,
  token: 'ft_1',
  action: 'navigate',
  screen: null,
  data: null,
}

test("a Flow goes by upstream's id, with its token and what its first screen begins with", async (t) => {
  const sending = message(FLOW)
  const parameters = {
    flow_message_version: '3',
    flow_id: '98765432109876543210',
    flow_cta: 'Book',
    flow_token: 'ft_1',
    mode: 'published',
    flow_action: 'navigate',
  }
  t.deepEqual(await bodyOf(t, sending), {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: PEER,
    biz_opaque_callback_data: sending.messageId,
    type: 'interactive',
    interactive: { type: 'flow', body: { text: 'Book a table' }, action: { name: 'flow', parameters } },
  })
  const whole = await bodyOf(
    t,
    message({
      ...FLOW,
      header: 'Acme',
      footer: 'Bye',
      isDraft: true,
      action: 'data_exchange',
      screen: 'START',
      data: { guests: 2 },
    }),
  )
  t.deepEqual(whole?.['interactive'], {
    type: 'flow',
    header: { type: 'text', text: 'Acme' },
    body: { text: 'Book a table' },
    footer: { text: 'Bye' },
    action: {
      name: 'flow',
      parameters: {
        ...parameters,
        mode: 'draft',
        flow_action: 'data_exchange',
        flow_action_payload: { screen: 'START', data: { guests: 2 } },
      },
    },
  })
})

test('a template that is filled in here is refused without asking upstream', async (t) => {
  const { server, session } = await opened(t)
  t.like(
    await session.sendMessage(
      message({ mode: 'composed', header: null, body: 'Hi', footer: null, buttons: [], file: null }),
    ),
    { kind: 'refused', failure: { code: 'OFFICIAL_ERROR' } },
  )
  t.is(server.asked.length, 0)
})

test('messages are marked read newest first, each id once, at most 20', async (t) => {
  const { server, session } = await opened(t, { tuning: { messagesInFlight: 1 } })
  server.on(AT, { json: { success: true } })
  const ids = Array.from({ length: 30 }, (_, index) => `wamid.${index}`)
  t.deepEqual(await session.markRead([...ids, 'wamid.29']), { ok: true, value: null })
  t.deepEqual(
    server.asked.map(({ body }) => body),
    ids
      .slice(10)
      .toReversed()
      .map((id) => ({ messaging_product: 'whatsapp', status: 'read', message_id: id })),
  )
  server.asked.length = 0
  t.deepEqual(await session.markRead([]), { ok: true, value: null })
  t.is(server.asked.length, 0)
})

// [message-verbs.verbs.3]
test('typing goes with the read mark of the last message that came in, and has no end', async (t) => {
  const { server, session } = await opened(t)
  const show = (state: 'typing' | 'recording' | 'paused', lastInboundId: string | null) =>
    session.devices?.showTyping?.({ to: '5511999990001', lastInboundId, state })
  const typing = { messaging_product: 'whatsapp', status: 'read', typing_indicator: { type: 'text' } }
  for (const state of ['typing', 'recording'] as const) {
    server.on(AT, { json: { success: true } })
    t.deepEqual(await show(state, 'wamid.A'), { ok: true, value: { forwarded: true, read: true } })
    t.deepEqual(server.asked.at(-1)?.body, { ...typing, message_id: 'wamid.A' })
  }
  server.asked.length = 0
  t.deepEqual(await show('paused', 'wamid.A'), { ok: true, value: { forwarded: false, read: false } })
  t.deepEqual(await show('typing', null), { ok: true, value: { forwarded: false, read: false } })
  t.is(server.asked.length, 0)
  server.on(AT, graphError(131009))
  t.like(await show('typing', 'wamid.A'), { ok: false, error: { code: 'OFFICIAL_REQUEST_REFUSED' } })
})

test('a reading upstream refuses is told, a fault is waited out', async (t) => {
  const { server, session } = await opened(t)
  server.on(AT, graphError(2, 500), { json: { success: true } })
  t.deepEqual(await session.markRead(['wamid.A']), { ok: true, value: null })
  server.on(AT, graphError(131009))
  t.like(await session.markRead(['wamid.A']), {
    ok: false,
    error: { code: 'OFFICIAL_REQUEST_REFUSED', details: { upstreamCode: 131009 } },
  })
})

const LIST = {
  text: 'Choose',
  button: 'Open',
  footer: 'Acme',
  sections: [{ title: 'Days', rows: [{ id: 'a', title: 'Monday', description: '8 to 12' }] }],
}

// [message-verbs.modes.1] [message-verbs.modes.2] [message-verbs.modes.3] [message-verbs.modes.4]
// [message-verbs.modes.5]
test('a place, cards, a list, a reaction and a request for a number have upstream’s form', async (t) => {
  t.like(await bodyOf(t, message({ mode: 'location', location: { latitude: 1, longitude: -2, name: 'Acme' } })), {
    type: 'location',
    location: { latitude: 1, longitude: -2, name: 'Acme' },
  })
  const phones = [{ phone: '190', type: 'WORK' }]
  const cards = [{ name: { formatted: 'Ana Lima', last: 'Lima' }, phones, org: { company: 'Acme' } }]
  t.like(await bodyOf(t, message({ mode: 'contacts', contacts: cards })), {
    type: 'contacts',
    contacts: [{ name: { formatted_name: 'Ana Lima', last_name: 'Lima' }, phones, org: { company: 'Acme' } }],
  })
  t.like(await bodyOf(t, message({ mode: 'list', list: LIST })), {
    type: 'interactive',
    interactive: {
      type: 'list',
      body: { text: 'Choose' },
      footer: { text: 'Acme' },
      action: { button: 'Open', sections: LIST.sections },
    },
  })
  t.like(await bodyOf(t, message({ mode: 'reaction', reaction: { messageId: 'wamid.R', emoji: '' } })), {
    type: 'reaction',
    reaction: { message_id: 'wamid.R', emoji: '' },
  })
  t.like(await bodyOf(t, message({ mode: 'contactRequest', contactRequest: { text: 'Why not?' } })), {
    type: 'interactive',
    interactive: {
      type: 'request_contact_info',
      body: { text: 'Why not?' },
      action: { name: 'request_contact_info' },
    },
  })
})

test('upstream has no polls', async (t) => {
  const { server, session } = await opened(t)
  const poll = { question: 'When?', options: ['Now', 'Later'], multiple: false }
  t.like(await session.sendMessage(message({ mode: 'poll', poll })), { kind: 'refused' })
  t.deepEqual(server.asked, [])
})
