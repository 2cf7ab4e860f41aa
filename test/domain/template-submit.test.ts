import test from 'ava'
import fc from 'fast-check'
import { isAsSubmitted } from '../../src/domain/template-compare.ts'
import { readTemplateBody } from '../../src/domain/template-form.ts'
import { importTemplate } from '../../src/domain/template-import.ts'
import { sendComponentsOf } from '../../src/domain/template-send.ts'
import { submissionOf } from '../../src/domain/template-submit.ts'
import type { SubmitFacts } from '../../src/domain/template-submit.ts'
import { checkValues } from '../../src/domain/template-values.ts'
import { card, codesIn } from '../helpers/template-subject.ts'

const FACTS: SubmitFacts = {
  category: 'MARKETING',
  examples: {},
  headerHandle: '4::h',
  cardHandles: ['4::a', '4::b'],
  officialFlowIdOf: (id) => (id === 'flow_1' ? '900' : null),
}
const bodyOf = (given: unknown) => readTemplateBody(given).body
const submit = (given: unknown, facts: Partial<SubmitFacts> = {}) => submissionOf(bodyOf(given), { ...FACTS, ...facts })
const CAROUSEL = {
  body: 'Look, {{name}}!',
  carousel: {
    cards: [
      card({
        body: 'a {{name}} {{1}} a',
        buttons: [
          { type: 'QUICK_REPLY', text: 'q' },
          { type: 'URL', text: 'u', url: 'https://x.io/{{1}}' },
        ],
      }),
      card({
        body: 'b',
        buttons: [
          { type: 'QUICK_REPLY', text: 'q' },
          { type: 'URL', text: 'u', url: 'https://x.io/b' },
        ],
      }),
    ],
  },
}

function send(given: unknown, variables: Record<string, unknown>, over: object = {}, facts: Partial<SubmitFacts> = {}) {
  const body = bodyOf(given)
  const { category } = { ...FACTS, ...facts }
  return sendComponentsOf(body, {
    category,
    parameters: submit(given, facts).parameters,
    valueOf: checkValues(body, { source: 'OFFICIAL', category }, { variables }).valueOf,
    headerMedia: null,
    cardMedia: [],
    flowOf: () => null,
    ...over,
  })
}

// [templates.examples.3]
test('each occurrence in a text is its next number, and the samples stand in that order', (t) => {
  const examples = { name: 'Ana', order: 7, 1: 'one', header_1: 'top' }
  t.deepEqual(
    submit(
      { header: { type: 'TEXT', text: 'For {{1}}' }, body: 'x {{name}} {{order}} {{ name }} {{1}} x', footer: 'bye' },
      { examples },
    ),
    {
      displayFormat: null,
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'For {{1}}', example: { header_text: ['top'] } },
        { type: 'BODY', text: 'x {{1}} {{2}} {{3}} {{4}} x', example: { body_text: [['Ana', '7', 'Ana', 'one']] } },
        { type: 'FOOTER', text: 'bye' },
      ],
      parameters: { format: 'POSITIONAL', header: ['header_1'], body: ['name', 'order', 'name', '1'], cards: [] },
    },
  )
})

test('texts without variables have no example, and a file its handle', (t) => {
  t.deepEqual(submit({ header: { type: 'VIDEO', url: 'https://x.io/a.mp4' }, body: 'x' }).components, [
    { type: 'HEADER', format: 'VIDEO', example: { header_handle: ['4::h'] } },
    { type: 'BODY', text: 'x' },
  ])
})

