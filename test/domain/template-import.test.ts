import test from 'ava'
import { isAsSubmitted } from '../../src/domain/template-compare.ts'
import { readTemplateBody } from '../../src/domain/template-form.ts'
import type { Fields } from '../../src/domain/json-fields.ts'
import { importTemplate, underOurName } from '../../src/domain/template-import.ts'
import type { ImportFacts } from '../../src/domain/template-import-button.ts'
import { variablesOf } from '../../src/domain/template-keys.ts'

const read = (components: readonly Fields[], facts: Partial<ImportFacts> = {}) =>
  importTemplate(components, {
    category: 'MARKETING',
    format: 'POSITIONAL',
    flowIdOf: (id) => (id === '900' ? 'flow_1' : null),
    ...facts,
  })

const SHOWN = [
  { type: 'header', format: 'text', text: 'For {{1}}', example: { header_text: ['Ana'] } },
  { type: 'Body', text: 'x {{2}} {{1}} {{2}} x', example: { body_text: [['one', 'two']] } },
  { type: 'FOOTER', text: 'bye' },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'quick_reply', text: 'q' },
      { type: 'URL', text: 'u', url: 'https://x.io/{{1}}', example: ['https://x.io/suffix'] },
      { type: 'PHONE_NUMBER', text: 'p', phone_number: '+5511999999999' },
      { type: 'COPY_CODE', text: 'Copy offer code', example: ['CODE'] },
      { type: 'FLOW', text: 'f', flow_id: 900, flow_action: 'NAVIGATE', navigate_screen: 'S' },
    ],
  },
]

// [templates.import.5]
test("the upstream's form, in upper or lower case, is read into the canonical form, which reads back unchanged", (t) => {
  const { body, parameters, examples, unsupported } = read(SHOWN)
  t.deepEqual(body, {
    header: { type: 'TEXT', text: 'For {{1}}' },
    body: { text: 'x {{2}} {{1}} {{2}} x' },
    footer: { text: 'bye' },
    carousel: null,
    buttons: [
      { type: 'QUICK_REPLY', text: 'q' },
      { type: 'URL', text: 'u', url: 'https://x.io/{{1}}' },
      { type: 'PHONE_NUMBER', text: 'p', phone_number: '+5511999999999' },
      { type: 'COPY_CODE', text: 'Copy offer code', example: ['CODE'] },
      { type: 'FLOW', text: 'f', flowId: 'flow_1', action: 'navigate', screen: 'S' },
    ],
  })
  t.deepEqual(readTemplateBody(JSON.parse(JSON.stringify(body))).body, body)
  t.deepEqual(parameters, { format: 'POSITIONAL', header: ['header_1'], body: ['1', '2'], cards: [] })
  t.deepEqual(examples, { header_1: 'Ana', 1: 'one', 2: 'two', button_2: 'suffix' })
  t.deepEqual(unsupported, [])
  t.deepEqual(variablesOf(body, { source: 'OFFICIAL', category: 'MARKETING' }), [
    'header_1',
    '2',
    '1',
    'button_2',
    'button_4',
  ])
})

// [templates.examples.4]
test('NAMED templates keep their names, those of every object among them', (t) => {
  const params = JSON.parse(
    '[{"param_name":"first","example":"Ana"},{"param_name":"__proto__","example":"P"}]',
  ) as unknown[]
  const { parameters, examples } = read(
    [{ type: 'BODY', text: 'x {{first}} {{__proto__}} {{first}} x', example: { body_text_named_params: params } }],
    { format: 'NAMED' },
  )
  t.deepEqual(parameters, { format: 'NAMED', header: [], body: ['first', '__proto__'], cards: [] })
  t.deepEqual(Object.entries(examples), [
    ['first', 'Ana'],
    ['__proto__', 'P'],
  ])
})

// [templates.import.6]
test('parts that cannot be sent are listed by name, each once', (t) => {
  for (const format of ['GIF', 'PRODUCT', 'LOCATION'])
    t.deepEqual(read([{ type: 'HEADER', format }]).unsupported, [format])
  const buttons = ['SPM', 'MPM', 'mpm', 'CATALOG', 'VOICE_CALL', 'ORDER_DETAILS', 'constructor'].map((type) => ({
    type,
    text: 'x',
  }))
  t.deepEqual(
    read([{ type: 'BODY', text: 'x' }, { type: 'LIMITED_TIME_OFFER' }, { type: 'BUTTONS', buttons }]).unsupported,
    ['LIMITED_TIME_OFFER', 'SPM', 'MPM', 'CATALOG', 'VOICE_CALL', 'ORDER_DETAILS', 'CONSTRUCTOR'],
  )
  t.deepEqual(read([{ type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'f', flow_id: '1' }] }]).unsupported, ['FLOW'])
})

