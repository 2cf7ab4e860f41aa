import test from 'ava'
import * as fc from 'fast-check'
import { GraphError } from '../../../../sandbox/official/http/graph-error.ts'
import { checkComponents } from '../../../../sandbox/official/templates/component-rules.ts'
import { readContent } from '../../../../sandbox/official/messages/message-shapes.ts'
import { TemplateBook } from '../../../../sandbox/official/templates/template-book.ts'
import { SUBCODES } from '../../../../sandbox/official/templates/template-error.ts'
import type { Fields } from '../../../../src/domain/json-fields.ts'
import type { TemplateFile } from '../../../../src/domain/outgoing.ts'
import { isAsSubmitted } from '../../../../src/domain/template-compare.ts'
import { readTemplateBody } from '../../../../src/domain/template-form.ts'
import { importTemplate } from '../../../../src/domain/template-import.ts'
import { variablesOf } from '../../../../src/domain/template-keys.ts'
import { withMedia } from '../../../../src/domain/template-media.ts'
import { headerFileKind, templateMessage } from '../../../../src/domain/template-message.ts'
import { renderTemplate } from '../../../../src/domain/template-render.ts'
import { submissionOf } from '../../../../src/domain/template-submit.ts'
import { upstreamCategoryOf } from '../../../../src/domain/template-upstream.ts'
import { checkValues } from '../../../../src/domain/template-values.ts'
import type { TemplateBody, TemplateCategory, TemplateParameters } from '../../../../src/domain/template.ts'
import { anyFlow } from '../../../helpers/any-flow.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { faultsIn } from '../../../helpers/template-subject.ts'

/* Templates that the service accepts must be accepted by the simulated platform, which has rules of its own. */

const NAMES = ['name', 'Order_2', '1', '2', '7', 'x']
const EXAMPLES = Object.fromEntries(
  NAMES.flatMap((name) => [
    name,
    `header_${name}`,
    ...Array.from({ length: 10 }, (_, n) => [
      `button_${n + 1}`,
      `card_${n + 1}_${name}`,
      ...Array.from({ length: 2 }, (_unused, b) => `card_${n + 1}_button_${b + 1}`),
    ]).flat(),
  ]).map((key) => [key, `s${key.length}`]),
)

const word = fc.constantFrom(
  'Hello',
  'order',
  'is on its way',
  'Zoë',
  '一',
  'snake_case',
  '100%',
  '$&',
  '"quoted"',
  'a\\b',
  '©',
  '{',
  '}',
)
const variable = fc.constantFrom(...NAMES).map((name) => `{{${name}}}`)
const spaced = fc.constantFrom(...NAMES).map((name) => `{{ ${name} }}`)
const line = (parts: fc.Arbitrary<string>, most: number) =>
  fc.array(parts, { minLength: 1, maxLength: most }).map((texts) => texts.join(' '))
const edged = (text: string) => `So: ${text}, it is, as was said.`
const bodyText = line(
  fc.oneof({ weight: 4, arbitrary: word }, variable, spaced, fc.constantFrom('\n', '*bold*', '😀', '_it_')),
  12,
).map(edged)
const cardText = line(fc.oneof({ weight: 3, arbitrary: word }, variable, fc.constant('\n')), 4).map(edged)
const headerText = fc.oneof(
  line(word, 2),
  fc.tuple(word, variable).map(([text, name]) => `${text} ${name}`),
)
const label = line(fc.constantFrom('Yes', 'No', 'Later', 'Sí', '🙂'), 3)

const url = fc
  .tuple(
    fc.constantFrom(
      'https://shop.io/a?b=',
      'http://käse.de/',
      'https://shop.io',
      'https://shop.io/ü/',
      'https://user@shop.io:8443/#',
    ),
    fc.option(variable, { nil: '' }),
  )
  .map(([base, name]) => base + name)
