import test from 'ava'
import { chooseTemplate } from '../../src/domain/template-choice.ts'
import { readTemplateBody } from '../../src/domain/template-form.ts'
import { importedButton, officialFlowIdIn } from '../../src/domain/template-import-button.ts'
import type { ImportFacts } from '../../src/domain/template-import-button.ts'
import { samplesOfTexts } from '../../src/domain/template-import-samples.ts'
import { flowIdIn, headerFileKind, lacksFiles } from '../../src/domain/template-message.ts'
import { newId } from '../../src/domain/ids.ts'
import { storedTemplate } from '../helpers/scripted-templates.ts'
import { card, faultsIn } from '../helpers/template-subject.ts'

const REPLY = { type: 'QUICK_REPLY', text: 'Yes' }
const NO = { type: 'QUICK_REPLY', text: 'No' }
const LINK = { type: 'URL', text: 'Open', url: 'https://shop.io/' }

/** The faults of buttons, each without what its rule says of upstream's code. */
function ofButtons(buttons: readonly unknown[], facts: Parameters<typeof faultsIn>[1] = {}): object[] {
  return faultsIn({ body: 'x', buttons }, { examples: { a: 's' }, ...facts }).map(
    ({ code: _code, upstreamCode: _upstream, upstreamSubcode: _subcode, ...fault }) => fault,
  )
}

// [templates.checks.2] [templates.checks.13]
test('each fault of a button of a template says where it is, and what to do', (t) => {
  const rows: readonly [readonly unknown[], object, Parameters<typeof faultsIn>[1]?][] = [
    [[{ type: 'QUICK_REPLY' }], { field: 'buttons.0.text', message: 'A button of type QUICK_REPLY needs text' }],
    [
      [{ type: 'FLOW', text: 'f', flowId: 'f', action: 'fly' }],
      { field: 'buttons.0.action', message: 'action must be one of navigate, data_exchange' },
      { flowStatusOf: () => 'PUBLISHED' },
    ],
    [
      [{ type: 'QUICK_REPLY', text: 'Hi {{a}}' }],
      { field: 'buttons.0.text', message: 'The label of a button cannot have variables' },
    ],
    [
      [{ type: 'QUICK_REPLY', text: 'Hi 😀' }],
      { field: 'buttons.0.text', problem: 'EMOJI', message: 'The label of a button cannot have emojis' },
    ],
    [
      [REPLY, { ...REPLY, text: ' Yes ' }],
      {
        field: 'buttons.1.text',
        problem: 'DUPLICATE',
        message: 'Two buttons that are shown together have the same label',
      },
    ],
    [
      [LINK, { type: 'ORDER_DETAILS', text: 'Pay' }],
      { field: 'buttons.1', problem: 'NOT_ALONE', message: 'A button of type ORDER_DETAILS stands alone' },
    ],
    [
      [LINK, { ...LINK, text: 'b' }, { ...LINK, text: 'c' }],
      { field: 'buttons', type: 'URL', max: 2, actual: 3, message: 'A template has at most 2 buttons of type URL' },
    ],
    [
      [REPLY, LINK, NO],
      { field: 'buttons', message: 'Quick replies stand side by side, before or behind the other buttons' },
    ],
    [
      [{ ...LINK, url: 'ftp://shop.io' }],
      {
        field: 'buttons.0.url',
        problem: 'FORM',
        message: 'The URL of a button must begin with http:// or https:// and have no white space',
      },
    ],
    [
      [{ ...LINK, url: 'https://{{a}}.io/' }],
      {
        field: 'buttons.0.url',
        problem: 'VARIABLE_IN_DOMAIN',
        message: 'The domain of a URL cannot have a variable: put it behind the first / after the host',
      },
    ],
    [
      [{ ...LINK, url: 'https://shop.io/{{a}}/x' }],
      { field: 'buttons.0.url', problem: 'VARIABLE_NOT_AT_END', message: 'The variable of a URL stands at its end' },
    ],
    [
      [{ ...LINK, url: 'https://example.com/' }],
      {
        field: 'buttons.0.url',
        message: 'The URL of a button leads to a domain that is kept for examples: use your own',
      },
    ],
    [
      [{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '5511' }],
      {
        field: 'buttons.0.phone_number',
        message: 'phone_number must be + and 8 to 15 digits, the country code first',
      },
    ],
    [
      [{ type: 'COPY_CODE', example: ['A-1'] }],
      {
        field: 'buttons.0.example',
        message: 'The code to copy must be 1 to 15 letters and digits, or one variable',
      },
    ],
    [
      [{ type: 'PAYMENT_REQUEST', example: ['fixed'] }],
      {
        field: 'buttons.0.example',
        message: 'The example of a payment request is one variable, whose value a send gives',
      },
    ],
    [
      [{ type: 'FLOW', text: 'f', flowId: 'f' }],
      { field: 'buttons.0.flowId', problem: 'NOT_FOUND', message: 'flowId names no Flow of this account' },
    ],
    [
      [{ type: 'FLOW', text: 'f', flowId: 'f' }],
      { field: 'buttons.0.flowId', problem: 'NOT_PUBLISHED', message: 'The Flow is not published' },
      { flowStatusOf: () => 'DRAFT' },
    ],
  ]
  for (const [buttons, fault, facts] of rows) t.deepEqual(ofButtons(buttons, facts), [fault])
  t.true(
    ofButtons([{ ...LINK, url: 'https://shop.io/{{a}}{{b}}' }], { examples: { a: 's', b: 's' } }).some(
      (fault) => 'message' in fault && fault.message === 'A URL has one variable at most',
    ),
  )
  const eleven = [...Array.from({ length: 10 }, (_, n) => ({ ...REPLY, text: `r${n}` })), LINK]
  t.deepEqual(ofButtons(eleven), [
    { field: 'buttons', max: 10, actual: 11, message: 'A template has at most 10 buttons' },
  ])
})

