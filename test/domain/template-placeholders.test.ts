import test from 'ava'
import fc from 'fast-check'
import { readTemplateBody } from '../../src/domain/template-form.ts'
import { missingSamples, variablesOf } from '../../src/domain/template-keys.ts'
import type { TemplateNature } from '../../src/domain/template-keys.ts'
import { isReservedName, replacePlaceholders, scanText, soleName } from '../../src/domain/template-placeholders.ts'
import { card } from '../helpers/template-subject.ts'

const OFFICIAL: TemplateNature = { source: 'OFFICIAL', category: 'MARKETING' }
const LOCAL: TemplateNature = { source: 'LOCAL', category: 'MARKETING' }
const names = (text: string) => scanText(text).placeholders.map(({ name }) => name)
const bodyOf = (given: unknown) => readTemplateBody(given).body

// [templates.variables.1]
test('variables are found with inner spaces, by names and by numbers', (t) => {
  t.deepEqual(names('Hi {{name}}, {{ order_1 }} and {{1}}{{_x}}'), ['name', 'order_1', '1', '_x'])
  t.is(scanText('Hi {{name}} and {{ 1 }}').malformedAt, null)
})

test('names that every object has are names like any other', (t) => {
  t.deepEqual(names('{{constructor}} {{toString}} {{__proto__}}'), ['constructor', 'toString', '__proto__'])
})

// [templates.variables.1]
test('a name has up to 64 characters', (t) => {
  t.deepEqual(names(`{{${'a'.repeat(64)}}}`), ['a'.repeat(64)])
  t.is(scanText(`{{${'a'.repeat(65)}}}`).malformedAt, 0)
})

// [templates.variables.2]
test('braces that are unpaired, empty or other than a variable are malformed', (t) => {
  for (const text of [
    '{{name}',
    '{name}}',
    '{name}',
    '{{}}',
    '{{  }}',
    '{{na me}}',
    '{{1a}}',
    '{{é}}',
    '{{a-b}}',
    '{{{name}}}',
    '{',
    '}',
    '{{name',
    'name}}',
    '{{a\nb}}',
    '{{\na}}',
    '{{a.b}}',
  ]) {
    t.not(scanText(text).malformedAt, null, text)
  }
})

test('a variable beside malformed braces is still found', (t) => {
  t.deepEqual(names('{ {{a}} } {{{b}}} {{c'), ['a', 'b'])
})

// [templates.variables.2]
test('names of keys are reserved, names like them are not', (t) => {
  t.deepEqual(['button_1', 'header_1', 'card_1_x', 'card_2_button_1'].map(isReservedName), [true, true, true, true])
  t.deepEqual(['button', 'button_a', 'my_button_1', 'header_1a', 'card_1', 'card_a_1'].map(isReservedName), [
    false,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('long texts of braces are read in one go', (t) => {
  for (const unit of ['{', '}', '{{', '{{ ', '{{a', '{{a}}', '{{ {', '{}', '{{{a}}}']) {
    const text = unit.repeat(Math.ceil(25_000_000 / unit.length))
    t.is(typeof scanText(text).placeholders.length, 'number')
  }
  t.is(scanText(`{{${' '.repeat(25_000_000)}`).malformedAt, 0)
})

test('a text is replaced literally and once', (t) => {
  t.is(
    replacePlaceholders('{{a}} {{b}} {{a}}', (name) => (name === 'a' ? '$& {{b}} $1' : null)),
    '$& {{b}} $1 {{b}} $& {{b}} $1',
  )
})

test('a text that has no variable is never changed, and one replaced by itself stays', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('{', '}', ' ', 'a', '1', '😀') }), (text) => {
      t.is(
        replacePlaceholders(text, () => null),
        text,
      )
      if (scanText(text).placeholders.length === 0)
        t.is(
          replacePlaceholders(text, () => 'X'),
          text,
        )
    }),
  )
})