const quickReply = label.map((text) => ({ type: 'QUICK_REPLY', text }))
const link = fc.record({ type: fc.constant('URL'), text: label, url })
const other = fc.oneof(
  link,
  fc.record({
    type: fc.constant('PHONE_NUMBER'),
    text: label,
    phone_number: fc.constantFrom('+55 (11) 99999-9999', '+1-555-000-1111', '+12345678'),
  }),
  fc.record({ type: fc.constant('COPY_CODE'), example: fc.oneof(fc.constantFrom('CODE10', 'a1'), variable) }),
  fc.record({ type: fc.constant('PAYMENT_REQUEST'), example: variable }, { requiredKeys: ['type', 'example'] }),
)
const buttons = fc
  .tuple(fc.array(quickReply, { maxLength: 4 }), fc.array(other, { maxLength: 4 }), fc.boolean())
  .map(([replies, others, isFirst]) => (isFirst ? [...replies, ...others] : [...others, ...replies]))

const header = fc.oneof(
  fc.record({ type: fc.constant('TEXT'), text: headerText }),
  fc.record({ type: fc.constantFrom('IMAGE', 'VIDEO', 'DOCUMENT'), url: fc.constant('https://shop.io/a.png') }),
  fc.constant({ type: 'NONE' }),
)
const plain = fc.record({ header, body: bodyText, footer: line(word, 4), buttons }, { requiredKeys: ['body'] })
const cardsOf = (forms: readonly ('QUICK_REPLY' | 'URL')[], hasText: boolean) =>
  fc.array(
    fc.record({
      media: fc.constant({ url: 'https://shop.io/a.png' }),
      ...(hasText ? { body: cardText } : {}),
      buttons: fc.tuple(...forms.map((form): fc.Arbitrary<object> => (form === 'URL' ? link : quickReply))),
    }),
    { minLength: 2, maxLength: 10 },
  )
const carousel = fc
  .tuple(
    fc.array(fc.constantFrom('QUICK_REPLY' as const, 'URL' as const), { minLength: 1, maxLength: 2 }),
    fc.boolean(),
  )
  .chain(([forms, hasText]) => fc.record({ body: bodyText, carousel: fc.record({ cards: cardsOf(forms, hasText) }) }))
const code = fc.record(
  {
    body: fc.record(
      { text: fc.constantFrom('Your code is {{1}}.', 'Use {{code}}, please'), addSecurityRecommendation: fc.boolean() },
      { requiredKeys: ['text'] },
    ),
    footer: fc.record({ codeExpirationMinutes: fc.integer({ min: 1, max: 90 }) }),
    buttons: fc.constant([{ type: 'COPY_CODE' }]),
  },
  { requiredKeys: ['body'] },
)

/** Submits a template. Returns its components as the platform shows them, or the platform's refusal. */
function put(components: readonly Fields[], category: TemplateCategory): Fields[] | GraphError {
  try {
    return checkComponents(components, {
      category: upstreamCategoryOf(category),
      language: 'pt_BR',
      format: 'POSITIONAL',
      checkFlow: () => undefined,
      checkHandle: (handle) => {
        if (handle !== '4::h') throw new GraphError(100)
      },
    })
  } catch (error) {
    if (error instanceof GraphError) return error
    throw error
  }
}

interface Linked {
  readonly buttons: readonly { readonly url?: string | undefined }[]
}

/** The addresses of the buttons, those of cards last. */
function urlsOf({
  buttons: own,
  cards,
  carousel: shown,
}: Linked & { readonly cards?: readonly Linked[]; readonly carousel?: { readonly cards: readonly Linked[] } | null }): (
  | string
  | undefined
)[] {
  return [own, ...(cards ?? shown?.cards ?? []).map((card) => card.buttons)].flat().map(({ url: to }) => to)
}

