import { z } from 'zod'
import { own, type Fields } from '../../../src/domain/json-fields.ts'
import { readComponent } from '../http/read-component.ts'
import { authenticationComponents } from './authentication.ts'
import { checkButtons } from './button-rules.ts'
import { checkCarousel } from './carousel-rules.ts'
import { checkMediaHeader, isMediaFormat, type HandleCheck } from './header-files.ts'
import { refusal } from './template-error.ts'
import type { Category, ParameterFormat } from './template.ts'
import { checkBody, checkFooter, checkTextHeader } from './text-rules.ts'

/** Facts that the components of a template are checked by. */
export interface ComponentFacts {
  readonly category: Category
  readonly language: string
  readonly format: ParameterFormat
  readonly checkHandle: HandleCheck
  /** Refuses a button of type FLOW whose Flow cannot be opened. */
  checkFlow(button: Fields): void
}

const fields = z.record(z.string(), z.unknown())
const headerSchema = z.strictObject({
  type: z.string(),
  format: z.string().transform((format) => format.toUpperCase()),
  text: z.string().optional(),
  example: fields.optional(),
})
const bodySchema = z.strictObject({ type: z.string(), text: z.string().optional(), example: fields.optional() })
const footerSchema = z.strictObject({ type: z.string(), text: z.string().optional() })
const buttonsSchema = z.strictObject({ type: z.string(), buttons: z.array(z.looseObject({ type: z.string() })) })
const carouselSchema = z.strictObject({
  type: z.string(),
  cards: z.array(z.strictObject({ components: z.array(z.looseObject({ type: z.string() })) })),
})
const offerSchema = z.strictObject({
  type: z.string(),
  limited_time_offer: z.strictObject({ text: z.string().min(1).max(16), has_expiration: z.boolean().optional() }),
})
const requestSchema = z.strictObject({ type: z.string() })
const componentsSchema = z.array(z.looseObject({ type: z.string() })).min(1)

/** Headers that take nothing when the template is made. */
const BARE_HEADERS: ReadonlySet<string> = new Set(['LOCATION', 'PRODUCT'])

function headerOf(given: Fields, { format, checkHandle }: ComponentFacts): Fields {
  const header = readComponent(headerSchema, given, 'components.HEADER')
  if (header.format === 'TEXT') checkTextHeader(header, format)
  else if (header.text !== undefined)
    throw refusal('header', 'Header format is wrong', `A header of format ${header.format} has no text.`)
  else if (isMediaFormat(header.format)) checkMediaHeader(header.format, header.example, checkHandle)
  else if (!BARE_HEADERS.has(header.format))
    throw refusal('header', 'Header format is wrong', `There are no headers of format ${header.format}.`)
  return header
}

const READERS: ReadonlyMap<string, (given: Fields, facts: ComponentFacts) => Fields> = new Map<
  string,
  (given: Fields, facts: ComponentFacts) => Fields
>([
  ['HEADER', headerOf],
  [
    'BODY',
    (given, { format }) => {
      const body = readComponent(bodySchema, given, 'components.BODY')
      checkBody(body, format)
      return body
    },
  ],
  [
    'FOOTER',
    (given) => {
      const footer = readComponent(footerSchema, given, 'components.FOOTER')
      checkFooter(footer.text)
      return footer
    },
  ],
  [
    'BUTTONS',
    (given, { checkFlow }) => {
      const buttons = checkButtons(
        readComponent(buttonsSchema, given, 'components.BUTTONS').buttons,
        'components.BUTTONS',
      )
      // A button that brings its document along makes its Flow.
      for (const button of buttons)
        if (own(button, 'type') === 'FLOW' && own(button, 'flow_json') === undefined) checkFlow(button)
      return { type: 'BUTTONS', buttons }
    },
  ],
  [
    'CAROUSEL',
    (given, facts) => ({
      type: 'CAROUSEL',
      cards: checkCarousel(readComponent(carouselSchema, given, 'components.CAROUSEL').cards, facts),
    }),
  ],
  ['LIMITED_TIME_OFFER', (given) => readComponent(offerSchema, given, 'components.LIMITED_TIME_OFFER')],
  ['CALL_PERMISSION_REQUEST', (given) => readComponent(requestSchema, given, 'components.CALL_PERMISSION_REQUEST')],
])

/** Checks the layout: only a body may stand beside cards. */
function assertLayout(types: readonly string[], { category }: ComponentFacts): void {
  if (new Set(types).size !== types.length)
    throw refusal(null, 'Component twice', 'A template has one component of each type.')
  if (!types.includes('BODY')) throw refusal('body', 'Body format is wrong', 'A template needs a body.')
  if (!types.includes('CAROUSEL')) return
  if (types.length !== 2) throw refusal(null, 'Carousel', 'Beside a carousel stands a body alone.')
  if (category !== 'MARKETING') throw refusal(null, 'Carousel', 'Carousels are of category MARKETING.')
}

/** The components of a template as they will be shown. Refuses what upstream refuses when they are submitted. */
export function checkComponents(given: unknown, facts: ComponentFacts): Fields[] {
  const components = readComponent(componentsSchema, given, 'components').map((component): Fields => ({
    ...component,
    type: component.type.toUpperCase(),
  }))
  if (facts.category === 'AUTHENTICATION') return authenticationComponents(components, facts.language)
  const shown = components.map((component) => {
    const read = READERS.get(String(own(component, 'type')))
    if (!read)
      throw refusal(null, 'Unknown component', `There are no components of type ${String(own(component, 'type'))}.`)
    return read(component, facts)
  })
  assertLayout(
    components.map((component) => String(own(component, 'type'))),
    facts,
  )
  return shown
}
