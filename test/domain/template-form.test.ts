import test from 'ava'
import fc from 'fast-check'
import { readTemplateBody, readTemplateExamples } from '../../src/domain/template-form.ts'
import { isSameLanguage, templateLanguageOf } from '../../src/domain/template-language.ts'
import { templateNameOf } from '../../src/domain/template-name.ts'

const EMPTY = { header: { type: 'NONE' }, body: null, footer: null, buttons: [], carousel: null }

// [templates.name.1]
test('a name that upstream would take stays as it is', (t) => {
  for (const name of ['a', '_a__b_', 'order_42', '9', 'x'.repeat(512)]) t.is(templateNameOf(name), name)
})

// [templates.name.2]
test('a name loses accents and case, and what separates words becomes one underscore', (t) => {
  t.is(templateNameOf('Confirmação de  Pedido'), 'confirmacao_de_pedido')
  t.is(templateNameOf(' - Olá / mundo.v2_ - '), 'ola_mundo_v2')
  t.is(templateNameOf('İstanbul'), 'istanbul')
})

// [templates.name.3]
test('a name with another character, of nothing or too long is none', (t) => {
  for (const name of ['', '   ', '-_-', 'straße', 'a+b', 'заказ', '😀', 'A'.repeat(513), 'a\u0000b'])
    t.is(templateNameOf(name), null, name)
})

test('a name made once is not changed again', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'É', ' ', '-', '_', '/', '.', '7', 'ç', '\t') }), (text) => {
      const name = templateNameOf(text)
      return name === null || templateNameOf(name) === name
    }),
  )
  t.pass()
})

// [templates.language.1] [templates.language.2]
test('a language has one of four forms, with a dash or an underscore', (t) => {
  t.deepEqual(['en', 'fil', 'pt-BR', 'pt_BR', 'kok_IN'].map(templateLanguageOf), [
    'en',
    'fil',
    'pt_BR',
    'pt_BR',
    'kok_IN',
  ])
  t.deepEqual(
    ['', 'e', 'EN', 'engl', 'pt_br', 'pt_BRA', 'pt-BR-x', 'pt BR', ' en', 'en\n', 'zh_Hant'].map(templateLanguageOf),
    Array.from({ length: 11 }, () => null),
  )
  t.true(isSameLanguage('en-US', 'en_US'))
  t.false(isSameLanguage('en_US', 'en_GB'))
})

// [templates.body.1]
test('a body is an object, a JSON text or a plain text', (t) => {
  const wanted = { ...EMPTY, body: { text: 'Hi {{name}}!' } }
  t.deepEqual(readTemplateBody({ body: { text: 'Hi {{name}}!' } }).body, wanted)
  t.deepEqual(readTemplateBody('{"body":{"text":"Hi {{name}}!"}}').body, wanted)
  t.deepEqual(readTemplateBody('Hi {{name}}!').body, wanted)
})

test('a text that looks like JSON and is none is a plain text', (t) => {
  for (const text of ['{not json', '{{name}} is here', '"a text"', '[1]', 'null', '12'])
    t.deepEqual(readTemplateBody(text).body.body, { text })
})

// [templates.body.8]
test('a carousel stands beside the body or inside of it, and a card has a text or an object with one', (t) => {
  const cards = [
    { media: { url: 'https://x.io/a.png' }, body: 'One', buttons: [] },
    { media: { url: 'https://x.io/b.png' }, body: { text: 'Two' } },
  ]
  const beside = readTemplateBody({ body: { text: 'Look' }, carousel: { cards } })
  t.deepEqual(beside, readTemplateBody({ body: { text: 'Look', carousel: { cards } } }))
  t.deepEqual(
    beside.body.carousel?.cards.map(({ body }) => body),
    [{ text: 'One' }, { text: 'Two' }],
  )
})

test('parts that are absent, null or empty are the same nothing', (t) => {
  for (const given of [
    {},
    { header: null, body: null, footer: null, buttons: null, carousel: null },
    { header: {}, footer: {}, buttons: [] },
    { header: { type: 'none' }, footer: { text: ' ' } },
  ]) {
    t.deepEqual(readTemplateBody(given), { body: EMPTY, strays: [], faults: [] })
  }
})

test('a part that is not of its form is a fault with its path', (t) => {
  const { faults } = readTemplateBody({
    header: 'x',
    footer: { codeExpirationMinutes: '5' },
    buttons: [1, {}],
    carousel: { cards: 'x' },
  })
  t.deepEqual(
    faults.map(({ path }) => path),
    ['body.header', 'body.footer.codeExpirationMinutes', 'body.buttons.0', 'body.buttons.1', 'body.carousel.cards'],
  )
  for (const given of [null, undefined, 4, true, []]) t.is(readTemplateBody(given).faults[0]?.path, 'body')
  t.is(readTemplateBody({ header: { text: 'x' } }).faults[0]?.path, 'body.header.type')
})