// [templates.special-buttons.4]
test('buttons are said as upstream says them', (t) => {
  const examples = { link: 'a$&b', 1: 'two', pix: 'PIX1' }
  const buttons = [
    { type: 'QUICK_REPLY', text: 'q' },
    { type: 'URL', text: 'u', url: 'https://x.io/?l={{link}}' },
    { type: 'URL', text: 'v', url: 'https://x.io/{{1}}' },
    { type: 'PHONE_NUMBER', text: 'p', phone_number: '+55 (11) 99999-9999' },
    { type: 'PAYMENT_REQUEST', example: '{{pix}}' },
    { type: 'FLOW', text: 'f', flowId: 'flow_1', screen: 'S' },
    { type: 'FLOW', text: 'g', flowId: 'flow_1', action: 'data_exchange' },
  ]
  t.deepEqual(submit({ body: 'x', buttons }, { examples }).components[1], {
    type: 'BUTTONS',
    buttons: [
      { type: 'QUICK_REPLY', text: 'q' },
      { type: 'URL', text: 'u', url: 'https://x.io/?l={{1}}', example: ['https://x.io/?l=a$&b'] },
      { type: 'URL', text: 'v', url: 'https://x.io/{{1}}', example: ['https://x.io/two'] },
      { type: 'PHONE_NUMBER', text: 'p', phone_number: '+5511999999999' },
      { type: 'PAYMENT_REQUEST', example: ['PIX1'] },
      { type: 'FLOW', text: 'f', flow_id: '900', flow_action: 'navigate', navigate_screen: 'S' },
      { type: 'FLOW', text: 'g', flow_id: '900', flow_action: 'data_exchange' },
    ],
  })
})

// [templates.special-buttons.3]
test('the sample of a code is the fixed one, else the sample given, else one of ours', (t) => {
  const code = (example: string, examples = {}) =>
    (
      submit({ body: 'x', buttons: [{ type: 'COPY_CODE', example }] }, { examples }).components[1] as {
        buttons: object[]
      }
    ).buttons
  t.deepEqual(code('FIXED', { button_1: 'OTHER' }), [{ type: 'COPY_CODE', example: 'FIXED' }])
  t.deepEqual(code('{{code}}', { code: 'GIVEN' }), [{ type: 'COPY_CODE', example: 'GIVEN' }])
  t.deepEqual(code('{{code}}'), [{ type: 'COPY_CODE', example: 'SAMPLE10' }])
})

// [templates.special-buttons.5]
test('order details are a format of the whole template', (t) => {
  t.is(submit({ body: 'x', buttons: [{ type: 'ORDER_DETAILS', text: 'Pay' }] }).displayFormat, 'ORDER_DETAILS')
})

// [templates.special-buttons.1]
test('of an OTP template upstream writes the texts', (t) => {
  const otp = (given: object) =>
    submit({ body: { text: 'Code {{code}}, {{code}}.' }, ...given }, { category: 'OTP', examples: { code: 1 } })
  t.deepEqual(otp({}), {
    displayFormat: null,
    parameters: { format: 'POSITIONAL', header: [], body: ['code'], cards: [] },
    components: [
      { type: 'BODY', add_security_recommendation: true },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ],
  })
  t.deepEqual(
    otp({
      body: { text: 'Code {{code}}.', addSecurityRecommendation: false },
      footer: { codeExpirationMinutes: 5 },
    }).components.slice(0, 2),
    [
      { type: 'BODY', add_security_recommendation: false },
      { type: 'FOOTER', code_expiration_minutes: 5 },
    ],
  )
})

test('each card is numbered by itself', (t) => {
  const { components, parameters } = submit(CAROUSEL, {
    examples: { name: 'Ana', card_1_1: 'one', card_1_button_2: 'suffix' },
  })
  t.deepEqual(parameters, { format: 'POSITIONAL', header: [], body: ['name'], cards: [['name', 'card_1_1'], []] })
  const { cards } = components[1] as { cards: { components: Record<string, unknown>[] }[] }
  t.deepEqual(cards[0]?.components, [
    { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::a'] } },
    { type: 'BODY', text: 'a {{1}} {{2}} a', example: { body_text: [['Ana', 'one']] } },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'q' },
        { type: 'URL', text: 'u', url: 'https://x.io/{{1}}', example: ['https://x.io/suffix'] },
      ],
    },
  ])
  t.deepEqual(cards[1]?.components[0], { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::b'] } })
})

