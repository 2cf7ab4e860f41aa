import test from 'ava'
import { REFUSALS } from '../../src/domain/errors.ts'
import { checkTemplate, TEMPLATE_RULES, templateRuleRows, unsupportedFeature } from '../../src/domain/template-rules.ts'
import { codePointsOf } from '../../src/domain/characters.ts'
import { card, codesIn, faultsIn, subjectOf } from '../helpers/template-subject.ts'

const LOCAL = { source: 'LOCAL' } as const
const withHeader = (text: string) =>
  codesIn(
    { header: { type: 'TEXT', text }, body: 'x' },
    { examples: { a: 's', b: 's', first_name: 's', last_name: 's' } },
  )

// [templates.checks.1]
test('the table has the order in which codes are answered, each code once, all of them 400', (t) => {
  const codes = templateRuleRows().map(({ code }) => code)
  t.deepEqual(
    codes.map((code) => code.slice('TEMPLATE_'.length)),
    [
      'COMPONENT_NOT_SUPPORTED',
      'BODY_REQUIRED',
      'VARIABLE_MALFORMED',
      'FIELD_TOO_LONG',
      'BODY_VARIABLE_AT_EDGE',
      'HEADER_TEXT_INVALID',
      'HEADER_MEDIA_INVALID',
      'FOOTER_VARIABLE',
      'FOOTER_TEXT_INVALID',
      'BUTTON_INVALID',
      'BUTTON_LIMIT',
      'BUTTON_GROUPING',
      'URL_INVALID',
      'URL_PLACEHOLDER_DOMAIN',
      'BUTTON_PHONE_INVALID',
      'COPY_CODE_INVALID',
      'PAYMENT_INVALID',
      'FLOW_INVALID',
      'OTP_INVALID',
      'CAROUSEL_INVALID',
      'CARD_MEDIA_URL_INVALID',
      'EXAMPLES_REQUIRED',
    ],
  )
  t.true(codes.every((code) => REFUSALS[code].status === 400))
})

// [templates.checks.3]
test('the documentation says of each rule when it refuses, for which kinds and with which code of upstream', (t) => {
  const rows = templateRuleRows()
  t.true(rows.every(({ when, kinds }) => when.length > 20 && kinds.length > 0))
  t.deepEqual(
    rows.filter(({ kinds }) => kinds.length === 1).map(({ code, kinds }) => [code, kinds[0]]),
    ['FOOTER_TEXT_INVALID', 'BUTTON_GROUPING', 'URL_PLACEHOLDER_DOMAIN', 'FLOW_INVALID', 'OTP_INVALID'].map((code) => [
      `TEMPLATE_${code}`,
      'OFFICIAL',
    ]) as never,
  )
  t.deepEqual(
    rows.flatMap(({ upstreamCode, upstreamSubcode }) =>
      upstreamCode === null ? [] : [upstreamSubcode === null ? upstreamCode : `${upstreamCode}/${upstreamSubcode}`],
    ),
    [2388040, 2388299, 2388047, 2388073, 2388072, 100, 100, 100, '368/1346003', 192, 100],
  )
  t.is(rows.length, TEMPLATE_RULES.length)
})

test('a plain template passes on both kinds', (t) => {
  t.is(checkTemplate(subjectOf('Hello there')), null)
  t.is(checkTemplate(subjectOf('Hello there', LOCAL)), null)
})

// [templates.checks.2]
test('the refusal has the first code, its facts and every fault in the order of the table', (t) => {
  const refusal = checkTemplate(
    subjectOf({
      header: { type: 'TEXT', text: 'Hi 😀' },
      body: { text: '{{name}} hello' },
      footer: { text: 'bye {{x}}' },
      buttons: [{ type: 'URL', text: 'l', url: 'ftp://x' }],
    }),
  )
  t.is(refusal?.code, 'TEMPLATE_BODY_VARIABLE_AT_EDGE')
  t.like(refusal?.details, { upstreamCode: 2388299, field: 'body.text' })
  const { faults } = (refusal?.details ?? { faults: [] }) as {
    faults: { code: string; message: string; field: string }[]
  }
  t.deepEqual(
    faults.map(({ code, field }) => [code, field]),
    [
      ['TEMPLATE_BODY_VARIABLE_AT_EDGE', 'body.text'],
      ['TEMPLATE_HEADER_TEXT_INVALID', 'header.text'],
      ['TEMPLATE_FOOTER_VARIABLE', 'footer.text'],
      ['TEMPLATE_URL_INVALID', 'buttons.0.url'],
      ['TEMPLATE_EXAMPLES_REQUIRED', 'examples'],
    ],
  )
  t.true(faults.every(({ message }) => message.length > 0))
})

