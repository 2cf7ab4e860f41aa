import test from 'ava'
import fc from 'fast-check'
import { readTemplateBody } from '../../src/domain/template-form.ts'
import { previewTemplate, renderTemplate } from '../../src/domain/template-render.ts'
import { checkSendCards, checkValues, refusalOfValues } from '../../src/domain/template-values.ts'
import type { TemplateCardBody } from '../../src/domain/send-body.ts'
import type { TemplateNature } from '../../src/domain/template-keys.ts'
import { card, HOSTS } from '../helpers/template-subject.ts'

const OFFICIAL: TemplateNature = { source: 'OFFICIAL', category: 'MARKETING' }
const LOCAL: TemplateNature = { source: 'LOCAL', category: 'MARKETING' }
const OTP: TemplateNature = { source: 'OFFICIAL', category: 'OTP' }
const bodyOf = (given: unknown) => readTemplateBody(given).body
const LINK = { type: 'URL', text: 'u', url: 'https://x.io/{{1}}' }
const TWO_CARDS = bodyOf({
  body: 'Hi {{name}}.',
  carousel: {
    cards: [
      card({ body: 'a {{1}} {{name}} a', buttons: [{ type: 'QUICK_REPLY', text: 'q' }, LINK] }),
      card({ body: 'b {{1}} b', buttons: [{ type: 'QUICK_REPLY', text: 'q' }, LINK] }),
    ],
  },
})

function filled(
  given: unknown,
  nature: TemplateNature,
  variables: Record<string, unknown>,
  cards?: TemplateCardBody[],
) {
  const body = bodyOf(given)
  return renderTemplate(body, nature, checkValues(body, nature, { variables, cards }).valueOf)
}

// [templates.send.4]
test('values go in literally and once, wherever a name stands', (t) => {
  const values = { a: '$& $1 {{b}} {{a}}', b: 'B' }
  t.is(filled('x {{a}} {{b}} {{a}} {{ a }}.', LOCAL, values).body?.text, `x ${values.a} B ${values.a} ${values.a}.`)
})

// [templates.send.4]
test('names that every object has are filled with own values only', (t) => {
  const text = 'x {{constructor}} {{toString}} {{__proto__}} x'
  t.is(filled(text, OFFICIAL, {}).body?.text, text)
  t.deepEqual(checkValues(bodyOf(text), OFFICIAL, { variables: {} }).missing, ['constructor', 'toString', '__proto__'])
  t.is(filled(text, OFFICIAL, JSON.parse('{"constructor":"a","toString":"b","__proto__":"c"}')).body?.text, 'x a b c x')
})

test("numbers of header, body, buttons and cards never take each other's value", (t) => {
  const given = {
    header: { type: 'TEXT', text: '{{1}}' },
    body: 'x {{1}} {{2}} x',
    buttons: [LINK, { type: 'COPY_CODE', example: 'FIXED' }, LINK],
    carousel: { cards: [card({ body: 'c {{1}}', buttons: [LINK] }), card({ body: 'd {{1}}', buttons: [LINK] })] },
  }
  const keys = [
    'header_1',
    '1',
    '2',
    'button_1',
    'button_2',
    'button_3',
    'card_1_1',
    'card_1_button_1',
    'card_2_1',
    'card_2_button_1',
  ]
  const body = filled(given, OFFICIAL, Object.fromEntries(keys.map((key) => [key, key.replaceAll('_', '')])))
  t.deepEqual(
    [body.header.text, body.body?.text, body.buttons[0]?.url, body.buttons[1]?.example, body.buttons[2]?.url],
    ['header1', 'x 1 2 x', 'https://x.io/button1', ['button2'], 'https://x.io/button3'],
  )
  t.deepEqual(
    body.carousel?.cards.map((one) => [one.body?.text, one.buttons[0]?.url]),
    [
      ['c card11', 'https://x.io/card1button1'],
      ['d card21', 'https://x.io/card2button1'],
    ],
  )
})

test('on LOCAL a number is one variable, and a fixed code stays', (t) => {
  const body = filled(
    {
      header: { type: 'TEXT', text: '{{1}}' },
      body: 'x {{1}} x',
      buttons: [
        { type: 'COPY_CODE', example: 'FIXED' },
        { type: 'COPY_CODE', example: '{{1}}' },
      ],
    },
    LOCAL,
    { 1: 'one' },
  )
  t.deepEqual(
    [body.header.text, body.body?.text, body.buttons[0]?.example, body.buttons[1]?.example],
    ['one', 'x one x', ['FIXED'], ['one']],
  )
})

