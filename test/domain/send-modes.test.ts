import test from 'ava'
import type { ProviderKind } from '../../src/domain/number.ts'
import { isGiven, MODE_OF_ENGINES, ONE_OF, readMode } from '../../src/domain/send-modes.ts'
import type { ModeField, SendBody } from '../../src/domain/send-modes.ts'

const PICTURE = 'https://a.example/a.png'
const NO_SOURCE = ['media', 'must be an http(s) URL or a base64 data URI']

/** What is wrong with a mode: the path and the words of each fault. */
const wrongWith = (field: ModeField, body: SendBody, provider: ProviderKind = 'UNOFFICIAL') => {
  const content = readMode(field, body, provider)
  return content.ok ? [] : content.faults.map(({ path, message }) => [path, message])
}
const valueOf = (field: ModeField, body: SendBody, provider: ProviderKind = 'UNOFFICIAL') => {
  const content = readMode(field, body, provider)
  return content.ok ? content.value : content.faults
}

test('a field is given unless it is null or absent, or a list or an object of nothing', (t) => {
  for (const value of ['a', '', 0, 7, false, true, ['a'], { a: null }]) t.true(isGiven(value), JSON.stringify(value))
  for (const value of [null, undefined, [], {}]) t.false(isGiven(value), JSON.stringify(value))
})

test('the fields that name a mode are told in words, and one that is not there is missed', (t) => {
  t.is(
    ONE_OF,
    'one of templateId, text, media, carousel, flow, location, contacts, list, reaction, contactRequest and poll',
  )
  t.deepEqual(wrongWith('text', {}), [['text', 'is needed']])
  t.deepEqual(wrongWith('contacts', { contacts: [] }), [['contacts', 'is needed']])
  t.deepEqual(valueOf('text', { text: '' }), { mode: 'text', text: '', buttons: [], header: null, footer: null })
})

// [message-verbs.modes.7]
test('lists and polls alone need an engine that says that it has them', (t) => {
  t.deepEqual(MODE_OF_ENGINES, { list: 'lists', poll: 'polls' })
})

// [messages.modes.1] [message-verbs.modes.8]
test('a text has header and footer with buttons only, and then upstream has a limit for its characters', (t) => {
  const only = 'goes with buttons only'
  t.deepEqual(wrongWith('text', { text: 'a', header: 'b' }), [['header', only]])
  t.deepEqual(wrongWith('text', { text: 'a', buttons: [], header: 'b', footer: 'c' }), [
    ['header', only],
    ['footer', only],
  ])
  const buttons = [{ type: 'QUICK_REPLY', text: 'Yes' }] as const
  t.deepEqual(valueOf('text', { text: 'a', buttons, header: 'b' }, 'OFFICIAL'), {
    mode: 'text',
    text: 'a',
    buttons: [{ type: 'QUICK_REPLY', text: 'Yes', id: 'button_1' }],
    header: 'b',
    footer: null,
  })
  t.like(valueOf('text', { text: 'a', buttons, footer: 'c' }), { header: null, footer: 'c' })
  const tooLong = ['text', 'must be 1 to 1024 characters with buttons on an OFFICIAL number']
  const wrong = [{ type: 'URL', text: 'Open', url: 'a' }] as const
  const cases: readonly (readonly [string, SendBody['buttons'], ProviderKind, faults: string[][]])[] = [
    ['😀'.repeat(1024), buttons, 'OFFICIAL', []],
    ['a'.repeat(1025), buttons, 'OFFICIAL', [tooLong]],
    ['a'.repeat(1025), buttons, 'UNOFFICIAL', []],
    ['a'.repeat(1025), [], 'OFFICIAL', []],
    ['a', wrong, 'OFFICIAL', [['buttons.0.url', 'must be an http(s) URL']]],
    ['a'.repeat(1025), wrong, 'OFFICIAL', [['buttons.0.url', 'must be an http(s) URL'], tooLong]],
  ]
  for (const [text, given, provider, faults] of cases)
    t.deepEqual(wrongWith('text', { text, buttons: given }, provider), faults)
})