// [templates.checks.4]
test('an UNOFFICIAL number is told first that it has no Flows and no carousels', (t) => {
  for (const given of [{ buttons: [{ type: 'FLOW', text: 'f', flowId: 'flow_1' }] }, { carousel: { cards: [] } }]) {
    t.is(checkTemplate(subjectOf(given, LOCAL))?.code, 'FEATURE_NOT_SUPPORTED')
    t.is(unsupportedFeature(subjectOf(given).body, 'OFFICIAL'), null)
  }
})

// [templates.checks.5] [templates.body.6]
test('components that templates cannot have are named', (t) => {
  const faults = faultsIn({
    header: { type: 'LOCATION' },
    body: 'x',
    limited_time_offer: {},
    buttons: ['CATALOG', 'MPM', 'VOICE_CALL', 'constructor']
      .map((type) => ({ type, text: 'x' }))
      .concat({ type: 'OTP', otp_type: 'ZERO_TAP' } as never),
  })
  t.deepEqual(
    faults
      .filter(({ code }) => code === 'TEMPLATE_COMPONENT_NOT_SUPPORTED')
      .map(({ component, field }) => [component, field]),
    [
      ['LOCATION', 'header.type'],
      ['LIMITED_TIME_OFFER', 'limited_time_offer'],
      ['CATALOG', 'buttons.0.type'],
      ['MPM', 'buttons.1.type'],
      ['VOICE_CALL', 'buttons.2.type'],
      ['CONSTRUCTOR', 'buttons.3.type'],
      ['ZERO_TAP', 'buttons.4.type'],
    ],
  )
})

// [templates.checks.6] [templates.body.4]
test('a body is needed and cannot be blank', (t) => {
  for (const given of [{}, '', ' \n ', { body: {} }, { body: { text: 7n } }, { body: [] }, { footer: 'x' }])
    t.true(codesIn(given).includes('TEMPLATE_BODY_REQUIRED'))
})

test('a footer, the text of a card and a sample that show nothing are none, invisible marks among them', (t) => {
  for (const blank of ['', ' \n', '\u200B\u2060', '\u2800', '\u3164']) {
    const { body } = subjectOf({
      body: 'x',
      footer: { text: blank },
      carousel: { cards: [card({ body: { text: blank } }), card()] },
    })
    t.deepEqual([body.footer, body.carousel?.cards[0]?.body], [null, null], JSON.stringify(blank))
    t.deepEqual(
      codesIn({ body: 'x', carousel: { cards: [card({ body: blank }), card()] } }),
      ['TEMPLATE_CAROUSEL_INVALID BODY_MISSING'],
      JSON.stringify(blank),
    )
    t.deepEqual(
      codesIn('Hello {{a}} friend', { examples: { a: blank } }),
      ['TEMPLATE_EXAMPLES_REQUIRED'],
      JSON.stringify(blank),
    )
  }
})

// [templates.checks.7]
test('malformed braces and reserved names are faults wherever they stand', (t) => {
  for (const text of ['x {{ x', 'x {{}} x', 'x {a} x', 'x {{button_1}} x', 'x {{header_1}} x', 'x {{card_1_x}} x'])
    t.true(codesIn(text, LOCAL).includes('TEMPLATE_VARIABLE_MALFORMED'), text)
  const everywhere = faultsIn({
    header: { type: 'TEXT', text: '{{' },
    body: 'x }} x',
    footer: '{}',
    carousel: { cards: [card({ body: '{' })] },
    buttons: [
      { type: 'URL', text: '{', url: 'https://x.io/{{1' },
      { type: 'COPY_CODE', example: '{{1}' },
      { type: 'PAYMENT_REQUEST', example: '{{}}' },
    ],
  }).filter(({ code }) => code === 'TEMPLATE_VARIABLE_MALFORMED')
  t.deepEqual(
    everywhere.map(({ field }) => field),
    [
      'header.text',
      'body.text',
      'footer.text',
      'buttons.0.text',
      'buttons.0.url',
      'buttons.1.example',
      'buttons.2.example',
      'carousel.cards.0.body.text',
    ],
  )
  t.is(everywhere.at(-1)?.card, 1)
})

