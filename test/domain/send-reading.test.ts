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
/** What is refused of an order in its words: the path and the message of each fault, or the code of the refusal. */
const wrongWith = (body: SendBody, provider: ProviderKind = 'UNOFFICIAL') => {
  const order = readOrder(body, provider, NOW)
  if (order.ok) return []
  const { code, message, details } = order.error
  return code === 'VALIDATION'
    ? (details as { path: string; message: string }[]).map((fault) => [fault.path, fault.message])
    : [[code, message]]
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

const MEDIA = 'https://a.example/a.png'
const DATA = 'data:image/png;base64,AAAA'
const REPLY = { type: 'QUICK_REPLY', text: 'Yes' } as const
const cardsWith = (...images: string[]) => ({
  carousel: { text: 'a', cards: images.map((image) => ({ image, text: 'b', buttons: [REPLY] })) },
})
/** A complete order of each mode. */
const ORDERS = {
  text: { text: 'a', buttons: [REPLY] },
  media: { media: MEDIA, mediaType: 'image' },
  templateId: { templateId: 'welcome', media: MEDIA },
  carousel: cardsWith(MEDIA, MEDIA),
  location: { location: { latitude: 1, longitude: 2 } },
  contacts: { contacts: [{ name: { formatted: 'Ana' }, phones: [] }] },
  list: { list: { text: 'a', button: 'b', sections: [{ rows: [{ id: 'c', title: 'd' }] }] } },
  poll: { poll: { question: 'a', options: ['b', 'c'] } },
  reaction: { reaction: { messageId: 'a', emoji: '👍' } },
} satisfies Record<string, SendBody>

// [messages.modes.1] [messages.modes.2] [messages.modes.3]
test('a field that goes with other modes is refused with the name of these', (t) => {
  const foreign: readonly (readonly [SendBody, modes: readonly string[], to: string])[] = [
    [{ header: 'h' }, ['text'], 'text with buttons'],
    [{ footer: 'f' }, ['text'], 'text with buttons'],
    [{ caption: 'c' }, ['media'], 'media'],
    [{ mediaFilename: 'f' }, ['media', 'templateId'], 'media'],
    [{ mediaType: 'image' }, ['media', 'templateId'], 'media'],
    [{ variables: { a: 'b' } }, ['templateId'], 'templateId'],
    [{ language: 'de' }, ['templateId'], 'templateId'],
    [{ cards: [{}] }, ['templateId'], 'templateId'],
    [{ buttons: [REPLY] }, ['text'], 'text'],
    [
      { quotedMessageId: 'msg_1' },
      Object.keys(ORDERS).filter((mode) => mode !== 'reaction'),
      'a mode other than reaction',
    ],
  ]
  for (const [field, modes, to] of foreign)
    for (const [mode, order] of Object.entries(ORDERS)) {
      const [path = ''] = Object.keys(field)
      const faults = modes.includes(mode) ? [] : [[path, `goes with ${to} only`]]
      t.deepEqual(wrongWith({ ...TO, ...order, ...field }), faults, `${path} with ${mode}`)
    }
})

// [messages.send.1] [messages.send.3]
test('an order with two destinations or two modes is refused, as is one with neither', (t) => {
  const one =
    'one of templateId, text, media, carousel, flow, location, contacts, list, reaction, contactRequest and poll'
  t.deepEqual(wrongWith({}), [
    ['destinationNumber', 'is needed, or groupId or newsletterId'],
    ['', `needs ${one}`],
  ])
  t.deepEqual(wrongWith({ ...TO, groupId: '1@g.us', newsletterId: '1@newsletter', text: 'a' }), [
    ['groupId', 'cannot go together with destinationNumber: name one destination'],
    ['newsletterId', 'cannot go together with destinationNumber: name one destination'],
  ])
  t.deepEqual(wrongWith({ groupId: '1@g.us', newsletterId: '1@newsletter', text: 'a' }), [
    ['newsletterId', 'cannot go together with groupId: name one destination'],
  ])
  t.deepEqual(wrongWith({ ...TO, ...ORDERS.text, ...ORDERS.media, ...ORDERS.poll }), [
    ['media', `cannot go together with text: send ${one}`],
    ['poll', `cannot go together with text: send ${one}`],
  ])
  const { templateId } = ORDERS.templateId
  t.deepEqual(wrongWith({ ...TO, templateId, text: 'a' }), [
    ['text', `cannot go together with templateId: send ${one}`],
  ])
  for (const [to, address] of [
    ['GROUP', { groupId: '1@g.us' }],
    ['NEWSLETTER', { newsletterId: '1@newsletter' }],
  ] as const)
    t.like(readOrder({ ...address, text: 'a' }, 'UNOFFICIAL', NOW), {
      value: { to: { type: to, address: Object.values(address)[0] } },
    })
})

// [messages.send.5]
test('a send waits at most 30 days, and one that comes with bytes at most a day', (t) => {
  const at = (aheadMs: number) => ({ ...TO, deliverAt: new Date(NOW + aheadMs).toISOString() })
  const DAY = 24 * 3_600_000
  const faults = [['deliverAt', 'must be at most 1 day ahead with a data URI or with media of cards']]
  const template = { templateId: 'welcome' }
  for (const content of [
    ORDERS.text,
    ORDERS.media,
    ORDERS.carousel,
    template,
    { ...template, cards: [] },
    { ...template, cards: [{}, { media: null }] },
  ]) {
    t.deepEqual(wrongWith({ ...at(30 * DAY), ...content }), [], JSON.stringify(content))
    t.deepEqual(wrongWith({ ...at(30 * DAY + 1), ...content }), [['deliverAt', 'must be at most 30 days ahead']])
  }
  for (const content of [
    { media: DATA, mediaType: 'image' },
    { ...template, media: DATA },
    cardsWith(MEDIA, DATA),
    cardsWith(DATA, DATA),
    { ...template, cards: [{ media: { url: MEDIA } }, {}] },
    { ...template, cards: [{ media: { url: MEDIA } }] },
  ] as const) {
    t.deepEqual(wrongWith({ ...at(DAY), ...content }), [], JSON.stringify(content))
    t.deepEqual(wrongWith({ ...at(DAY + 1), ...content }), faults, JSON.stringify(content))
    t.deepEqual(wrongWith({ ...at(30 * DAY + 1), ...content }), [['deliverAt', 'must be at most 30 days ahead']])
  }
})

// [messages.send.5] [messages.send.7]
test('the latest time of a send lies in the future, behind its earliest', (t) => {
  const times = (at: number | null, until: number | null) =>
    wrongWith({
      ...TO,
      text: 'a',
      deliverAt: at === null ? null : new Date(NOW + at).toISOString(),
      deliverUntil: until === null ? null : new Date(NOW + until).toISOString(),
    })
  const [past, before] = ['must be in the future', 'must be after deliverAt']
  for (const [at, until, fault] of [
    [null, 1, null],
    [null, 0, past],
    [null, -1, past],
    [-5, -1, past],
    [-5, 1, null],
    [5, 6, null],
    [5, 5, before],
    [5, 4, before],
    [5, 0, past],
    [5, null, null],
    [-5, null, null],
  ] as const)
    t.deepEqual(times(at, until), fault === null ? [] : [['deliverUntil', fault]], `${at} to ${until}`)
  t.deepEqual(
    wrongWith({ text: 'a', deliverAt: '2027-01-01T00:00:00Z', deliverUntil: '2026-01-01T00:00:00Z' }).map(([at]) => at),
    ['destinationNumber', 'deliverAt', 'deliverUntil'],
  )
})

// [messages.send.2] [message-verbs.modes.7]
test('what a kind of number cannot send is refused in words, and two modes are a fault of the order alone', (t) => {
  for (const [body, provider, code, message] of [
    [{ groupId: '1@g.us', text: 'a' }, 'OFFICIAL', 'FEATURE_NOT_SUPPORTED', 'OFFICIAL numbers do not send to groups'],
    [
      { newsletterId: '1@newsletter', text: 'a' },
      'OFFICIAL',
      'FEATURE_NOT_SUPPORTED',
      'OFFICIAL numbers do not send to channels',
    ],
    [{ ...TO, ...ORDERS.poll }, 'OFFICIAL', 'FEATURE_NOT_SUPPORTED', 'OFFICIAL numbers do not send poll'],
    [
      { ...TO, contactRequest: { text: 'a' } },
      'UNOFFICIAL',
      'FEATURE_NOT_SUPPORTED',
      'UNOFFICIAL numbers do not send contactRequest',
    ],
    [
      { ...TO, flow: { flowId: 'a' } },
      'UNOFFICIAL',
      'FLOW_REQUIRES_OFFICIAL_NUMBER',
      'Flows need an OFFICIAL number with an account',
    ],
  ] as const)
    t.deepEqual(wrongWith(body, provider), [[code, message]])
  t.deepEqual(pathsOf({ ...TO, flow: { flowId: 'a' }, ...ORDERS.list }), ['list'])
  t.deepEqual(pathsOf({ ...TO, contactRequest: { text: 'a' }, ...ORDERS.poll }), ['poll'])
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