test('a JSON text with more values than a body may have is not read', (t) => {
  t.is(readTemplateBody(`{"x":[${'1,'.repeat(20_001)}1]}`).faults.length, 1)
})

test('unknown parts are kept by name', (t) => {
  const { body, strays } = readTemplateBody({
    header: { type: 'location' },
    buttons: [{ type: 'catalog', text: 'See' }, { type: 'OTP', otp_type: 'ONE_TAP' }, { type: 'constructor' }],
    limitedTimeOffer: { text: 'x' },
  })
  t.deepEqual(
    [body.header.type, ...body.buttons.map(({ type }) => type), ...strays],
    ['LOCATION', 'CATALOG', 'ONE_TAP', 'CONSTRUCTOR', 'LIMITED_TIME_OFFER'],
  )
  t.deepEqual(readTemplateBody({ buttons: [{ type: 'OTP', otp_type: 'copy_code' }] }).body.buttons, [
    { type: 'COPY_CODE' },
  ])
})

test('nothing is read of what an object inherits', (t) => {
  const given = Object.create({ body: { text: 'inherited' }, header: { type: 'TEXT', text: 'x' } }) as object
  t.deepEqual(readTemplateBody(given).body, EMPTY)
  t.deepEqual(readTemplateBody('{"__proto__":{"body":{"text":"x"}},"constructor":1}').body, EMPTY)
})

test('numbers and single codes are read where texts and lists of one are wanted', (t) => {
  t.deepEqual(
    readTemplateBody({
      buttons: [
        { type: 'COPY_CODE', example: 1234 },
        { type: 'PHONE_NUMBER', text: 'Call', phoneNumber: 5511 },
      ],
    }).body.buttons,
    [
      { type: 'COPY_CODE', example: ['1234'] },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '5511' },
    ],
  )
})

test('samples are texts and numbers, under any key', (t) => {
  const samples = readTemplateExamples(
    JSON.parse('{"a":"x","1":2,"no":null,"list":[],"__proto__":"p","constructor":"c"}'),
  )
  t.deepEqual(Object.entries(samples ?? {}), [
    ['1', 2],
    ['a', 'x'],
    ['__proto__', 'p'],
    ['constructor', 'c'],
  ])
  t.deepEqual(readTemplateExamples(undefined), {})
  t.is(readTemplateExamples([]), null)
})

const text = fc.string({ minLength: 1, maxLength: 12 }).filter((one) => one.trim() !== '')
const button = fc.oneof(
  fc.record({ type: fc.constant('QUICK_REPLY'), text }),
  fc.record({ type: fc.constant('URL'), text, url: text }),
  fc.record({ type: fc.constant('PHONE_NUMBER'), text, phone_number: text }),
  fc.record({ type: fc.constantFrom('COPY_CODE', 'PAYMENT_REQUEST'), example: fc.tuple(text) }),
  fc.record(
    { type: fc.constant('FLOW'), text, flowId: text, action: text, screen: text },
    { requiredKeys: ['type', 'text', 'flowId'] },
  ),
  fc.record({ type: fc.constant('ORDER_DETAILS'), text }),
)
const header = fc.oneof(
  fc.constant({ type: 'NONE' }),
  fc.record({ type: fc.constant('TEXT'), text }),
  fc.record({ type: fc.constantFrom('IMAGE', 'VIDEO', 'DOCUMENT'), url: text }),
  fc.constant({ type: 'LOCATION' }),
)
const canonical = fc.record(
  {
    header,
    body: fc.oneof(
      fc.constant(null),
      fc.record({ text: fc.string(), addSecurityRecommendation: fc.boolean() }, { requiredKeys: ['text'] }),
    ),
    footer: fc.oneof(fc.constant(null), fc.record({ text }), fc.record({ codeExpirationMinutes: fc.integer() })),
    buttons: fc.array(button, { maxLength: 4 }),
    carousel: fc.oneof(
      fc.constant(null),
      fc.record({
        cards: fc.array(
          fc.record({
            media: fc.record({ url: text }),
            body: fc.oneof(fc.constant(null), fc.record({ text })),
            buttons: fc.array(button, { maxLength: 2 }),
          }),
          { maxLength: 3 },
        ),
      }),
    ),
  },
  { noNullPrototype: true },
)

// [templates.body.3]
test('a body as a read returns it is accepted unchanged, as an object and as JSON', (t) => {
  fc.assert(
    fc.property(canonical, (body) => {
      const plain = JSON.parse(JSON.stringify(body)) as unknown
      t.deepEqual(readTemplateBody(plain), { body: plain as never, strays: [], faults: [] })
      t.deepEqual(readTemplateBody(JSON.stringify(body)).body, plain as never)
    }),
    { numRuns: 60 },
  )
})

test('a name is made of a long text, not of an endless one', (t) => {
  t.is(templateNameOf(`A${' '.repeat(8_000)}b`), 'a_b')
  t.is(templateNameOf(`A${' '.repeat(25_000_000)}b`), null)
})
