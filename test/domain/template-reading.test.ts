import test from 'ava'
import type { TemplateFile } from '../../src/domain/outgoing.ts'
import { hasEncodedHeader, readTemplateBody, readTemplateExamples } from '../../src/domain/template-form.ts'
import { lacksFiles, templateMessage } from '../../src/domain/template-message.ts'
import { renderTemplate } from '../../src/domain/template-render.ts'
import { missingSamples, variablesOf, type TemplateNature } from '../../src/domain/template-keys.ts'
import type { TemplateBody } from '../../src/domain/template.ts'
import { storedTemplate } from '../helpers/scripted-templates.ts'

const EMPTY = { header: { type: 'NONE' }, body: null, footer: null, buttons: [], carousel: null }
const OFFICIAL: TemplateNature = { source: 'OFFICIAL', category: 'MARKETING' }
const bodyOf = (given: unknown) => readTemplateBody(given).body

// [templates.body.1] [templates.body.2]
test('a body in any of its forms is read into one', (t) => {
  const rows: readonly [unknown, object][] = [
    [{}, {}],
    ['Hi', { body: { text: 'Hi' } }],
    [' {"body": 5} ', { body: { text: '5' } }],
    ['{broken', { body: { text: '{broken' } }],
    ['{"body":"Hi"', { body: { text: '{"body":"Hi"' } }],
    [{ body: Number.NaN }, {}],
    [
      { body: { text: 'Hi', addSecurityRecommendation: true } },
      { body: { text: 'Hi', addSecurityRecommendation: true } },
    ],
    [{ body: { addSecurityRecommendation: 'yes' } }, { body: { text: '' } }],
    [{ header: {} }, {}],
    [{ header: { type: ' text ', text: 'Hi', url: 'no' } }, { header: { type: 'TEXT', text: 'Hi' } }],
    [{ header: { type: 'image', url: ' ', base64: 'QQ==' } }, { header: { type: 'IMAGE', base64: 'QQ==' } }],
    [{ header: { type: 'odd', text: 'Hi' } }, { header: { type: 'ODD' } }],
    [{ footer: 'Acme' }, { footer: { text: 'Acme' } }],
    [{ footer: { codeExpirationMinutes: 5 } }, { footer: { codeExpirationMinutes: 5 } }],
    [{ footer: { text: ' ', codeExpirationMinutes: null } }, {}],
    [
      {
        buttons: [
          { type: 'otp', text: 'Copy' },
          { type: 'OTP', otp_type: ' copy_code ' },
          { type: 'OTP', otpType: 'ONE_TAP' },
          { type: 'url', text: 'u', url: 'https://x.io', example: 'no' },
          { type: 'phone_number', phoneNumber: 55 },
          { type: 'PHONE_NUMBER', phone_number: ' ' },
          { type: 'PHONE_NUMBER' },
          { type: 'COPY_CODE', example: ['A', 5, null] },
          { type: 'COPY_CODE', example: [' '] },
          { type: 'PAYMENT_REQUEST', example: 'A' },
          { type: 'FLOW', flowId: 'f', action: 'navigate', screen: 'S', url: 'no' },
        ],
      },
      {
        buttons: [
          { type: 'OTP', text: 'Copy' },
          { type: 'COPY_CODE' },
          { type: 'ONE_TAP' },
          { type: 'URL', text: 'u', url: 'https://x.io' },
          { type: 'PHONE_NUMBER', phone_number: '55' },
          { type: 'PHONE_NUMBER' },
          { type: 'PHONE_NUMBER' },
          { type: 'COPY_CODE', example: ['A', '5'] },
          { type: 'COPY_CODE' },
          { type: 'PAYMENT_REQUEST', example: ['A'] },
          { type: 'FLOW', flowId: 'f', action: 'navigate', screen: 'S' },
        ],
      },
    ],
    [{ carousel: [{ media: 'https://x.io/a.png', body: ' ' }] }, card({ media: { url: 'https://x.io/a.png' } })],
    [
      { carousel: { cards: [{ media: {}, body: { text: 'c', odd: 1 } }] } },
      card({ media: { url: '' }, body: { text: 'c' } }),
    ],
    [{ body: { carousel: { cards: [{}] } } }, { body: { text: '' }, ...card({ media: { url: '' } }) }],
    [{ carousel: {} }, { carousel: { cards: [] } }],
  ]
  for (const [given, read] of rows) {
    t.deepEqual(
      readTemplateBody(given),
      { body: { ...EMPTY, ...read } as TemplateBody, strays: [], faults: [] },
      JSON.stringify(given),
    )
  }
})

function card(read: object): object {
  return { carousel: { cards: [{ body: null, buttons: [], ...read }] } }
}