// [templates.send.11] [templates.special-buttons.4] [templates.send.14]
test("a send has the components that have parameters, in upstream's order, and no others", (t) => {
  t.deepEqual(
    send(
      {
        header: { type: 'TEXT', text: 'Hi' },
        body: 'x',
        footer: 'f',
        buttons: [
          { type: 'QUICK_REPLY', text: 'q' },
          { type: 'URL', text: 'u', url: 'https://x.io/' },
        ],
      },
      {},
    ),
    [],
  )
  const given = {
    header: { type: 'TEXT', text: '{{1}}' },
    body: 'x {{name}} {{1}} {{name}} x',
    buttons: [
      { type: 'QUICK_REPLY', text: 'q' },
      { type: 'URL', text: 'u', url: 'https://x.io/{{1}}' },
      { type: 'COPY_CODE', example: 'FIXED' },
      { type: 'PAYMENT_REQUEST', example: '{{pix}}' },
    ],
  }
  t.deepEqual(
    send(given, { header_1: 'top', 1: 'one', name: '$&', button_2: 'a?b', button_3: 'CODE', pix: '00020126' }),
    [
      { type: 'header', parameters: [{ type: 'text', text: 'top' }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: '$&' },
          { type: 'text', text: 'one' },
          { type: 'text', text: '$&' },
        ],
      },
      { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'a?b' }] },
      { type: 'button', sub_type: 'copy_code', index: '2', parameters: [{ type: 'coupon_code', coupon_code: 'CODE' }] },
      { type: 'button', sub_type: 'payment_request', index: '3', parameters: [{ type: 'text', text: '00020126' }] },
    ],
  )
})

// [templates.send.12]
test('files go by id, documents with a name', (t) => {
  const header = (type: string, fileName: string | null) =>
    send({ header: { type, url: 'https://x.io/a' }, body: 'x' }, {}, { headerMedia: { id: '77', fileName } })
  t.deepEqual(header('IMAGE', 'a.png'), [{ type: 'header', parameters: [{ type: 'image', image: { id: '77' } }] }])
  t.deepEqual(header('DOCUMENT', 'a.pdf'), [
    { type: 'header', parameters: [{ type: 'document', document: { id: '77', filename: 'a.pdf' } }] },
  ])
})

// [templates.send.13]
test('a Flow goes with its token, in the order of the buttons', (t) => {
  const flowOf = (button: number) => (button === 1 ? { token: 'ft_1', data: { a: 1 } } : null)
  t.deepEqual(
    send(
      {
        body: 'x',
        buttons: [
          { type: 'FLOW', text: 'f', flowId: 'flow_1' },
          { type: 'COPY_CODE', example: 'C' },
        ],
      },
      { button_2: 'C' },
      { flowOf },
    ),
    [
      {
        type: 'button',
        sub_type: 'flow',
        index: '0',
        parameters: [{ type: 'action', action: { flow_token: 'ft_1', flow_action_data: { a: 1 } } }],
      },
      { type: 'button', sub_type: 'copy_code', index: '1', parameters: [{ type: 'coupon_code', coupon_code: 'C' }] },
    ],
  )
})

// [templates.send.13]
test('the code of an OTP template goes into the body and into its button', (t) => {
  t.deepEqual(
    send({ body: 'Code {{code}}.', buttons: [{ type: 'COPY_CODE' }] }, { code: 1234 }, {}, { category: 'OTP' }),
    [
      { type: 'body', parameters: [{ type: 'text', text: '1234' }] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '1234' }] },
    ],
  )
})

