import test from 'ava'
import { codesIn, faultsIn } from '../helpers/template-subject.ts'

const LOCAL = { source: 'LOCAL' } as const
const REPLY = { type: 'QUICK_REPLY', text: 'Yes' }
const NO = { type: 'QUICK_REPLY', text: 'No' }
const LINK = { type: 'URL', text: 'Open', url: 'https://shop.io/' }
const of = (buttons: readonly unknown[], facts: Parameters<typeof codesIn>[1] = {}) =>
  codesIn({ body: 'x', buttons }, { examples: { a: 's', b: 's', 1: 's' }, ...facts })

// [templates.body.10] [templates.body.11] [templates.body.12] [templates.body.13] [templates.body.14]
// [templates.body.16]
test('every type of button passes when its fields are given', (t) => {
  t.deepEqual(
    of([
      REPLY,
      LINK,
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+55 11 99999-9999' },
      { type: 'COPY_CODE', example: ['CODE10'] },
    ]),
    [],
  )
  t.deepEqual(of([{ type: 'PAYMENT_REQUEST', example: ['{{a}}'] }]), [])
  t.deepEqual(of([{ type: 'ORDER_DETAILS', text: 'Pay' }]), [])
})

// [templates.body.17]
test('replies are mixed with links, numbers and codes, below a video or a document too, on both kinds', (t) => {
  const buttons = [
    REPLY,
    NO,
    LINK,
    { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+5511999999999' },
    { type: 'COPY_CODE', example: ['CODE10'] },
  ]
  for (const header of [
    { type: 'NONE' },
    { type: 'VIDEO', url: 'https://cdn.io/a.mp4' },
    { type: 'DOCUMENT', url: 'https://cdn.io/a.pdf' },
  ]) {
    for (const facts of [{}, LOCAL]) t.deepEqual(codesIn({ header, body: 'x', buttons }, facts), [], header.type)
  }
})

// [templates.checks.13]
test('a field of its type that is missing or blank is a fault, whatever else is wrong with it', (t) => {
  const rows: readonly [object, string][] = [
    [{ type: 'QUICK_REPLY' }, 'text'],
    [{ type: 'QUICK_REPLY', text: ' ' }, 'text'],
    [{ type: 'URL', text: 'u' }, 'url'],
    [{ type: 'URL', url: LINK.url }, 'text'],
    [{ type: 'PHONE_NUMBER', text: 'p', phone_number: '' }, 'phone_number'],
    [{ type: 'COPY_CODE' }, 'example'],
    [{ type: 'COPY_CODE', example: [' '] }, 'example'],
    [{ type: 'PAYMENT_REQUEST' }, 'example'],
    [{ type: 'FLOW', text: 'f' }, 'flowId'],
    [{ type: 'ORDER_DETAILS' }, 'text'],
  ]
  for (const [button, field] of rows) {
    t.deepEqual(
      faultsIn({ body: 'x', buttons: [button] }).map((fault) => [fault.code, fault.field]),
      [['TEMPLATE_BUTTON_INVALID', `buttons.0.${field}`]],
    )
  }
})

// [templates.checks.13] [templates.body.15]
test('a label has no variables, and the action of a Flow is one of two', (t) => {
  t.deepEqual(of([{ type: 'QUICK_REPLY', text: 'Hi {{a}}' }]), ['TEMPLATE_BUTTON_INVALID'])
  const flowStatusOf = () => 'PUBLISHED'
  t.deepEqual(of([{ type: 'FLOW', text: 'f', flowId: 'f', action: 'fly' }], { flowStatusOf }), [
    'TEMPLATE_BUTTON_INVALID',
  ])
  t.deepEqual(
    of([{ type: 'FLOW', text: 'f', flowId: 'f', action: 'data_exchange', screen: 'S' }], { flowStatusOf }),
    [],
  )
})

test('two buttons with the same label are refused where upstream refuses them, those of different cards are not', (t) => {
  const buttons = [REPLY, { ...LINK, text: ' Yes ' }]
  t.deepEqual(
    faultsIn({ body: 'x', buttons }).map(({ code, field, problem }) => [code, field, problem]),
    [['TEMPLATE_BUTTON_INVALID', 'buttons.1.text', 'DUPLICATE']],
  )
  t.deepEqual(of([REPLY, { ...LINK, text: 'yes' }]), [])
  t.deepEqual(of(buttons, LOCAL), [])
  const card = (labels: readonly string[]) => ({
    media: { url: 'https://cdn.io/a.png' },
    buttons: labels.map((text) => ({ type: 'QUICK_REPLY', text })),
  })
  const carousel = (...cards: readonly object[]) =>
    faultsIn({ body: 'x', carousel: { cards } }, { category: 'MARKETING' }).map(({ field, problem }) => [
      field,
      problem,
    ])
  t.deepEqual(carousel(card(['Yes', 'No']), card(['Yes', 'No'])), [])
  t.deepEqual(carousel(card(['Yes', 'No']), card(['Yes', 'Yes'])), [['carousel.cards.1.buttons.1.text', 'DUPLICATE']])
})

// [templates.special-buttons.5]
test('ORDER_DETAILS stands alone', (t) => {
  t.deepEqual(of([{ type: 'ORDER_DETAILS', text: 'Pay' }, REPLY]), ['TEMPLATE_BUTTON_INVALID NOT_ALONE'])
})

// [templates.checks.14]
test('buttons are counted in all and by type: at the border they pass, one more does not', (t) => {
  const many = (count: number, button: object) =>
    Array.from({ length: count }, (_, at) =>
      'text' in button ? { ...button, text: `${String(button.text)} ${at}` } : button,
    )
  const flowStatusOf = () => 'PUBLISHED'
  const rows: readonly [type: string, max: number, button: object][] = [
    ['URL', 2, LINK],
    ['PHONE_NUMBER', 1, { type: 'PHONE_NUMBER', text: 'p', phone_number: '+5511999999999' }],
    ['COPY_CODE', 1, { type: 'COPY_CODE', example: 'C' }],
    ['PAYMENT_REQUEST', 1, { type: 'PAYMENT_REQUEST', example: '{{a}}' }],
    ['FLOW', 1, { type: 'FLOW', text: 'f', flowId: 'f' }],
  ]
  for (const [type, max, button] of rows) {
    t.deepEqual(of(many(max, button), { flowStatusOf }), [], type)
    t.like(faultsIn({ body: 'x', buttons: many(max + 1, button) }, { flowStatusOf, examples: { a: 's' } })[0], {
      code: 'TEMPLATE_BUTTON_LIMIT',
      type,
      max,
      actual: max + 1,
      upstreamCode: 100,
    })
  }
  t.deepEqual(of(many(10, REPLY)), [])
  t.deepEqual(
    faultsIn({ body: 'x', buttons: many(11, REPLY) }).map(({ type, max }) => [type, max]),
    [
      ['QUICK_REPLY', 10],
      [undefined, 10],
    ],
  )
  t.deepEqual(
    faultsIn({ body: 'x', buttons: [...many(9, REPLY), ...many(2, LINK)] }).map(({ type, max }) => [type, max]),
    [[undefined, 10]],
  )
})

// [templates.checks.15]
test('quick replies stand side by side on OFFICIAL', (t) => {
  for (const buttons of [[REPLY, NO, LINK], [LINK, REPLY, NO], [LINK, { ...LINK, text: 'Other' }], [REPLY]])
    t.deepEqual(of(buttons), [])
  t.deepEqual(of([REPLY, LINK, NO]), ['TEMPLATE_BUTTON_GROUPING'])
  t.deepEqual(of([REPLY, LINK, NO], LOCAL), [])
})

// [templates.checks.16]
test('the URL of a button has one of these forms', (t) => {
  for (const url of [
    'https://shop.io',
    'http://shop.io/a?b=c#d',
    'HTTPS://Shop.io/',
    'https://shop.io/{{a}}',
    'https://shop.io/p?q={{1}}',
    'https://shop.io/p/{{ a }}',
  ]) {
    for (const facts of [{}, LOCAL]) t.deepEqual(of([{ ...LINK, url }], facts), [], url)
  }
})

// [templates.checks.16]
test('the URL of a button is refused with the problem it has', (t) => {
  const rows: readonly [string, ...string[]][] = [
    ['ftp://shop.io/', 'FORM'],
    ['shop.io', 'FORM'],
    ['/path', 'FORM'],
    ['https://', 'FORM'],
    ['https://sh op.io/', 'FORM'],
    [' https://shop.io/', 'FORM'],
    ['https://shop.io/a b', 'FORM'],
    ['{{a}}', 'FORM'],
    ['{{a}}://shop.io/', 'FORM'],
    ['https://shop.io:port/', 'FORM'],
    ['https://{{a}}.shop.io/', 'VARIABLE_IN_DOMAIN'],
    ['https://shop.{{a}}', 'VARIABLE_IN_DOMAIN'],
    ['https://{{a}}', 'VARIABLE_IN_DOMAIN'],
    ['https://{{a}}/x', 'VARIABLE_IN_DOMAIN'],
    ['https://shop.io:{{1}}/', 'VARIABLE_IN_DOMAIN'],
    ['https://shop.io?q={{a}}', 'VARIABLE_IN_DOMAIN'],
    ['https://shop.io{{a}}', 'VARIABLE_IN_DOMAIN'],
    ['https://{{a}}.io/{{b}}', 'VARIABLE_IN_DOMAIN', 'VARIABLE_COUNT'],
    ['https://shop.io/{{a}}/{{b}}', 'VARIABLE_COUNT'],
    ['https://shop.io/{{a}}{{a}}', 'VARIABLE_COUNT'],
    ['https://shop.io/{{a}}/x', 'VARIABLE_NOT_AT_END'],
    ['https://shop.io/?a={{a}}&b=1', 'VARIABLE_NOT_AT_END'],
  ]
  for (const [url, ...problems] of rows)
    t.deepEqual(
      of([{ ...LINK, url }], LOCAL),
      problems.map((problem) => `TEMPLATE_URL_INVALID ${problem}`),
      url,
    )
})

// [templates.checks.17]
test('on OFFICIAL the domain of a URL is no placeholder such as example.com', (t) => {
  const hosts = [
    'example.com',
    'www.example.net',
    'EXAMPLE.org',
    'shop.example',
    'a.test',
    'x.invalid',
    'localhost',
    'localhost:3000',
    'app.localhost',
    'yourdomain.com',
    'www.yoursite.com',
    'yourwebsite.com',
    'example.com.',
  ]
  for (const host of hosts) {
    const buttons = [{ ...LINK, url: `https://${host}/{{a}}` }]
    t.deepEqual(of(buttons), ['TEMPLATE_URL_PLACEHOLDER_DOMAIN'], host)
    t.deepEqual(of(buttons, LOCAL), [], host)
  }
  t.like(faultsIn({ body: 'x', buttons: [{ ...LINK, url: 'https://example.com' }] })[0], {
    upstreamCode: 368,
    upstreamSubcode: 1346003,
  })
  for (const host of ['myexample.com', 'example.com.br', 'test.io', 'notyourdomain.com', 'latest', 'shop.io'])
    t.deepEqual(of([{ ...LINK, url: `https://${host}/` }]), [], host)
})

// [templates.checks.18]
test('the number of a button has its country code and 8 to 15 digits', (t) => {
  const phone = (phone_number: string) => of([{ type: 'PHONE_NUMBER', text: 'p', phone_number }], LOCAL)
  for (const number of ['+12345678', '+123456789012345', '+55 (11) 99999-9999', '+1.555.010.0000'])
    t.deepEqual(phone(number), [], number)
  for (const number of ['+1234567', '+1234567890123456', '5511999999999', '+55 11 CALL-NOW', '++5511999999999', '+'])
    t.deepEqual(phone(number), ['TEMPLATE_BUTTON_PHONE_INVALID'], number)
})

// [templates.checks.19]
test('a code to copy is 1 to 15 letters and digits, or one variable', (t) => {
  const code = (example: unknown) => of([{ type: 'COPY_CODE', example }], LOCAL)
  for (const example of ['A', 'A'.repeat(15), ['Code10'], '{{a}}', ['{{ a }}'], '{{1}}']) t.deepEqual(code(example), [])
  for (const example of ['A'.repeat(16), 'CODE-10', 'CODE 10', 'x{{a}}', '{{a}}{{b}}', ['A', 'B'], 'código'])
    t.deepEqual(code(example), ['TEMPLATE_COPY_CODE_INVALID'])
})

// [templates.checks.20]
test('a payment request has one variable', (t) => {
  const payment = (example: unknown) => of([{ type: 'PAYMENT_REQUEST', example }], LOCAL)
  t.deepEqual(payment('{{a}}'), [])
  for (const example of ['PIX123', 'x{{a}}', '{{a}}{{b}}', ['{{a}}', '{{b}}']])
    t.deepEqual(payment(example), ['TEMPLATE_PAYMENT_INVALID'])
  t.deepEqual(of([{ type: 'PAYMENT_REQUEST', example: '{{key}}' }], LOCAL), ['TEMPLATE_EXAMPLES_REQUIRED'])
})

// [templates.checks.21]
test('a Flow is one of the account, and published', (t) => {
  const flow = (status: string | null) =>
    of([{ type: 'FLOW', text: 'f', flowId: 'flow_1' }], {
      flowStatusOf: (id) => (id === 'flow_1' ? status : 'PUBLISHED'),
    })
  t.deepEqual(flow('PUBLISHED'), [])
  t.deepEqual(flow(null), ['TEMPLATE_FLOW_INVALID NOT_FOUND'])
  t.deepEqual(flow('DRAFT'), ['TEMPLATE_FLOW_INVALID NOT_PUBLISHED'])
})