test('a part that does not have the form of its kind is told with its place, and read as if it were not there', (t) => {
  const many = `{"body":"Hi","x":[${'1,'.repeat(20_000)}1]}`
  const rows: readonly [unknown, readonly string[], object][] = [
    [5, ['body: must be an object or a text'], {}],
    [null, ['body: must be an object or a text'], {}],
    [many, ['body: must have at most 20000 values'], {}],
    [{ header: 'Hi' }, ['body.header: must be an object'], {}],
    [{ header: { text: 'Hi' } }, ['body.header.type: must be a text'], { header: { type: '' } }],
    [
      { footer: { text: 'a', codeExpirationMinutes: '5' } },
      ['body.footer.codeExpirationMinutes: must be a number'],
      { footer: { text: 'a' } },
    ],
    [{ buttons: {} }, ['body.buttons: must be a list'], {}],
    [
      { buttons: [5, { text: 'a' }, { type: 'URL' }] },
      ['body.buttons.0: must be an object with a type', 'body.buttons.1: must be an object with a type'],
      { buttons: [{ type: 'URL' }] },
    ],
    [{ carousel: { cards: 5 } }, ['body.carousel.cards: must be a list'], { carousel: { cards: [] } }],
    [{ carousel: 'a' }, ['body.carousel.cards: must be a list'], { carousel: { cards: [] } }],
    [{ carousel: [{ buttons: 5 }] }, ['body.carousel.cards.0.buttons: must be a list'], card({ media: { url: '' } })],
    [{ carousel: [5] }, ['body.carousel.cards.0: must be an object'], card({ media: { url: '' } })],
  ]
  for (const [given, faults, read] of rows) {
    const { body, faults: told } = readTemplateBody(given)
    t.deepEqual(
      told.map(({ path, message }) => `${path}: ${message}`),
      [...faults],
    )
    t.deepEqual(body, { ...EMPTY, ...read } as TemplateBody)
  }
})

// [templates.checks.5]
test('components that templates of the service cannot have are named', (t) => {
  const given = { body: 'Hi', limitedTimeOffer: {}, CATALOG: 1, location: null, mpm: 0, voiceCall: {}, odd: {} }
  t.deepEqual(readTemplateBody(given).strays, ['LIMITED_TIME_OFFER', 'CATALOG', 'MPM', 'VOICE_CALL'])
  t.deepEqual(
    ['spm', 'product', 'callPermissionRequest', 'location'].flatMap((key) => readTemplateBody({ [key]: {} }).strays),
    ['SPM', 'PRODUCT', 'CALL_PERMISSION_REQUEST', 'LOCATION'],
  )
})

test('samples are texts and numbers, and a sample in base64 is seen in any form of a body', (t) => {
  t.deepEqual([undefined, null, 'a', []].map(readTemplateExamples), [{}, {}, null, null])
  t.deepEqual(readTemplateExamples({ a: 'x', b: 5, c: null, d: [1], e: Number.NaN }), { a: 'x', b: 5 })
  const header = { type: 'IMAGE', base64: '' }
  t.deepEqual([{ header }, JSON.stringify({ header }), {}, { header: {} }, 'Hi', 5].map(hasEncodedHeader), [
    true,
    true,
    false,
    false,
    false,
    false,
  ])
})

test('a message of devices has its buttons, those without words too, and none that needs upstream', (t) => {
  const buttons = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'PAYMENT_REQUEST', 'FLOW', 'OTP']
  const template = storedTemplate('UNOFFICIAL', {
    buttons: [...buttons.map((type) => ({ type })), { type: 'COPY_CODE', example: 'A' }],
  })
  const { content, outgoing } = templateMessage({ template, valueOf: () => null, files: [], flow: null })
  t.is(content.text, null)
  t.deepEqual(outgoing, {
    mode: 'composed',
    header: null,
    body: null,
    footer: null,
    buttons: [
      { type: 'QUICK_REPLY', id: 'button_1', text: '' },
      { type: 'URL', id: 'button_2', text: '', url: '' },
      { type: 'PHONE_NUMBER', id: 'button_3', text: '', phoneNumber: '' },
      { type: 'COPY_CODE', id: 'button_4', text: '', code: '' },
      { type: 'COPY_CODE', id: 'button_5', text: '', code: '' },
      { type: 'COPY_CODE', id: 'button_8', text: 'A', code: 'A' },
    ],
    file: null,
  })
})

const PICTURE: TemplateFile = { kind: 'image', source: { url: 'https://x.io/a.png' }, fileName: 'a.png', isOwn: true }