test('each card is sent with its picture and what it has of parameters', (t) => {
  const [body, carousel] = send(
    CAROUSEL,
    { name: 'Ana', card_1_1: 'one', card_1_button_2: 'suffix' },
    { cardMedia: ['1', '2'] },
  )
  t.deepEqual(body, { type: 'body', parameters: [{ type: 'text', text: 'Ana' }] })
  t.deepEqual(carousel, {
    type: 'carousel',
    cards: [
      {
        card_index: 0,
        components: [
          { type: 'header', parameters: [{ type: 'image', image: { id: '1' } }] },
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Ana' },
              { type: 'text', text: 'one' },
            ],
          },
          { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'suffix' }] },
        ],
      },
      { card_index: 1, components: [{ type: 'header', parameters: [{ type: 'image', image: { id: '2' } }] }] },
    ],
  })
})

// [templates.examples.4]
test('parameters of NAMED templates carry their name, those of buttons never', (t) => {
  const shown = [
    { type: 'BODY', text: 'Hi {{first}} and {{second}}.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'u', url: 'https://x.io/{{1}}' }] },
  ]
  const { body, parameters } = importTemplate(shown, { category: 'UTILITY', format: 'NAMED', flowIdOf: () => null })
  const { valueOf } = checkValues(
    body,
    { source: 'OFFICIAL', category: 'UTILITY' },
    { variables: { first: 'a', second: 'b', button_1: 'c' } },
  )
  t.deepEqual(
    sendComponentsOf(body, {
      category: 'UTILITY',
      parameters,
      valueOf,
      headerMedia: null,
      cardMedia: [],
      flowOf: () => null,
    }),
    [
      {
        type: 'body',
        parameters: [
          { type: 'text', parameter_name: 'first', text: 'a' },
          { type: 'text', parameter_name: 'second', text: 'b' },
        ],
      },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'c' }] },
    ],
  )
})

const word = fc.constantFrom('{{a}}', '{{b}}', '{{1}}', '{{2}}', 'x', '$&')
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => `x ${words.join(' y ')} x`)
const examples = { a: 'A', b: 'B', 1: '1', 2: '2' }
const button = fc.constantFrom(
  { type: 'QUICK_REPLY', text: 'q' },
  { type: 'URL', text: 'u', url: 'https://x.io/{{a}}' },
  { type: 'PHONE_NUMBER', text: 'p', phone_number: '+55 11 99999-9999' },
  { type: 'COPY_CODE', example: ['C'] },
)

test("the upstream's form of a submitted template is recognised, and another text is not", (t) => {
  fc.assert(
    fc.property(text, fc.array(button, { minLength: 1, maxLength: 3 }), (body, buttons) => {
      const { components } = submit(
        { header: { type: 'IMAGE', url: 'https://x.io/a.png' }, body, buttons },
        { examples },
      )
      const shown = (JSON.parse(JSON.stringify(components)) as Record<string, unknown>[])
        .map((one) => ({ ...one, example: undefined, type: String(one['type']).toLowerCase() }))
        .toReversed()
      t.true(isAsSubmitted(components, shown, false))
      t.false(
        isAsSubmitted(
          components,
          shown.map((one) => (one.type === 'body' ? { ...one, text: 'other' } : one)),
          false,
        ),
      )
      t.false(isAsSubmitted(components, shown.slice(1), false))
    }),
    { numRuns: 50 },
  )
})

test('an imported template is sent with as many parameters as the upstream shows in it', (t) => {
  fc.assert(
    fc.property(text, (body) => {
      const { components, parameters } = submit({ body }, { examples })
      const imported = importTemplate(components as Record<string, unknown>[], {
        category: 'MARKETING',
        format: 'POSITIONAL',
        flowIdOf: () => null,
      })
      t.is(imported.parameters.body.length, parameters.body.length)
      t.deepEqual(
        Object.values(imported.examples),
        parameters.body.map((key) => examples[key as keyof typeof examples]),
      )
      t.deepEqual(codesIn(imported.body, { examples: imported.examples }), [])
    }),
    { numRuns: 50 },
  )
})