test('faults of labels have the code of upstream’s answer to them', (t) => {
  t.like(faultsIn({ body: 'x', buttons: [{ type: 'QUICK_REPLY', text: '*a*' }] }), [
    { code: 'TEMPLATE_BUTTON_INVALID', problem: 'FORMATTING', upstreamCode: 100, upstreamSubcode: 2388060 },
  ])
  t.like(faultsIn({ body: 'x', buttons: [{ ...LINK, url: 'https://a.test/' }] }), [
    { code: 'TEMPLATE_URL_PLACEHOLDER_DOMAIN', upstreamCode: 368, upstreamSubcode: 1346003 },
  ])
})

// [templates.checks.22]
test('each fault of an OTP template says what such a template is', (t) => {
  const messageOf = (given: object) =>
    faultsIn({ body: 'Your code is {{code}}.', ...given }, { category: 'OTP', examples: { code: 1 } }).map(
      ({ field, message }) => `${field}: ${message}`,
    )
  t.deepEqual(messageOf({ body: 'x' }), ['body.text: An OTP template has exactly one variable: the code'])
  t.deepEqual(messageOf({ header: { type: 'TEXT', text: 'Hi' } }), ['header: An OTP template has no header'])
  t.true(messageOf({ carousel: { cards: [card(), card()] } }).includes('carousel: An OTP template has no carousel'))
  t.deepEqual(messageOf({ footer: { text: 'bye' } }), [
    'footer.text: An OTP template has no text in its footer: give codeExpirationMinutes',
  ])
  t.deepEqual(messageOf({ footer: { codeExpirationMinutes: 0 } }), [
    'footer.codeExpirationMinutes: codeExpirationMinutes is a whole number from 1 to 90',
  ])
  t.deepEqual(messageOf({ buttons: [LINK] }), ['buttons: An OTP template has one button of type COPY_CODE'])
})