// [templates.checks.8] [templates.body.9]
test('each text has a length in code points: at the border it passes, one more does not', (t) => {
  const url = 'https://x.io/'
  const rows: readonly [field: string, max: number, make: (length: number) => unknown][] = [
    ['header.text', 60, (length) => ({ header: { type: 'TEXT', text: 'h'.repeat(length) }, body: 'x' })],
    ['body.text', 1_024, (length) => 'b'.repeat(length)],
    ['footer.text', 60, (length) => ({ body: 'x', footer: { text: '𝒇'.repeat(length) } })],
    ['buttons.0.text', 25, (length) => ({ body: 'x', buttons: [{ type: 'QUICK_REPLY', text: 'é'.repeat(length) }] })],
    [
      'buttons.0.url',
      2_000,
      (length) => ({ body: 'x', buttons: [{ type: 'URL', text: 'u', url: url + 'u'.repeat(length - url.length) }] }),
    ],
    [
      'carousel.cards.0.body.text',
      160,
      (length) => ({ body: 'x', carousel: { cards: [card({ body: '😀'.repeat(length) }), card()] } }),
    ],
  ]
  for (const [field, max, make] of rows) {
    t.deepEqual(codesIn(make(max)), [], field)
    t.like(faultsIn(make(max + 1))[0], {
      code: 'TEMPLATE_FIELD_TOO_LONG',
      field,
      max,
      actual: max + 1,
      upstreamCode: 2388040,
    })
  }
})

// [templates.checks.8] [templates.body.9]
test('1,024 emojis are a body, 1,025 letters are not', (t) => {
  t.deepEqual(codesIn('😀'.repeat(1_024)), [])
  t.deepEqual(codesIn('b'.repeat(1_025)), ['TEMPLATE_FIELD_TOO_LONG'])
  t.is(codePointsOf('a😀\uD83D'), 3)
})

// [templates.checks.9]
test('a body cannot start or end with a variable, outer white space or not', (t) => {
  const examples = { a: 'x', b: 'y' }
  for (const text of ['{{a}} hello', 'hello {{a}}', ' \n{{a}} hello', 'hello {{a}}\n ', '{{a}}'])
    t.deepEqual(codesIn(text, { examples }), ['TEMPLATE_BODY_VARIABLE_AT_EDGE'], text)
  for (const text of ['hello {{a}} there', 'x {{a}} and {{b}} x', 'x {{a}}, {{b}} x', 'to {{a}} 👍', 'R$ {{a}} só'])
    t.deepEqual(codesIn(text, { examples }), [], text)
})

test('variables at the edge behind punctuation, formatting or invisible marks, and side by side, are refused as upstream refuses them', (t) => {
  const examples = { a: 'x', b: 'y' }
  for (const text of [
    'Hello {{a}}.',
    'hi {{a}}\u200B',
    '*{{a}}* hi there',
    '¡{{a}}! hi',
    '"{{a}}" is yours',
    '~{{a}}~ hi',
    'hello {{a}}…',
  ]) {
    t.deepEqual(codesIn(text, { examples }), ['TEMPLATE_BODY_VARIABLE_AT_EDGE'], text)
    t.like(faultsIn(text, { examples })[0], { upstreamCode: 2388299, field: 'body.text' })
    t.deepEqual(codesIn(text, { ...LOCAL, examples }), [], 'a number of the other kind has no upstream')
  }
  for (const text of ['Hello {{a}} {{b}} friend', 'Hello {{a}}{{b}} friend', 'Hello {{a}}\n*{{b}}* friend']) {
    t.deepEqual(codesIn(text, { examples }), ['TEMPLATE_BODY_VARIABLE_AT_EDGE SIDE_BY_SIDE'], text)
    t.deepEqual(codesIn(text, { ...LOCAL, examples }), [])
  }
})

test('labels and footers with emojis, line breaks or formatting are refused before upstream refuses them', (t) => {
  const decorated = [
    ['Yes ✅', 'EMOJI'],
    ['Sim\nNão', 'LINE_BREAK'],
    ['*Yes*', 'FORMATTING'],
    ['_Yes_', 'FORMATTING'],
    ['~x~', 'FORMATTING'],
    ['Yes 👍🏽', 'EMOJI'],
  ] as const
  for (const [text, problem] of decorated) {
    for (const button of [
      { type: 'QUICK_REPLY', text },
      { type: 'URL', text, url: 'https://shop.io/' },
    ]) {
      t.deepEqual(
        codesIn({ body: 'Hello there friend', buttons: [button] }),
        [`TEMPLATE_BUTTON_INVALID ${problem}`],
        text,
      )
      t.like(faultsIn({ body: 'Hello there friend', buttons: [button] })[0], {
        upstreamCode: 100,
        upstreamSubcode: 2388060,
        field: 'buttons.0.text',
      })
      t.deepEqual(codesIn({ body: 'Hello there friend', buttons: [button] }, LOCAL), [], text)
    }
    t.deepEqual(
      codesIn({ body: 'Hello there friend', footer: text }),
      [`TEMPLATE_FOOTER_TEXT_INVALID ${problem}`],
      text,
    )
    t.like(faultsIn({ body: 'Hello there friend', footer: text })[0], { upstreamCode: 2388072, field: 'footer.text' })
  }
  const ofCard = faultsIn({
    body: 'x',
    carousel: { cards: [card({ buttons: [{ type: 'QUICK_REPLY', text: 'Yes ✅' }] }), card()] },
  })
  t.like(ofCard[0], { code: 'TEMPLATE_BUTTON_INVALID', card: 1, problem: 'EMOJI' })
  t.deepEqual(
    codesIn({
      body: 'Hello there friend',
      footer: 'Acme® nº 1, snake_case',
      buttons: [{ type: 'QUICK_REPLY', text: 'Não, obrigado – 100%' }],
    }),
    [],
  )
})