/** A message of a template, as our reads show it and as the platform delivers it. Values may be any text. */
function delivered(
  { body, parameters }: { readonly body: TemplateBody; readonly parameters: TemplateParameters },
  category: TemplateCategory,
  components: readonly Fields[],
) {
  const nature = { source: 'OFFICIAL', category } as const
  const keys = variablesOf(body, nature)
  const strange = checkValues(body, nature, { variables: Object.fromEntries(keys.map((key) => [key, '$& {{1}} "é'])) })
  const variables = Object.fromEntries(
    keys.map((key) => [
      key,
      strange.invalid.some((one) => one.key === key) ? 'V7' : category === 'OTP' ? 'V7' : '$& {{1}} "é',
    ]),
  )
  const { missing, invalid, valueOf } = checkValues(body, nature, { variables })
  if (missing.length + invalid.length > 0) throw new Error('a value cannot be sent')
  const kind = headerFileKind(body)
  const file: TemplateFile = { kind: kind ?? 'image', source: { fileId: 'file_1' }, fileName: null, isOwn: false }
  const files = body.carousel ? body.carousel.cards.map(() => file) : kind ? [file] : []
  const { outgoing } = templateMessage({
    template: {
      name: 'a',
      language: 'pt_BR',
      officialLanguage: 'pt_BR',
      category,
      source: 'OFFICIAL',
      body,
      parameters,
    },
    valueOf,
    files,
    flow: null,
  })
  if (outgoing.mode !== 'template') throw new Error('it is of no template')
  const book = new TemplateBook({ flows: anyFlow, clock: new FakeClock(), send: () => undefined })
  book.put({
    accountId: '1',
    name: 'a',
    language: 'pt_BR',
    parameterFormat: 'POSITIONAL',
    category: upstreamCategoryOf(category),
    status: 'APPROVED',
    components,
  })
  const content = readContent('template', {
    name: outgoing.name,
    language: { code: outgoing.language },
    components: withMedia(
      outgoing.components,
      files.map(() => ({ id: '5', fileName: 'a.pdf' })),
    ),
  })
  return { sent: renderTemplate(body, nature, valueOf), arrived: book.fill('1', content) }
}

for (const [what, given, category] of [
  ['templates', plain, 'UTILITY'],
  ['carousels', carousel, 'MARKETING'],
  ['codes', code, 'OTP'],
] as const) {
  test(`the platform takes all ${what} that pass the rules, and shows them so that they are known again with all that a send fills in`, (t) => {
    const examples = { ...EXAMPLES, code: '123' }
    let taken = 0
    fc.assert(
      fc.property(given as fc.Arbitrary<object>, (wanted) => {
        fc.pre(faultsIn(wanted, { category, examples }).length === 0)
        const { body } = readTemplateBody(wanted)
        const cardHandles = (body.carousel?.cards ?? []).map(() => '4::h')
        const { components, parameters } = submissionOf(body, {
          category,
          examples,
          headerHandle: '4::h',
          cardHandles,
          officialFlowIdOf: () => null,
        })
        const shown = put(components, category)
        if (shown instanceof GraphError) {
          // The upstream does not document how many words a variable needs.
          t.true(JSON.stringify(shown.envelope()).includes(String(SUBCODES.ratio)), JSON.stringify(shown.envelope()))
          return
        }
        taken++
        t.true(isAsSubmitted(components, shown, category === 'OTP'))
        const imported = importTemplate(shown, { category, format: 'POSITIONAL', flowIdOf: () => null })
        t.deepEqual(imported.unsupported, [])
        const counts = ({ header: top, body: main, cards }: typeof parameters) => [
          top.length,
          main.length,
          cards.map(({ length }) => length),
        ]
        t.deepEqual(counts(imported.parameters), counts(parameters))
        // The template as it was made here, and as it would be imported: a message of either must arrive as reads show
        // it.
        for (const one of [{ body, parameters }, imported]) {
          const { sent, arrived } = delivered(one, category, shown)
          if (category === 'OTP') {
            // The upstream writes this text itself and adds the button.
            t.true(arrived.body?.includes('V7') && JSON.stringify(arrived.buttons).includes('V7'))
            continue
          }
          t.deepEqual(
            [arrived.header?.text, arrived.body, arrived.cards.map((card) => card.body ?? undefined)],
            [sent.header.text, sent.body?.text, sent.carousel?.cards.map((card) => card.body?.text) ?? []],
          )
          t.deepEqual(urlsOf(arrived), urlsOf(sent))
        }
      }),
      { numRuns: 150 },
    )
    t.true(taken > 30, `${taken} were taken`)
  })
}