// [templates.checks.23] [templates.checks.24]
test('each fault of a carousel says which card has it, from 1', (t) => {
  const of = (cards: readonly unknown[], given: object = {}, facts: Parameters<typeof faultsIn>[1] = {}) =>
    faultsIn({ body: 'Look', carousel: { cards }, ...given }, facts).map(({ field, message, card: at }) => [
      field,
      at,
      message,
    ])
  t.deepEqual(of([card(), card()], {}, { category: 'UTILITY' }), [
    ['carousel', undefined, 'A carousel is of category MARKETING'],
  ])
  for (const [field, given] of [
    ['header', { header: { type: 'TEXT', text: 'Hi' } }],
    ['footer', { footer: { text: 'bye' } }],
    ['buttons', { buttons: [REPLY] }],
  ] as const)
    t.deepEqual(of([card(), card()], given), [[field, undefined, `A carousel cannot have ${field} beside it`]])
  t.deepEqual(of([card()]), [['carousel.cards', undefined, 'A carousel has 2 to 10 cards']])
  const second = (over: object, part: string, message: string) =>
    t.deepEqual(of([card(), card(over as never)]), [[`carousel.cards.1.${part}`, 2, `Card 2: ${message}`]])
  second({ body: null }, 'body', 'Either every card has a text or none has')
  second({ body: { text: 'a\nb\nc\nd' } }, 'body.text', 'The text of a card has at most 2 line breaks')
  second(
    { buttons: [LINK] },
    'buttons',
    'Every card has the buttons of the first: as many, of the same types, in the same order',
  )
  const both = (buttons: readonly unknown[]) => of([card({ buttons }), card({ buttons })])
  t.deepEqual(both([]), [
    ['carousel.cards.0.buttons', 1, 'Card 1: A card has 1 or 2 buttons'],
    ['carousel.cards.1.buttons', 2, 'Card 2: A card has 1 or 2 buttons'],
  ])
  t.deepEqual(both([{ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+5511999999999' }]).slice(0, 1), [
    ['carousel.cards.0.buttons', 1, 'Card 1: Buttons of cards are of type QUICK_REPLY or URL'],
  ])
  const media = (url: string) => of([card(), card({ media: { url } })])
  for (const [url, said] of [
    ['http://cdn.io/a.png', 'must be an https URL'],
    ['https://cdn.io/a.gif', 'must end in .png, .jpg, .jpeg or .webp'],
    ['https://cdn.io/a.png?x', 'must have no query string and no fragment'],
    ['https://10.0.0.1/a.png', 'must lead to a public address'],
  ] as const)
    t.deepEqual(media(url), [['carousel.cards.1.media.url', 2, `The media of card 2 ${said}`]])
})

// [templates.send.2]
test('a template that cannot be sent is refused in words that name it', (t) => {
  const said = (fields: object, language: string | null = null) => {
    const chosen = chooseTemplate([storedTemplate('OFFICIAL', 'Hi.', fields as never)], 'welcome', language)
    return chosen.ok ? null : chosen.error.message
  }
  t.is(said({ ask: { kind: 'DELETE' } }), 'The template welcome is being deleted')
  t.is(said({ officialStatus: 'PAUSED' as never }), 'The template welcome has no approved version: it is PAUSED')
  t.is(said({ officialStatus: null }), 'The template welcome has no approved version: it is PENDING')
  t.is(said({ unsupported: ['CATALOG'] }), 'The template welcome has CATALOG, which cannot be sent from here')
  t.is(said({}, 'de'), 'No such template')
  const both = ['en', 'pt_BR'].map((language) => storedTemplate('OFFICIAL', 'Hi.', { language } as never))
  const chosen = chooseTemplate(both, 'welcome', null)
  t.is(
    chosen.ok ? null : chosen.error.message,
    'The template welcome exists in several languages: name one of en, pt_BR in language',
  )
})

const FACTS: ImportFacts = {
  category: 'MARKETING',
  format: 'POSITIONAL',
  flowIdOf: (id) => (id === '7' ? 'flow_ours' : null),
}
const AT = { card: null, button: 1 }

// [templates.import.1]
test('a button of upstream is read as ours, and what cannot be sent is named', (t) => {
  const read = (fields: object, facts: Partial<ImportFacts> = {}, at: { card: number | null; button: number } = AT) => {
    const { button, unsupported, sample } = importedButton(fields as never, at, { ...FACTS, ...facts })
    return [button, unsupported, sample]
  }
  t.deepEqual(read({ type: ' quick_reply ', text: 'Yes' }), [{ type: 'QUICK_REPLY', text: 'Yes' }, [], null])
  t.deepEqual(read({ type: 'QUICK_REPLY' }), [{ type: 'QUICK_REPLY' }, [], null])
  t.deepEqual(read({}), [{ type: '' }, ['BUTTON'], null])
  t.deepEqual(read({ type: 'CATALOG', text: 'c' }), [{ type: 'CATALOG', text: 'c' }, ['CATALOG'], null])
  t.deepEqual(read({ type: 'PHONE_NUMBER', text: 'Call', phone_number: '+55' }), [
    { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+55' },
    [],
    null,
  ])
  t.deepEqual(read({ type: 'PHONE_NUMBER' }), [{ type: 'PHONE_NUMBER', phone_number: '' }, [], null])
  const url = { type: 'URL', text: 'Open', url: 'https://a.io/{{1}}' }
  const link = { type: 'URL', text: 'Open', url: 'https://a.io/{{1}}' }
  t.deepEqual(read({ ...url, example: ['https://a.io/b', 'https://a.io/c'] }), [
    link,
    [],
    { key: 'button_1', value: 'b' },
  ])
  t.deepEqual(read({ ...url, example: 'd' }), [link, [], { key: 'button_1', value: 'd' }])
  for (const example of [[' '], ['https://a.io/'], [7], undefined])
    t.deepEqual(read({ ...url, example }), [link, [], null])
  t.deepEqual(read({ type: 'URL', example: ['x'] }), [{ type: 'URL', url: '' }, [], null])
  t.deepEqual(read({ type: 'COPY_CODE', example: ['A', 'B'] }), [{ type: 'COPY_CODE', example: ['A'] }, [], null])
  t.deepEqual(read({ type: 'PAYMENT_REQUEST', text: 'Pay' }), [{ type: 'PAYMENT_REQUEST', text: 'Pay' }, [], null])
})

test('a button of a code is read in any of its forms', (t) => {
  const read = (fields: object, category: ImportFacts['category'] = 'OTP') => {
    const { button, unsupported } = importedButton(fields as never, AT, { ...FACTS, category })
    return [button, unsupported]
  }
  t.deepEqual(read({ type: 'OTP', text: 'Copy' }, 'MARKETING'), [{ type: 'COPY_CODE', text: 'Copy' }, []])
  t.deepEqual(read({ type: 'OTP', otp_type: 'one_tap' }), [{ type: 'ONE_TAP' }, ['ONE_TAP']])
  t.deepEqual(read({ type: 'URL', url: 'https://u.example/?otp_type=zero_tap&x' }), [
    { type: 'ZERO_TAP' },
    ['ZERO_TAP'],
  ])
  t.deepEqual(read({ type: 'URL', url: 'https://u.example/' }), [{ type: 'COPY_CODE' }, []])
  t.deepEqual(read({ type: 'URL' }), [{ type: 'COPY_CODE' }, []])
})

test('a button of a Flow opens ours, and is not sent from a card or for a Flow that nobody knows', (t) => {
  const read = (fields: object, at: { card: number | null; button: number } = AT) => {
    const { button, unsupported } = importedButton({ type: 'FLOW', ...fields } as never, at, FACTS)
    return [button, unsupported]
  }
  t.deepEqual(read({ text: 'Book', flow_id: 7, flow_action: 'NAVIGATE', navigate_screen: 'S' }), [
    { type: 'FLOW', text: 'Book', flowId: 'flow_ours', action: 'navigate', screen: 'S' },
    [],
  ])
  t.deepEqual(read({ flow_id: '7' }), [{ type: 'FLOW', flowId: 'flow_ours' }, []])
  t.deepEqual(read({ flow_id: '8' }), [{ type: 'FLOW' }, ['FLOW']])
  t.deepEqual(read({}), [{ type: 'FLOW' }, ['FLOW']])
  t.deepEqual(read({ flow_id: '7' }, { card: 1, button: 1 }), [{ type: 'FLOW', flowId: 'flow_ours' }, ['FLOW']])
  t.deepEqual([{ flow_id: 7 }, { flow_id: 'x' }, { flow_id: null }, {}].map(officialFlowIdIn), ['7', 'x', null, null])
})

test('samples of texts are kept under our keys, by place or by name', (t) => {
  const header = {
    example: { header_text: ['H', 5, 'I'], header_text_named_params: [{ param_name: 'h', example: 'x' }] },
  }
  const body = {
    example: {
      body_text: [['A', 'B'], 'C', 7],
      body_text_named_params: [
        { param_name: 'n', example: 'N' },
        { param_name: 'm', example: 1 },
        { example: 'nameless' },
      ],
    },
  }
  const button = { button: {}, unsupported: [], sample: { key: 'button_1', value: 'b' } } as never
  const without = { button: {}, unsupported: [], sample: null } as never
  t.deepEqual(samplesOfTexts(header as never, body as never, null, FACTS, [button, without]), {
    header_1: 'H',
    header_3: 'I',
    h: 'x',
    1: 'A',
    2: 'B',
    3: 'C',
    n: 'N',
    button_1: 'b',
  })
  t.deepEqual(samplesOfTexts(null, body as never, 2, FACTS, []), {
    card_2_1: 'A',
    card_2_2: 'B',
    card_2_3: 'C',
    n: 'N',
  })
  t.deepEqual(samplesOfTexts({ example: { header_text: 'H' } } as never, null, null, FACTS, []), {})
})

test('a template lacks a file that its header or one of its cards needs', (t) => {
  const body = (given: unknown) => readTemplateBody(given).body
  const image = body({ header: { type: 'IMAGE', url: 'https://a.io/a.png' }, body: 'x' })
  t.is(headerFileKind(image), 'image')
  t.is(headerFileKind(body('x')), null)
  t.true(lacksFiles({ body: image, files: { header: null, cards: [] } }))
  t.false(lacksFiles({ body: image, files: { header: 'file_1', cards: [] } }))
  t.false(lacksFiles({ body: body('x'), files: { header: null, cards: [] } }))
  const carousel = body({ body: 'x', carousel: { cards: [card(), card()] } })
  t.true(lacksFiles({ body: carousel, files: { header: null, cards: ['file_1'] } }))
  t.false(lacksFiles({ body: carousel, files: { header: null, cards: ['file_1', 'file_2'] } }))
  const flowId = newId('flow')
  t.is(flowIdIn(body({ body: 'x', buttons: [REPLY, { type: 'FLOW', text: 'f', flowId }] })), flowId)
  t.is(flowIdIn(body({ body: 'x', buttons: [{ type: 'FLOW', text: 'f', flowId: '{{odd}}' }] })), null)
  t.is(flowIdIn(body('x')), null)
})