test('the button of an OTP template shows the code of the body', (t) => {
  const body = filled({ body: 'Code {{code}}.', buttons: [{ type: 'COPY_CODE' }] }, OTP, { code: 1234 })
  t.deepEqual([body.body?.text, body.buttons[0]?.example], ['Code 1234.', ['1234']])
})

test('the footer and the labels stay as they are', (t) => {
  const body = filled(
    { body: 'x {{a}} x', footer: '{{a}}', buttons: [{ type: 'QUICK_REPLY', text: '{{a}}' }] },
    LOCAL,
    { a: 'A' },
  )
  t.deepEqual([body.footer?.text, body.buttons[0]?.text], ['{{a}}', '{{a}}'])
})

test('a preview shows the variables given, and samples for the others', (t) => {
  const body = bodyOf({
    header: { type: 'TEXT', text: '{{1}}' },
    body: 'x {{a}} {{b}} {{1}} x',
    buttons: [{ type: 'COPY_CODE', example: 'FIXED' }],
  })
  const examples = { a: 'sample', b: 2, 1: 'one' }
  t.is(previewTemplate(body, OFFICIAL, examples, undefined).body?.text, 'x sample 2 one x')
  t.deepEqual(previewTemplate(body, OFFICIAL, examples, { a: 'given', b: null }), {
    ...body,
    header: { type: 'TEXT', text: 'one' },
    body: { text: 'x given 2 one x' },
  })
})

// [templates.routes.8]
test('a filled template has the form of the template', (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('name', '1', 'card_1_1'), fc.string()), (variables) => {
      const body = renderTemplate(TWO_CARDS, OFFICIAL, checkValues(TWO_CARDS, OFFICIAL, { variables }).valueOf)
      t.deepEqual(Object.keys(body), Object.keys(TWO_CARDS))
      t.is(body.carousel?.cards.length, 2)
    }),
    { numRuns: 50 },
  )
})

// [templates.send.5] [templates.send.8] [templates.object.6] [templates.send.9]
test('absent, null and blank values are missing; the keys are told in order, and none that the template lacks', (t) => {
  const checked = checkValues(bodyOf('x {{a}} {{b}} {{c}} {{d}} {{a}} x'), LOCAL, {
    variables: { b: null, c: ' \n', d: 0, zzz: {} },
  })
  t.deepEqual([checked.missing, checked.invalid], [['a', 'b', 'c'], []])
  t.like(refusalOfValues(checked), {
    code: 'MISSING_TEMPLATE_VARIABLES',
    details: { missing: ['a', 'b', 'c'], invalid: [] },
  })
  for (const variables of [undefined, null, {}, [] as never])
    t.deepEqual(checkValues(bodyOf('x {{length}} x'), LOCAL, { variables }).missing, ['length'])
})

// [templates.send.6] [templates.send.8]
test('values of another type are invalid, told beside what is missing, whose code comes first', (t) => {
  const checked = checkValues(bodyOf('x {{a}} {{b}} {{c}} x'), LOCAL, { variables: { a: true, b: ['x'] } })
  t.like(refusalOfValues(checked), {
    code: 'MISSING_TEMPLATE_VARIABLES',
    details: {
      missing: ['c'],
      invalid: [
        { key: 'a', reason: 'TYPE' },
        { key: 'b', reason: 'TYPE' },
      ],
    },
  })
  t.is(
    refusalOfValues(checkValues(bodyOf('x {{a}} x'), LOCAL, { variables: { a: {} } }))?.code,
    'INVALID_TEMPLATE_VARIABLE_VALUE',
  )
  t.is(refusalOfValues(checkValues(bodyOf('x {{a}} x'), LOCAL, { variables: { a: 'x' } })), null)
})

// [templates.send.7]
test('on OFFICIAL a value is one line without tabs and without five spaces in a row', (t) => {
  const reason = (a: string, nature = OFFICIAL) =>
    checkValues(bodyOf('x {{a}} x'), nature, { variables: { a } }).invalid[0]?.reason
  t.deepEqual(
    ['a\nb', 'a\rb', 'a\tb', 'a     b', 'a    b', 'fine'].map((text) => reason(text)),
    ['LINE_BREAK', 'LINE_BREAK', 'TAB', 'SPACES', undefined, undefined],
  )
  t.deepEqual(
    ['a\nb', 'a\tb', 'a     b'].map((text) => reason(text, LOCAL)),
    [undefined, undefined, undefined],
  )
})

