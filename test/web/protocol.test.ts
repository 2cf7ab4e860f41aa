import { randomBytes } from 'node:crypto'
import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { linkHandle } from '../../src/domain/pairing.ts'
import { inEnvelope } from '../../web/protocol/envelope.ts'
import { readHello, readInit, readToFrame, readToHost } from '../../web/protocol/messages.ts'
import type { ToFrame, ToHost } from '../../web/protocol/messages.ts'
import { handleOf, pairingTokenOf, sessionIdOf } from '../../web/protocol/tokens.ts'
import { ALL_ON } from '../helpers/features.ts'

const theme = { mode: 'auto', primary: '#0a7f5a', background: null, radius: 8, density: null } as const
const options = { mode: null, isModal: false, title: null, conversationId: null, features: ALL_ON } as const
const init = { v: 1, token: 'rp_x', locale: 'pt', theme, options }

const TO_HOST: readonly ToHost[] = [
  { type: 'ready', payload: {} },
  { type: 'resize', payload: { height: 320 } },
  { type: 'token-refreshed', payload: { token: 'emb_x.y', expiresAt: '2026-01-01T00:00:00.000Z' } },
  { type: 'session-expired', payload: { reason: 'REVOKED' } },
  { type: 'error', payload: { code: 'ORIGIN_NOT_ALLOWED', message: 'no' } },
  { type: 'chat:unread-count', payload: { count: 0 } },
  { type: 'chat:conversation-opened', payload: { conversationId: 'conv_1', channelNumberId: 'num_1' } },
  { type: 'connect:state', payload: { state: 'qr' } },
  { type: 'connect:open', payload: {} },
  { type: 'connect:close', payload: {} },
  { type: 'connect:paired', payload: { numberId: 'num_1', redirectUrl: null } },
  { type: 'connect:expired', payload: {} },
  { type: 'connect:error', payload: { code: 'BANNED', message: 'no' } },
]
const TO_FRAME: readonly ToFrame[] = [
  { type: 'set-token', payload: { token: 'rp_y' } },
  { type: 'set-theme', payload: { theme } },
  { type: 'set-locale', payload: { locale: null } },
  { type: 'chat:open-conversation', payload: { conversationId: 'conv_1' } },
  { type: 'focus', payload: {} },
  { type: 'close', payload: {} },
]

// [inbox.frame.5] [inbox.frame.6] [inbox.frame.7] [inbox.frame.8] [inbox.frame.9] [inbox.frame.10] [inbox.frame.11]
// [inbox.frame.12]
test('every message of a way is read by the reader of that way, and by no other', (t) => {
  for (const message of TO_HOST) {
    t.deepEqual(readToHost(inEnvelope(message)), message)
    t.is(readToFrame(inEnvelope(message)), null)
  }
  for (const message of TO_FRAME) {
    t.deepEqual(readToFrame(inEnvelope(message)), message)
    t.is(readToHost(inEnvelope(message)), null)
  }
  t.deepEqual(readHello(inEnvelope({ type: 'hello', payload: { surface: 'connect', versions: [1] } })), {
    surface: 'connect',
    versions: [1],
  })
  t.deepEqual(readInit(inEnvelope({ type: 'init', payload: init })), init)
  t.is(readToHost(inEnvelope({ type: 'hello', payload: { surface: 'connect', versions: [1] } })), null)
  t.is(readToFrame(inEnvelope({ type: 'init', payload: init })), null)
})

// [inbox.frame.2]
test('a message without the envelope is dropped', (t) => {
  const message = inEnvelope({ type: 'ready', payload: {} })
  for (const data of [
    null,
    undefined,
    'ready',
    1,
    [],
    {},
    { ...message, source: 'other' },
    { ...message, v: 2 },
    { ...message, v: '1' },
    { ...message, type: 1 },
    { type: 'ready', payload: {} },
  ]) {
    t.is(readToHost(data), null)
  }
})

// [inbox.frame.2]
test('a type nobody knows, or one that every object has, is dropped', (t) => {
  for (const type of ['', 'Ready', 'chat:deleted', 'constructor', '__proto__', 'toString'])
    t.is(readToHost(inEnvelope({ type, payload: {} })), null)
})

test('a payload with a missing or wrong field is dropped, and what is beyond the form is left out', (t) => {
  const wrong: readonly [string, unknown][] = [
    ['ready', null],
    ['ready', 'yes'],
    ['resize', {}],
    ['resize', { height: -1 }],
    ['resize', { height: 1.5 }],
    ['resize', { height: '3' }],
    ['resize', { height: Infinity }],
    ['session-expired', { reason: 'OTHER' }],
    ['chat:unread-count', { count: Number.NaN }],
    ['connect:paired', { numberId: 'num_1' }],
    ['connect:paired', { numberId: 1, redirectUrl: null }],
    ['connect:error', { code: 'A', message: 'x'.repeat(5_000) }],
  ]
  for (const [type, payload] of wrong) t.is(readToHost(inEnvelope({ type, payload })), null, JSON.stringify(payload))
  t.is(readInit(inEnvelope({ type: 'init', payload: { ...init, token: undefined } })), null)
  t.is(readInit(inEnvelope({ type: 'init', payload: { ...init, v: '1' } })), null)
  t.is(readHello(inEnvelope({ type: 'hello', payload: { surface: 'dashboard', versions: [1] } })), null)
  t.is(readHello(inEnvelope({ type: 'hello', payload: { surface: 'chat', versions: '1' } })), null)
  t.deepEqual(readToHost(inEnvelope({ type: 'resize', payload: { height: 3, html: '<b>' } })), {
    type: 'resize',
    payload: { height: 3 },
  })
})