// [templates.checks.10]
test('a text header has no emojis, no line breaks, no formatting and one variable at most', (t) => {
  const problem = (name: string) => [`TEMPLATE_HEADER_TEXT_INVALID ${name}`]
  for (const text of ['Hi 😀', 'I ❤ you', '1️⃣ first', 'to 🇧🇷']) t.deepEqual(withHeader(text), problem('EMOJI'), text)
  for (const text of ['a\nb', 'a\rb', 'a\u2028b']) t.deepEqual(withHeader(text), problem('LINE_BREAK'), text)
  for (const text of ['*a', 'a ~b~', '`a`', '_a_', 'so _a b_ it', '_a_b_'])
    t.deepEqual(withHeader(text), problem('FORMATTING'), text)
  t.deepEqual(withHeader('{{a}} {{b}}'), problem('VARIABLES'))
  t.deepEqual(withHeader('{{a}} {{a}}'), problem('VARIABLES'))
  t.deepEqual(withHeader(''), problem('EMPTY'))
  t.deepEqual(
    withHeader('*a* 😀\n{{a}}{{b}}'),
    ['EMOJI', 'LINE_BREAK', 'FORMATTING', 'VARIABLES'].map((name) => `TEMPLATE_HEADER_TEXT_INVALID ${name}`),
  )
})

// [templates.checks.10]
test('a text header may have signs, digits, words with underscores and one variable', (t) => {
  for (const text of [
    'Café № 5 #1',
    'Brand® © ™',
    'order_id_number',
    'a _ b _ c',
    'Hi {{first_name}}',
    '{{a}}',
    'snake_case and other_case',
  ])
    t.deepEqual(withHeader(text), [], text)
})

// [templates.checks.11] [templates.body.5] [templates.body.7]
test('a media header has a URL or the data of its type, one of them', (t) => {
  const png = 'data:image/png;base64,aGk='
  const of = (type: string, fields: object) => codesIn({ header: { type, ...fields }, body: 'x' })
  const bad = ['TEMPLATE_HEADER_MEDIA_INVALID']
  for (const fields of [
    { url: 'https://x.io/a.png' },
    { url: 'http://x.io/a' },
    { base64: png },
    { base64: png.toUpperCase() },
    { base64: '\n data: image/png; name="a, b.png"; base64,\naG k=' },
  ])
    t.deepEqual(of('IMAGE', fields), [])
  t.deepEqual(of('VIDEO', { base64: 'data:video/mp4;base64,aGk=' }), [])
  t.deepEqual(of('DOCUMENT', { base64: 'data:application/pdf;base64,aGk=' }), [])
  for (const fields of [
    {},
    { url: '' },
    { url: 'https://x.io/a.png', base64: png },
    { url: 'ftp://x.io/a' },
    { url: 'x.io/a' },
    { url: png },
    { base64: 'aGk=' },
    { base64: 'data:image/png,hi' },
    { base64: 'data:video/mp4;base64,aGk=' },
  ]) {
    t.deepEqual(of('IMAGE', fields), bad)
  }
  t.deepEqual(of('DOCUMENT', { base64: png }), bad)
})

// [templates.checks.12]
test('a footer has no variables', (t) => {
  t.like(faultsIn({ body: 'x', footer: { text: 'by {{a}}' } }, LOCAL)[0], {
    code: 'TEMPLATE_FOOTER_VARIABLE',
    field: 'footer.text',
    upstreamCode: 2388073,
  })
  t.deepEqual(codesIn({ body: 'x', footer: 'by 😀 us' }, LOCAL), [])
})

// [templates.checks.25]
test('missing samples are listed once each, on both kinds', (t) => {
  const given = {
    header: { type: 'TEXT', text: '{{h}}' },
    body: 'x {{1}}, {{b}} and {{1}} x',
    buttons: [
      { type: 'URL', text: 'u', url: 'https://x.io/{{1}}' },
      { type: 'COPY_CODE', example: '{{code}}' },
    ],
  }
  t.deepEqual(
    faultsIn(given).map(({ code, missing }) => [code, missing]),
    [['TEMPLATE_EXAMPLES_REQUIRED', ['h', '1', 'b', 'button_1']]],
  )
  t.deepEqual(
    faultsIn(given, { ...LOCAL, examples: { h: 'x' } }).map(({ missing }) => missing),
    [['1', 'b']],
  )
})
