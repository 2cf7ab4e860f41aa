import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { BridgeContent } from '../../../src/domain/device-bridge.ts'
import { PROVIDER_REQUEST_MS } from '../../../src/domain/limits.ts'
import type { MessageButton } from '../../../src/domain/message.ts'
import type { PlacedButton } from '../../../src/domain/outgoing.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import type { SendableContent, SendableMedia } from '../../../src/ports/provider.ts'
import { FakeClock } from '../../helpers/fake-clock.ts'
import { until } from '../../helpers/until.ts'
import { message, PEER, text } from '../../helpers/sendables.ts'
import { probe } from '../session-probe.ts'

const BUTTONS: readonly MessageButton[] = [
  { type: 'QUICK_REPLY', text: 'Yes', id: 'yes' },
  { type: 'URL', text: 'Open', url: 'https://example.com' },
  { type: 'PHONE_NUMBER', text: 'Call', phoneNumber: '5511900000001' },
  { type: 'COPY_CODE', text: 'Copy', code: 'SALE10' },
]
const MEDIA: SendableMedia = {
  path: '/nowhere',
  mimeType: 'image/png',
  sizeBytes: 7,
  fileName: 'a.png',
  url: 'https://files.example/a.png',
  waveform: [0, 50, 100],
}
const FILE = { url: 'https://files.example/a.png', mimeType: 'image/png', fileName: 'a.png', size: 7 }

/** A session whose engine accepts every message. */
async function opened(t: ExecutionContext) {
  const parts = await probe(t)
  parts.engine.onRequest = ({ op }) => (op === 'message.send' ? { result: { externalMessageId: 'm9' } } : undefined)
  return parts
}

// [bridge.ops.4]
test('a message is sent under its own id, with what it quotes', async (t) => {
  const { session, number } = await opened(t)
  const sending = message(text('Hello'), { quotedMessageId: 'q1' })
  t.deepEqual(await session.sendMessage(sending), { kind: 'sent', externalMessageId: 'm9' })
  const [{ id: _id, ...request } = {}] = number.opsOf('message.send')
  t.deepEqual(request, {
    op: 'message.send',
    messageId: sending.messageId,
    to: PEER,
    content: { type: 'text', text: 'Hello' },
    quoted: 'q1',
  })
})

test('groups and channels are written to by their ids', async (t) => {
  const { session, number } = await opened(t)
  await session.sendMessage(message(text('x'), { to: { type: 'GROUP', address: '1@g.us' } }))
  await session.sendMessage(message(text('x'), { to: { type: 'NEWSLETTER', address: '2@newsletter' } }))
  t.deepEqual(
    number.opsOf('message.send').map(({ to, quoted }) => [to, quoted]),
    [
      ['1@g.us', undefined],
      ['2@newsletter', undefined],
    ],
  )
})