// [messages.modes.2]
test('media has a source and a kind, a caption where people see one, and no sticker has a name', (t) => {
  const media = PICTURE
  t.deepEqual(valueOf('media', { media, mediaType: 'document', caption: 'b', mediaFilename: 'c.pdf' }), {
    mode: 'media',
    kind: 'document',
    source: media,
    caption: 'b',
    fileName: 'c.pdf',
  })
  for (const mediaType of ['image', 'video', 'document'] as const)
    t.deepEqual(wrongWith('media', { media, mediaType, caption: 'b', mediaFilename: 'c' }), [], mediaType)
  for (const mediaType of ['audio', 'voice', 'sticker'] as const) {
    t.deepEqual(wrongWith('media', { media, mediaType, caption: 'b' }), [['caption', `cannot go with ${mediaType}`]])
    t.deepEqual(wrongWith('media', { media, mediaType }), [], mediaType)
  }
  t.deepEqual(wrongWith('media', { media, mediaType: 'voice', mediaFilename: 'c' }), [])
  t.deepEqual(wrongWith('media', { media, mediaType: 'sticker', mediaFilename: 'c' }), [
    ['mediaFilename', 'cannot go with sticker'],
  ])
  t.deepEqual(wrongWith('media', { media }), [['mediaType', 'is needed with media']])
  t.deepEqual(wrongWith('media', { media: 'ftp://a.example/a' }), [NO_SOURCE, ['mediaType', 'is needed with media']])
  t.deepEqual(
    wrongWith('media', { media: 'data:image/png,a', mediaType: 'sticker', caption: 'b', mediaFilename: 'c' }),
    [NO_SOURCE, ['caption', 'cannot go with sticker'], ['mediaFilename', 'cannot go with sticker']],
  )
})

// [messages.modes.5]
test('a flow of its own names the flow, the text and the button; all else may be left out', (t) => {
  const needed = 'is needed without templateId'
  const flow = { flowId: 'flow_1', text: 'a', cta: 'b' }
  const none = { header: null, footer: null, action: null, screen: null, data: null, token: null }
  t.deepEqual(valueOf('flow', { flow }), { mode: 'flow', ...flow, ...none })
  const more = { header: 'c', footer: 'd', action: 'navigate', screen: 'e', data: { f: 1 }, token: 'g' } as const
  t.deepEqual(valueOf('flow', { flow: { ...flow, ...more } }), { mode: 'flow', ...flow, ...more })
  for (const field of ['flowId', 'text', 'cta'] as const)
    t.deepEqual(wrongWith('flow', { flow: { ...flow, [field]: null } }), [[`flow.${field}`, needed]])
  t.deepEqual(wrongWith('flow', { flow: { token: 'a' } }), [
    ['flow.flowId', needed],
    ['flow.text', needed],
    ['flow.cta', needed],
  ])
})

// [messages.modes.3]
test('a template takes media in place of its own and the data of its flow, and has all else itself', (t) => {
  const template = { templateId: 'welcome', media: PICTURE, mediaType: 'document', mediaFilename: 'a.pdf' } as const
  t.deepEqual(
    valueOf('templateId', { ...template, language: 'pt_BR', cards: [{}], flow: { data: { a: 1 }, token: 'b' } }),
    {
      mode: 'template',
      templateId: 'welcome',
      language: 'pt_BR',
      variables: {},
      cards: [{}],
      media: { source: PICTURE, kind: 'document', fileName: 'a.pdf' },
      flow: { data: { a: 1 }, token: 'b' },
    },
  )
  t.like(valueOf('templateId', { templateId: 'welcome' }), { language: null, cards: [], media: null, flow: null })
  const own = 'cannot go together with templateId: the template has it'
  const flow = { flowId: 'a', text: 'b', cta: 'c', header: 'd', footer: 'e', action: 'navigate', screen: 'f' } as const
  t.deepEqual(
    wrongWith('templateId', { templateId: 'welcome', flow: { ...flow, data: { a: 1 }, token: 'b' } }),
    ['flowId', 'text', 'cta', 'header', 'footer', 'action', 'screen'].map((field) => [`flow.${field}`, own]),
  )
  t.deepEqual(wrongWith('templateId', { ...template, media: 'a' }), [NO_SOURCE])
  t.deepEqual(wrongWith('templateId', { ...template, media: null }), [
    ['mediaType', 'goes with media only'],
    ['mediaFilename', 'goes with media only'],
  ])
  t.deepEqual(wrongWith('templateId', { ...template, mediaType: 'sticker' }), [
    ['mediaType', 'a sticker cannot be template media'],
  ])
})