test('a message of upstream goes in its own language, with what each of its places needs', (t) => {
  const sent = (given: unknown, category: 'MARKETING' | 'UTILITY', files: readonly TemplateFile[] = []) => {
    const template = { ...storedTemplate('OFFICIAL', given), category, officialLanguage: null, parameters: null }
    return templateMessage({ template, valueOf: () => 'x', files, flow: null })
  }
  const plain = sent({ body: 'Hi.' }, 'UTILITY')
  t.deepEqual(plain.outgoing, { mode: 'template', name: 'welcome', language: 'pt_BR', components: [], files: [] })
  t.like(sent({ body: 'Hi.' }, 'MARKETING').outgoing, { isMarketing: true })
  const header = sent({ header: { type: 'IMAGE', url: 'https://x.io/b.png' }, body: 'Hi.' }, 'UTILITY', [PICTURE])
  t.deepEqual(header.content.media, { id: null, url: 'https://x.io/a.png', mimeType: null, fileName: 'a.png' })
  t.like(header.outgoing, { components: [{ type: 'header', parameters: [{ type: 'image', image: { id: '' } }] }] })
  const cards = sent({ body: 'Hi.', carousel: [{ media: 'https://x.io/c.png' }] }, 'UTILITY', [PICTURE])
  t.is(cards.content.media, null, 'pictures of cards are none of the message')
  const kept = sent({ header: { type: 'IMAGE', url: 'https://x.io/b.png' } }, 'UTILITY', [
    { ...PICTURE, source: { fileId: 'file_1' } },
  ])
  t.like(kept.content.media, { fileId: 'file_1', url: null })
})

test('a template lacks files while its header or one of its cards has none', (t) => {
  const lacks = (given: unknown, header: unknown, cards: readonly unknown[]) =>
    lacksFiles({ body: bodyOf(given), files: { header, cards } })
  t.false(lacks({ body: 'Hi' }, null, []))
  t.true(lacks({ header: { type: 'IMAGE' } }, null, []))
  t.false(lacks({ header: { type: 'IMAGE' } }, 'file', []))
  t.true(lacks({ carousel: [{}, {}] }, null, ['file']))
  t.false(lacks({ carousel: [{}, {}] }, null, ['file', 'file']))
})

test('a code stands in the button only as the body of the message itself has it', (t) => {
  const otp: TemplateNature = { source: 'OFFICIAL', category: 'OTP' }
  const body = bodyOf({
    header: { type: 'TEXT', text: '{{1}}' },
    body: 'Code {{2}}.',
    footer: '{{2}}',
    buttons: [{ type: 'COPY_CODE', text: '{{2}}', example: 'A' }],
    carousel: [{ body: 'c {{3}}' }],
  })
  const filled = renderTemplate(body, otp, ({ key }) => key)
  t.deepEqual([filled.header.text, filled.body?.text, filled.footer?.text], ['header_1', 'Code 2.', '{{2}}'])
  t.deepEqual(filled.buttons[0], { type: 'COPY_CODE', text: '{{2}}', example: ['2'] })
  const bare = bodyOf({
    header: { type: 'TEXT', text: '{{1}}' },
    body: 'Code.',
    buttons: [{ type: 'COPY_CODE', example: 'A' }],
  })
  t.deepEqual(renderTemplate(bare, otp, () => 'x').buttons[0]?.example, ['A'], 'no body that has a code')
  t.deepEqual(renderTemplate(bare, OFFICIAL, () => null).buttons[0]?.example, ['A'])
})

test('payments and codes are filled by the place of their button, and never by a label', (t) => {
  const body = bodyOf({
    body: 'x {{a}}',
    footer: '{{b}}',
    buttons: [
      { type: 'PAYMENT_REQUEST', example: 'A' },
      { type: 'PAYMENT_REQUEST', example: '{{1}}' },
      { type: 'COPY_CODE', example: '{{1}}' },
      { type: 'QUICK_REPLY', text: '{{c}}' },
    ],
  })
  t.deepEqual(variablesOf(body, OFFICIAL), ['a', 'button_1', 'button_2', 'button_3'])
  t.deepEqual(variablesOf(body, { ...OFFICIAL, category: 'OTP' }).includes('button_1'), false)
  t.deepEqual(missingSamples(body, OFFICIAL, {}), ['a', 'button_2'])
  t.deepEqual(missingSamples(body, OFFICIAL, { a: ' ', button_2: 5 }), ['a'])
  const linked = bodyOf({
    header: { type: 'TEXT', text: '{{1}}' },
    body: '{{1}}',
    buttons: [{ type: 'URL', url: 'https://x.io/{{1}}' }],
  })
  t.deepEqual(missingSamples(linked, OFFICIAL, { 1: 'x' }), [], 'a bare number stands for header and address')
})
