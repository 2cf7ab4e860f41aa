import test from 'ava'
import { readOrder } from '../../src/domain/send-reading.ts'
import type { SendBody } from '../../src/domain/send-modes.ts'
import type { ProviderKind } from '../../src/domain/number.ts'

const NOW = Date.parse('2026-01-05T12:00:00Z')
const TO = { destinationNumber: '5511999990001' }
const TEXT = { mode: 'text', text: 'a', buttons: [], header: null, footer: null }

const contentOf = (body: SendBody, provider: ProviderKind = 'UNOFFICIAL') => {
  const order = readOrder({ ...TO, ...body }, provider, NOW)
  return order.ok ? order.value.content : order.error.code
}
const pathsOf = (body: SendBody, provider: ProviderKind = 'UNOFFICIAL') => {
  const order = readOrder(body, provider, NOW)
  return order.ok ? [] : (order.error.details as { path: string }[]).map(({ path }) => path)
}

test('an order says where it goes, what it is, and when; what was not said is null', (t) => {
  t.deepEqual(readOrder({ groupId: '1@g.us', text: 'a', deliverUntil: '2026-01-05T13:00:00Z' }, 'UNOFFICIAL', NOW), {
    ok: true,
    value: {
      to: { type: 'GROUP', address: '1@g.us' },
      content: TEXT,
      quotedMessageId: null,
      deliverAt: null,
      deliverUntil: new Date('2026-01-05T13:00:00Z'),
      correlationId: null,
    },
  })
})

// [messages.modes.3] [messages.modes.5]
test('each mode has its fields alone', (t) => {
  const media = 'https://a.example/a.png'
  const button = { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+55 11 99999-0002' } as const
  t.deepEqual(contentOf({ text: 'a', variables: {}, cards: [] }), TEXT, 'what is empty says nothing')
  t.deepEqual(contentOf({ text: 'a', buttons: [button, { type: 'COPY_CODE', text: 'Copy', example: ['X'] }] }), {
    ...TEXT,
    buttons: [
      { type: 'PHONE_NUMBER', text: 'Call', phoneNumber: '5511999990002' },
      { type: 'COPY_CODE', text: 'Copy', code: 'X' },
    ],
  })
  t.deepEqual(contentOf({ media, mediaType: 'image' }), {
    mode: 'media',
    kind: 'image',
    source: media,
    caption: null,
    fileName: null,
  })
  const card = { image: media, text: 'b', buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] } as const
  t.like(contentOf({ carousel: { text: 'a', cards: [card, card] } }), {
    mode: 'carousel',
    cards: [{ buttons: [{ id: 'card_1_button_1' }] }, { buttons: [{ id: 'card_2_button_1' }] }],
  })
  t.deepEqual(contentOf({ templateId: 'welcome', media, flow: {} }), {
    mode: 'template',
    templateId: 'welcome',
    language: null,
    variables: {},
    cards: [],
    media: { source: media, kind: null, fileName: null },
    flow: { data: null, token: null },
  })
  t.like(contentOf({ flow: { flowId: 'flow_1', text: 'a', cta: 'b' } }, 'OFFICIAL'), {
    mode: 'flow',
    flowId: 'flow_1',
    action: null,
    token: null,
  })
})

test('faults of the destination, the content and the time are told together', (t) => {
  t.deepEqual(pathsOf({}), ['destinationNumber', ''])
  t.deepEqual(pathsOf({ text: 'a', media: 'x', deliverUntil: '2026-01-05T11:00:00Z' }), [
    'destinationNumber',
    'media',
    'deliverUntil',
  ])
  t.deepEqual(pathsOf({ ...TO, text: 'a', caption: 'b', header: 'c', footer: 'd' }), ['caption', 'header', 'footer'])
})

test('a feature that the kind of number lacks is told before other faults', (t) => {
  t.is(contentOf({ groupId: '1@g.us' }, 'OFFICIAL'), 'FEATURE_NOT_SUPPORTED')
  t.is(contentOf({ flow: { cta: 'a' } }), 'FLOW_REQUIRES_OFFICIAL_NUMBER')
  t.is(contentOf({ destinationNumber: 'US.13491208655302741918' }), 'FEATURE_NOT_SUPPORTED')
})

test('an order that an earlier version kept with a message is read as it was meant', (t) => {
  t.like(contentOf({ text: 'a', buttons: [{ type: 'QUICK_REPLY', text: 'Yes', id: null, url: null }], header: 'h' }), {
    buttons: [{ type: 'QUICK_REPLY', text: 'Yes', id: 'button_1' }],
    header: 'h',
  })
  t.like(contentOf({ templateId: 'tpl_1', variables: { name: 'Ana', 2: 7 }, flow: { token: 'mine', data: null } }), {
    variables: { name: 'Ana', 2: 7 },
    flow: { token: 'mine', data: null },
  })
})