test('a file header has the address of its sample where upstream shows one', (t) => {
  t.deepEqual(
    read([{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://cdn.io/a?x=1'] } }]).body.header,
    { type: 'IMAGE', url: 'https://cdn.io/a?x=1' },
  )
  for (const example of [undefined, {}, { header_handle: '4::x' }, { header_handle: ['4::x'] }, { header_handle: [] }])
    t.deepEqual(read([{ type: 'HEADER', format: 'IMAGE', example }]).body.header, { type: 'IMAGE' })
})

// [templates.import.7]
test('the button of a code has no key, though upstream shows it as a URL', (t) => {
  const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}'
  for (const button of [
    { type: 'URL', text: 'Copy code', url, example: [url] },
    { type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' },
  ]) {
    const shown = [
      { type: 'BODY', text: '*{{1}}* is your code.', add_security_recommendation: true },
      { type: 'FOOTER', text: 'Expires in 5 minutes.', code_expiration_minutes: 5 },
      { type: 'BUTTONS', buttons: [button] },
    ]
    const { body, unsupported, examples, parameters } = read(shown, { category: 'OTP' })
    t.deepEqual(body.buttons, [{ type: 'COPY_CODE', text: 'Copy code' }])
    t.deepEqual(
      [body.footer, body.body?.addSecurityRecommendation, unsupported, examples, parameters.body],
      [{ codeExpirationMinutes: 5 }, true, [], {}, ['1']],
    )
    t.deepEqual(variablesOf(body, { source: 'OFFICIAL', category: 'OTP' }), ['1'])
    const submitted = [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 5 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ]
    t.true(isAsSubmitted(submitted, shown, true))
    t.false(
      isAsSubmitted(
        [submitted[0] ?? {}, { type: 'FOOTER', code_expiration_minutes: 6 }, submitted[2] ?? {}],
        shown,
        true,
      ),
    )
  }
  t.is(underOurName('*{{1}}* is your code.', 'code'), '*{{code}}* is your code.')
})

test('a code that fills itself in cannot be sent', (t) => {
  for (const button of [
    { type: 'OTP', otp_type: 'one_tap' },
    { type: 'URL', url: 'https://www.whatsapp.com/otp/code/?otp_type=ONE_TAP&code=otp{{1}}' },
  ]) {
    t.deepEqual(read([{ type: 'BUTTONS', buttons: [button] }], { category: 'OTP' }).unsupported, ['ONE_TAP'])
  }
})

test('cards are read with their texts, buttons and samples; a film on one cannot be sent', (t) => {
  const shown = (format: string) => [
    { type: 'BODY', text: 'Look' },
    {
      type: 'carousel',
      cards: [
        {
          components: [
            { type: 'header', format, example: { header_handle: ['https://cdn.io/a.png'] } },
            { type: 'body', text: 'a {{1}} a', example: { body_text: [['one']] } },
            {
              type: 'buttons',
              buttons: [{ type: 'url', text: 'u', url: 'https://x.io/{{1}}', example: ['https://x.io/s'] }],
            },
          ],
        },
        { components: [{ type: 'HEADER', format: 'IMAGE' }] },
      ],
    },
  ]
  const { body, parameters, examples, unsupported } = read(shown('IMAGE'))
  t.deepEqual(body.carousel?.cards, [
    {
      media: { url: 'https://cdn.io/a.png' },
      body: { text: 'a {{1}} a' },
      buttons: [{ type: 'URL', text: 'u', url: 'https://x.io/{{1}}' }],
    },
    { media: { url: '' }, body: null, buttons: [] },
  ])
  t.deepEqual(
    [parameters.cards, examples, unsupported],
    [[['card_1_1'], []], { card_1_1: 'one', card_1_button_1: 's' }, []],
  )
  t.deepEqual(read(shown('video')).unsupported, ['CARD_VIDEO'])
})

test('parts of the wrong form say nothing', (t) => {
  t.deepEqual(
    read([
      { type: 'BODY', text: 5 },
      { type: 'BUTTONS', buttons: 'x' },
      { type: 'CAROUSEL', cards: null },
      { type: 'FOOTER' },
    ]).body,
    { header: { type: 'NONE' }, body: { text: '' }, footer: null, buttons: [], carousel: { cards: [] } },
  )
})

test('numbers beyond nine are in order, as upstream counts them', (t) => {
  const text = Array.from({ length: 11 }, (_, at) => `{{${11 - at}}}`).join(' ')
  t.deepEqual(read([{ type: 'BODY', text }]).parameters.body, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11'])
})