const CONTENTS: readonly (readonly [name: string, content: SendableContent, sent: BridgeContent])[] = [
  [
    'buttons',
    text('Choose', { buttons: BUTTONS, header: 'Head', footer: 'Foot' }),
    {
      type: 'text',
      body: 'Choose',
      header: 'Head',
      footer: 'Foot',
      buttons: BUTTONS,
      text: 'Head\n\nChoose\n\n• Yes\n• Open: https://example.com\n• Call: 5511900000001\n• Copy: SALE10\n\nFoot',
    },
  ],
  [
    'buttons alone',
    text('Choose', { buttons: BUTTONS.slice(0, 1) }),
    { type: 'text', body: 'Choose', text: 'Choose\n\n• Yes', buttons: BUTTONS.slice(0, 1) },
  ],
  [
    'an image',
    { mode: 'media', kind: 'image', source: MEDIA, caption: 'Look', fileName: null },
    { type: 'image', text: 'Look', media: FILE },
  ],
  [
    'a video',
    { mode: 'media', kind: 'video', source: MEDIA, caption: null, fileName: null },
    { type: 'video', media: FILE },
  ],
  [
    'a document',
    { mode: 'media', kind: 'document', source: MEDIA, caption: 'Read', fileName: 'named.1' },
    { type: 'document', text: 'Read', media: { ...FILE, fileName: 'named.1.png' } },
  ],
  [
    'a sound',
    { mode: 'media', kind: 'audio', source: MEDIA, caption: null, fileName: null },
    { type: 'audio', media: { ...FILE, voice: true } },
  ],
  [
    'a voice note',
    { mode: 'media', kind: 'voice', source: MEDIA, caption: null, fileName: null },
    { type: 'audio', media: { ...FILE, voice: true, waveform: [0, 50, 100] } },
  ],
  [
    'a voice note without waveform',
    { mode: 'media', kind: 'voice', source: { ...MEDIA, waveform: null }, caption: null, fileName: null },
    { type: 'audio', media: { ...FILE, voice: true } },
  ],
  [
    'a sticker',
    { mode: 'media', kind: 'sticker', source: MEDIA, caption: null, fileName: null },
    { type: 'sticker', media: FILE },
  ],
  [
    'a carousel',
    {
      mode: 'carousel',
      text: 'Choose',
      cards: [
        { image: MEDIA, text: 'One', buttons: BUTTONS.slice(0, 2) },
        { image: MEDIA, text: 'Two', buttons: [] },
      ],
    },
    {
      type: 'carousel',
      body: 'Choose',
      text: 'Choose\n\nOne\n• Yes\n• Open: https://example.com\n\nTwo',
      cards: [
        { media: FILE, text: 'One', buttons: BUTTONS.slice(0, 2) },
        { media: FILE, text: 'Two', buttons: [] },
      ],
    },
  ],
]
const PLACED: readonly PlacedButton[] = [
  { type: 'QUICK_REPLY', text: 'Yes', id: 'button_1' },
  { type: 'COPY_CODE', text: 'SALE10', code: 'SALE10', id: 'button_2' },
  { type: 'COPY_CODE', text: 'Copy', code: 'SALE20', id: 'button_3' },
]
const COMPOSED: typeof CONTENTS = [
  [
    'a template with all of its parts',
    { mode: 'composed', header: 'Head', body: 'Hi Ana', footer: 'Foot', buttons: PLACED, file: null },
    {
      type: 'text',
      header: 'Head',
      body: 'Hi Ana',
      footer: 'Foot',
      buttons: PLACED,
      text: 'Head\n\nHi Ana\n\n• Yes\n• SALE10\n• Copy: SALE20\n\nFoot',
    },
  ],
  [
    'a template without buttons',
    { mode: 'composed', header: 'Head', body: 'Hi', footer: null, buttons: [], file: null },
    { type: 'text', header: 'Head', body: 'Hi', text: 'Head\n\nHi' },
  ],
  [
    'a template whose header is a document',
    {
      mode: 'composed',
      header: null,
      body: 'Hi',
      footer: 'Foot',
      buttons: [],
      file: { kind: 'document', source: MEDIA, fileName: 'Bill', isOwn: false },
    },
    {
      type: 'document',
      body: 'Hi',
      footer: 'Foot',
      text: 'Hi\n\nFoot',
      media: { ...FILE, fileName: 'Bill.png' },
    },
  ],
  [
    'a template of a film alone',
    {
      mode: 'composed',
      header: null,
      body: null,
      footer: null,
      buttons: [],
      file: { kind: 'video', source: MEDIA, fileName: null, isOwn: false },
    },
    { type: 'video', media: FILE },
  ],
]

test('a template that upstream should know is refused, and a Flow: the engine knows none', async (t) => {
  const { session, number } = await opened(t)
  const flow = {
    mode: 'flow',
    text: 'a',
    header: null,
    footer: null,
    cta: 'b',
    officialFlowId: '1',
    isDraft: false,
    token: 'c',
    action: 'navigate',
    screen: null,
    data: null,
  } as const
  for (const content of [
    { mode: 'template', name: 'welcome', language: 'pt_BR', components: [], files: [] },
    flow,
  ] as const) {
    t.like(await session.sendMessage(message(content)), { kind: 'refused', failure: { code: 'MEDIA_UNSUPPORTED' } })
  }
  t.deepEqual(number.opsOf('message.send'), [])
})

// [bridge.content.1]
for (const [name, content, sent] of [...CONTENTS, ...COMPOSED]) {
  test(`the engine is told ${name}`, async (t) => {
    const { session, number } = await opened(t)
    t.like(await session.sendMessage(message(content)), { kind: 'sent' })
    t.deepEqual(number.opsOf('message.send')[0]?.['content'], JSON.parse(JSON.stringify(sent)))
  })
}

const REFUSALS: readonly (readonly [code: string, retryable: boolean, kind: string, ours: string])[] = [
  ['NOT_REGISTERED', false, 'refused', 'CHANNEL_NOT_EXIST'],
  ['NOT_REGISTERED', true, 'refused', 'CHANNEL_NOT_EXIST'],
  ['INVALID', false, 'refused', 'INVALID_DESTINATION'],
  ['NOT_FOUND', false, 'refused', 'INVALID_DESTINATION'],
  ['UNSUPPORTED', false, 'refused', 'MEDIA_UNSUPPORTED'],
  ['NOT_CONNECTED', false, 'unsent', 'DELIVERY_TIMEOUT'],
  ['UNAUTHORIZED', false, 'unsent', 'DELIVERY_TIMEOUT'],
  ['RATE_LIMITED', true, 'throttled', 'DELIVERY_TIMEOUT'],
  ['FAILED', true, 'unsent', 'DELIVERY_TIMEOUT'],
  ['FAILED', false, 'refused', 'DELIVERY_TIMEOUT'],
  ['constructor', false, 'refused', 'DELIVERY_TIMEOUT'],
]
for (const [code, retryable, kind, ours] of REFUSALS) {
  test(`an engine's ${code}${retryable ? ', to be tried again,' : ''} makes a message ${kind}, ${ours}`, async (t) => {
    const { session, engine } = await probe(t)
    engine.onRequest = ({ op }) => (op === 'session.start' ? undefined : { error: { code, message: 'why', retryable } })
    t.deepEqual(await session.sendMessage(message(text('x'))), {
      kind,
      failure: {
        code: ours,
        message: 'The device network did not deliver the message.',
        details: 'why',
        upstreamCode: code,
      },
      ...(kind === 'throttled' ? { afterMs: null, scope: 'number' } : {}),
    })
  })
}