const PLAIN = { mode: 'auto', primary: null, background: null, radius: null, density: null } as const

/** What is read from an `init` with these wishes, and the warnings. */
function initOf(wishes: object): {
  readonly theme?: unknown
  readonly options?: unknown
  readonly locale?: unknown
  readonly warned: readonly string[]
} {
  const warned: string[] = []
  const {
    theme: read,
    options: chosen,
    locale,
  } = readInit(inEnvelope({ type: 'init', payload: { v: 1, token: 'rp_x', ...wishes } }), (text) => warned.push(text))
  ?? {}
  return { theme: read, options: chosen, locale, warned }
}

// [inbox.frame.4] [sdk.calls.5]
test('an init in the form of the protocol is taken: absent reads as null, and a word is a mode', (t) => {
  for (const wishes of [{}, { theme: null, options: null, locale: null }, { theme: {}, options: {} }])
    t.deepEqual(initOf(wishes), { theme: PLAIN, options, locale: null, warned: [] })
  t.deepEqual(initOf({ theme: 'light', options: {}, locale: 'es' }), {
    theme: { ...PLAIN, mode: 'light' },
    options,
    locale: 'es',
    warned: [],
  })
  t.deepEqual(initOf({ theme: { radius: 8 }, options: { title: 'Help' } }), {
    theme: { ...PLAIN, radius: 8 },
    options: { ...options, title: 'Help' },
    locale: null,
    warned: [],
  })
})

// [sdk.calls.12]
test('a feature of the inbox is on until it is turned off, and a name that is unknown turns nothing off', (t) => {
  t.deepEqual(initOf({ options: { features: { archive: false, notes: 'off', sparkles: false } } }), {
    theme: PLAIN,
    options: { ...options, features: { ...ALL_ON, archive: false } },
    locale: null,
    warned: [
      'options: features: sparkles is left out: it cannot be false',
      'options: features: notes is left out: it cannot be off',
    ],
  })
})

test('a wrong wish of an init is left out with a warning that names it, and the rest is taken', (t) => {
  const { warned, ...read } = initOf({
    theme: { mode: 'blue', primary: 'red', background: '#000000', radius: 25, density: 'compact', font: 'x' },
    options: { mode: 'all', isModal: 'yes', title: 4, conversationId: 'conv_1' },
    locale: 7,
  })
  t.deepEqual(read, {
    theme: { ...PLAIN, background: '#000000', density: 'compact' },
    options: { ...options, conversationId: 'conv_1' },
    locale: null,
  })
  t.deepEqual(
    warned.map((text) => text.split(' is left out')[0]),
    [
      'locale',
      'theme: font',
      'theme: mode',
      'theme: primary',
      'theme: radius',
      'options: mode',
      'options: isModal',
      'options: title',
    ],
  )
  for (const wrong of [7, [], true, 7n, 'a word']) t.deepEqual(initOf({ options: wrong }).options, options)
  t.deepEqual(initOf({ theme: 'blue' }), {
    theme: PLAIN,
    options,
    locale: null,
    warned: ['theme: mode is left out: it cannot be blue'],
  })
  t.is(initOf({ theme: 7 }).warned.length, 1)
})

test('a theme that is set later is read as that of an init is', (t) => {
  const warned: string[] = []
  const read = (payload: object): ToFrame | null =>
    readToFrame(inEnvelope({ type: 'set-theme', payload }), (text) => warned.push(text))
  t.deepEqual(read({ theme: 'dark' }), { type: 'set-theme', payload: { theme: { ...PLAIN, mode: 'dark' } } })
  t.deepEqual(read({}), { type: 'set-theme', payload: { theme: PLAIN } })
  t.deepEqual(warned, [])
  t.deepEqual(read({ theme: { mode: 'light', primary: 'green' } }), {
    type: 'set-theme',
    payload: { theme: { ...PLAIN, mode: 'light' } },
  })
  t.deepEqual(warned, ['theme: primary is left out: it cannot be green'])
  t.deepEqual(readToFrame(inEnvelope({ type: 'set-locale', payload: {} })), {
    type: 'set-locale',
    payload: { locale: null },
  })
})

// [pages.addresses.4]
test('the handle of a link is the one that the service makes', async (t) => {
  for (let count = 0; count < 50; count++) {
    const token = newId('rp')
    t.is(await handleOf(token), linkHandle(token))
  }
})

test('a pairing token is taken alone or out of its link, and nothing else is', (t) => {
  const token = newId('rp')
  for (const text of [
    token,
    `https://connect.example/connect/${token}`,
    `http://localhost:3000/connect/${token}/qr?title=x`,
    `https://connect.example/connect/${token}#a`,
  ])
    t.is(pairingTokenOf(text), token)
  for (const text of [
    '',
    'rp_',
    `x${token}`,
    `${token}x`,
    `javascript:/${token}`,
    `https://connect.example/connect?t=${token}`,
    token.toUpperCase(),
  ])
    t.is(pairingTokenOf(text), null, text)
})

test('the id of an embed token is told only of a whole token', (t) => {
  const id = newId('emb')
  const secret = randomBytes(32).toString('base64url')
  t.is(sessionIdOf(`${id}.${secret}`), id)
  for (const text of ['', id, `${id}.`, `${id}.short`, `${id}.${secret} `, `num_${id.slice(4)}.${secret}`])
    t.is(sessionIdOf(text), null, text)
})