test('one variable alone is told from text around it', (t) => {
  t.deepEqual(['{{a}}', ' {{ a }} ', 'x{{a}}', '{{a}}{{b}}', 'a', ''].map(soleName), ['a', 'a', null, null, null, null])
})

// [templates.variables.3] [templates.variables.4] [templates.object.6]
test('variables come once each, in the order header, body, buttons, cards', (t) => {
  const body = bodyOf({
    header: { type: 'TEXT', text: '{{h}}' },
    body: { text: 'x {{b}} {{h}} {{a}} x' },
    buttons: [
      { type: 'URL', text: 'u', url: 'https://x.io/{{u}}' },
      { type: 'COPY_CODE', example: '{{b}}' },
    ],
    carousel: { cards: [card({ body: 'x {{c}} {{a}}' })] },
  })
  for (const nature of [OFFICIAL, LOCAL]) t.deepEqual(variablesOf(body, nature), ['h', 'b', 'a', 'u', 'c'])
})

const NUMBERS = {
  header: { type: 'TEXT', text: '{{1}}' },
  body: { text: 'x {{1}} {{2}} x' },
  buttons: [
    { type: 'QUICK_REPLY', text: 'q' },
    { type: 'URL', text: 'u', url: 'https://x.io/{{1}}' },
    { type: 'COPY_CODE', example: ['CODE'] },
  ],
  carousel: {
    cards: [
      card({
        body: 'x {{1}} x',
        buttons: [
          { type: 'QUICK_REPLY', text: 'q' },
          { type: 'URL', text: 'u', url: 'https://x.io/{{1}}' },
        ],
      }),
    ],
  },
}

// [templates.variables.5] [templates.variables.6]
test('on OFFICIAL a number has the key of its place, and so has a fixed code', (t) => {
  t.deepEqual(variablesOf(bodyOf(NUMBERS), OFFICIAL), [
    'header_1',
    '1',
    '2',
    'button_2',
    'button_3',
    'card_1_1',
    'card_1_button_2',
  ])
})

// [templates.variables.7]
test('on LOCAL a number is its own key, and a fixed code needs none', (t) => {
  t.deepEqual(variablesOf(bodyOf(NUMBERS), LOCAL), ['1', '2'])
})

test('the code button of OTP has no key of its own', (t) => {
  const otp: TemplateNature = { source: 'OFFICIAL', category: 'OTP' }
  t.deepEqual(variablesOf(bodyOf({ body: { text: 'Code {{1}}.' }, buttons: [{ type: 'COPY_CODE' }] }), otp), ['1'])
  t.deepEqual(
    variablesOf(bodyOf({ body: { text: 'Code {{1}}.' }, buttons: [{ type: 'COPY_CODE', example: '{{1}}' }] }), otp),
    ['1'],
  )
})

// [templates.examples.1] [templates.examples.2]
test('each key needs a sample: those of header and URL also under the bare number, codes never', (t) => {
  const body = bodyOf(NUMBERS)
  t.deepEqual(missingSamples(body, OFFICIAL, {}), ['header_1', '1', '2', 'button_2', 'card_1_1', 'card_1_button_2'])
  t.deepEqual(missingSamples(body, OFFICIAL, { 1: 'x', 2: 0, card_1_1: 'y' }), [])
  t.deepEqual(missingSamples(body, OFFICIAL, { 1: ' ', 2: 'x' }), [
    'header_1',
    '1',
    'button_2',
    'card_1_1',
    'card_1_button_2',
  ])
  t.deepEqual(
    missingSamples(bodyOf({ body: { text: 'a' }, buttons: [{ type: 'COPY_CODE', example: '{{code}}' }] }), LOCAL, {}),
    [],
  )
})

test('a sample is never one that every object has', (t) => {
  const body = bodyOf('x {{constructor}} {{toString}} {{__proto__}} x')
  t.deepEqual(missingSamples(body, OFFICIAL, {}), ['constructor', 'toString', '__proto__'])
  t.deepEqual(missingSamples(body, LOCAL, JSON.parse('{"constructor":"a","toString":"b","__proto__":"c"}')), [])
})