// [templates.send.7] [templates.variables.8]
test('on OFFICIAL a code to copy has 1 to 20 letters and digits, fixed or not', (t) => {
  for (const [example, key] of [
    ['FIXED', 'button_1'],
    ['{{code}}', 'code'],
  ] as const) {
    const body = bodyOf({ body: 'x', buttons: [{ type: 'COPY_CODE', example }] })
    const invalid = (value: string) => checkValues(body, OFFICIAL, { variables: { [key]: value } }).invalid
    t.deepEqual(invalid('A'.repeat(20)), [])
    for (const value of ['A'.repeat(21), 'A-B', 'A B']) t.deepEqual(invalid(value), [{ key, reason: 'COPY_CODE' }])
  }
})

// [templates.send.7]
test('a code of OTP has 15 characters at most', (t) => {
  const invalid = (code: string) => checkValues(bodyOf('Code {{code}}.'), OTP, { variables: { code } }).invalid
  t.deepEqual(invalid('1'.repeat(15)), [])
  t.deepEqual(invalid('1'.repeat(16)), [{ key: 'code', reason: 'OTP_CODE' }])
})

// [templates.send.7]
test('what ends a URL on OFFICIAL has no white space, also when its name stands in a text, too', (t) => {
  const body = bodyOf({ body: 'x {{link}} x', buttons: [{ type: 'URL', text: 'u', url: 'https://x.io/{{link}}' }] })
  t.deepEqual(checkValues(body, OFFICIAL, { variables: { link: 'a b' } }).invalid, [
    { key: 'link', reason: 'URL_SUFFIX' },
  ])
  t.deepEqual(checkValues(body, OFFICIAL, { variables: { link: 'a?b=1&c' } }).invalid, [])
})

// [templates.send.16]
test('the variables of a card go without its prefix and win over those of the send', (t) => {
  const cards = [{ variables: { 1: 'own', name: 'Card', button_2: 'own' } }, { variables: { button_2: 'two' } }]
  const checked = checkValues(TWO_CARDS, OFFICIAL, {
    variables: { name: 'All', card_1_1: 'send', card_2_1: 'send' },
    cards,
  })
  t.deepEqual([checked.missing, checked.invalid], [[], []])
  const body = renderTemplate(TWO_CARDS, OFFICIAL, checked.valueOf)
  t.is(body.body?.text, 'Hi All.')
  t.deepEqual(
    body.carousel?.cards.map((one) => [one.body?.text, one.buttons[1]?.url]),
    [
      ['a own Card a', 'https://x.io/own'],
      ['b send b', 'https://x.io/two'],
    ],
  )
})

test('keys of cards that are missing have their prefix', (t) => {
  t.deepEqual(
    checkValues(TWO_CARDS, OFFICIAL, {
      variables: { name: 'x', 1: 'not of a card' },
      cards: [{ variables: { 1: 'x' } }, {}],
    }).missing,
    ['card_1_button_2', 'card_2_1', 'card_2_button_2'],
  )
})

// [templates.send.15]
test('a send has as many cards as the template, their buttons alike', (t) => {
  const check = (cards: TemplateCardBody[] | undefined, body = TWO_CARDS) => checkSendCards(body, cards, HOSTS)
  for (const cards of [
    undefined,
    [],
    [{}, {}],
    [{ buttons: [{ type: 'QUICK_REPLY' }, { type: 'url' }] }, { buttons: null }],
  ])
    t.is(check(cards), null)
  t.like(check([{}]), { code: 'TEMPLATE_CARDS_MISMATCH', details: {} })
  t.is(check([{}, {}, {}])?.code, 'TEMPLATE_CARDS_MISMATCH')
  t.is(check([{}], bodyOf('no cards'))?.code, 'TEMPLATE_CARDS_MISMATCH')
  for (const buttons of [[], [{ type: 'QUICK_REPLY' }], [{ type: 'URL' }, { type: 'QUICK_REPLY' }]])
    t.like(check([{}, { buttons }]), { code: 'TEMPLATE_CARDS_MISMATCH', details: { card: 2 } })
})

// [templates.send.16]
test('the picture of a card in a send is held to the rules of cards', (t) => {
  t.is(checkSendCards(TWO_CARDS, [{ media: { url: 'https://cdn.io/a.png' } }, { media: null }], HOSTS), null)
  t.like(checkSendCards(TWO_CARDS, [{}, { media: { url: 'http://cdn.io/a.png' } }], HOSTS), {
    code: 'TEMPLATE_CARD_MEDIA_URL_INVALID',
    details: { card: 2, problem: 'NOT_HTTPS', field: 'cards.1.media.url' },
  })
})
