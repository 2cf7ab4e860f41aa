import { z } from 'zod'
import { own, type Fields } from '../../../src/domain/json-fields.ts'
import { readComponent } from '../http/read-component.ts'
import { checkButton } from './button-rules.ts'
import { checkMediaHeader, type HandleCheck } from './header-files.ts'
import { refusal } from './template-error.ts'
import type { ParameterFormat } from './template.ts'
import { checkCardBody } from './text-rules.ts'

/** Upstream's limits of cards. */
const CARDS_MIN = 2
const CARDS_MAX = 10
const CARD_BUTTONS_MAX = 2
const CARD_BUTTONS: ReadonlySet<string> = new Set(['QUICK_REPLY', 'URL', 'PHONE_NUMBER'])

const fields = z.record(z.string(), z.unknown())
const headerSchema = z.strictObject({
  type: z.string(),
  format: z
    .string()
    .transform((format) => format.toUpperCase())
    .pipe(z.enum(['IMAGE', 'VIDEO'])),
  example: fields.optional(),
})
const bodySchema = z.strictObject({ type: z.string(), text: z.string().optional(), example: fields.optional() })
const buttonsSchema = z.strictObject({
  type: z.string(),
  buttons: z
    .array(z.looseObject({ type: z.string() }))
    .min(1)
    .max(CARD_BUTTONS_MAX),
})

interface CarouselFacts {
  readonly format: ParameterFormat
  readonly checkHandle: HandleCheck
}

interface Card {
  readonly components: Fields[]
  /** What must be the same on each card. */
  readonly form: string
}

function checkCard(given: readonly Fields[], { format, checkHandle }: CarouselFacts, within: string): Card {
  const parts = new Map(given.map((one) => [String(own(one, 'type')).toUpperCase(), one]))
  const strange = [...parts.keys()].find((type) => !['HEADER', 'BODY', 'BUTTONS'].includes(type))
  if (strange !== undefined || parts.size !== given.length)
    throw refusal(null, 'Carousel', 'A card has one header, one body and one set of buttons.')
  const header = readComponent(headerSchema, parts.get('HEADER'), `${within}.HEADER`)
  checkMediaHeader(header.format, header.example, checkHandle)
  const body = parts.has('BODY') ? readComponent(bodySchema, parts.get('BODY'), `${within}.BODY`) : null
  if (body) checkCardBody(body, format)
  const { buttons: wanted } = readComponent(buttonsSchema, parts.get('BUTTONS'), `${within}.BUTTONS`)
  const buttons = wanted.map((button, index) => checkButton(button, `${within}.BUTTONS.buttons.${index}`))
  const types = buttons.map((button) => String(own(button, 'type')))
  if (!types.every((type) => CARD_BUTTONS.has(type)))
    throw refusal(null, 'Carousel', `Cards have no buttons but ${[...CARD_BUTTONS].join(', ')}.`)
  return {
    components: [
      { ...header, type: 'HEADER' },
      ...(body ? [{ ...body, type: 'BODY' }] : []),
      { type: 'BUTTONS', buttons },
    ],
    form: JSON.stringify([header.format, body !== null, types]),
  }
}

/** The cards of a carousel as they will be shown. They must be alike. */
export function checkCarousel(
  given: readonly { readonly components: readonly Fields[] }[],
  facts: CarouselFacts,
): object[] {
  if (given.length < CARDS_MIN || given.length > CARDS_MAX)
    throw refusal(null, 'Carousel', `A carousel has ${CARDS_MIN} to ${CARDS_MAX} cards.`)
  const cards = given.map(({ components }, index) => checkCard(components, facts, `components.CAROUSEL.cards.${index}`))
  if (new Set(cards.map(({ form }) => form)).size > 1)
    throw refusal(null, 'Carousel', 'All cards need the same kinds of components and buttons, in the same order.')
  return cards.map(({ components }) => ({ components }))
}