test('a message the engine answers no id for may have been sent', async (t) => {
  const { session, engine } = await probe(t)
  engine.onRequest = ({ op }) => (op === 'session.start' ? undefined : { result: {} })
  t.like(await session.sendMessage(message(text('x'))), { kind: 'unknown' })
})

test('a message whose link broke is sent again under its id once it is back', async (t) => {
  const { session, engine, number } = await probe(t)
  let times = 0
  engine.onRequest = ({ op }) =>
    op !== 'message.send' ? undefined : ++times === 1 ? 'drop' : { result: { externalMessageId: 'm9' } }
  t.deepEqual(await session.sendMessage(message(text('x'))), { kind: 'sent', externalMessageId: 'm9' })
  t.is(new Set(number.opsOf('message.send').map(({ messageId }) => messageId)).size, 1)
})

test('a message the engine does not answer in time may have been sent', async (t) => {
  const clock = new FakeClock()
  const { session, engine, number, told } = await probe(t, {}, clock)
  await until('up', () => told.length === 1)
  engine.onRequest = () => 'silence'
  const sending = session.sendMessage(message(text('x')))
  await until('the message arrives', () => number.opsOf('message.send').length === 1)
  clock.advance(PROVIDER_REQUEST_MS)
  t.like(await sending, { kind: 'unknown', failure: { code: 'DELIVERY_TIMEOUT' } })
})

test('an engine has longer for a message with files than for another request', async (t) => {
  const clock = new FakeClock()
  const { session, engine, number, told } = await probe(t, {}, clock)
  await until('up', () => told.length === 1)
  let answer = (): void => {}
  engine.onRequest = ({ id, op }) => {
    if (op !== 'message.send') return undefined
    answer = () => number.raw({ re: id, ok: true, result: { externalMessageId: 'm9' } })
    return 'silence'
  }
  const sending = session.sendMessage(
    message({ mode: 'media', kind: 'image', source: MEDIA, caption: null, fileName: null }),
  )
  await until('the message arrives', () => number.opsOf('message.send').length === 1)
  clock.advance(PROVIDER_REQUEST_MS)
  answer()
  t.deepEqual(await sending, { kind: 'sent', externalMessageId: 'm9' })
})

test('a message of a session that is closed was not sent', async (t) => {
  const { session, told } = await probe(t)
  await until('up', () => told.length === 1)
  session.close()
  t.like(await session.sendMessage(message(text('x'))), { kind: 'unsent' })
})

// [bridge.ops.5]
test('messages are marked read by their ids, none are not told', async (t) => {
  const { session, number } = await probe(t)
  t.deepEqual(await session.markRead(['a', 'b']), { ok: true, value: null })
  t.deepEqual(await session.markRead([]), { ok: true, value: null })
  t.deepEqual(
    number.opsOf('message.read').map(({ externalMessageIds }) => externalMessageIds),
    [['a', 'b']],
  )
})

for (const [wants, setting, told] of [
  [true, null, null],
  [true, false, false],
  [true, true, true],
  [false, null, true],
  [false, false, true],
  [false, true, true],
] as const) {
  // [bridge.ops.3]
  test(`status posts ${wants ? 'wanted' : 'wanted by nobody'} and ignoreStatus ${String(setting)}: the engine is told ${String(told)}`, async (t) => {
    const {
      number,
      session,
      told: events,
    } = await probe(t, { wantsStories: wants, settings: { ...DEFAULT_SETTINGS, ignoreStatus: setting } })
    await until('up', () => events.length === 1)
    t.like(number.opsOf('session.start')[0], { settings: { ignoreStatus: told } })
    await session.applySettings({ ...DEFAULT_SETTINGS, ignoreStatus: setting }, wants)
    t.like(number.opsOf('settings.set')[0], { settings: { ignoreStatus: told } })
  })
}

test('a reconnect tells the engine what is wanted now', async (t) => {
  const { number, session, told } = await probe(t, { wantsStories: false })
  await until('up', () => told.length === 1)
  await session.applySettings(DEFAULT_SETTINGS, true)
  number.drop()
  await until('it started again', () => number.opsOf('session.start').length === 2)
  t.like(number.opsOf('session.start')[1], { settings: { ignoreStatus: null } })
})
