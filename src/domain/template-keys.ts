import { isBlank } from './characters.ts'
import { isReviewed, REVIEWED } from './template.ts'
import type { TemplateBody, TemplateCategory, TemplateExamples, TemplateSource } from './template.ts'
import { isNumberName, scanText } from './template-placeholders.ts'
import { textPlacesOf } from './template-places.ts'
import type { TextPlace } from './template-places.ts'

/** The facts of a template that decide the keys of its variables. */
export interface TemplateNature {
  readonly source: TemplateSource
  readonly category: TemplateCategory
}

/** The nature of a template that upstream has, or will have. */
export function upstreamNature({ category }: Pick<TemplateNature, 'category'>): TemplateNature {
  return { source: REVIEWED, category }
}

/** A place that a send fills in. */
export interface Occurrence {
  /** The key that its value has in `variables`. */
  readonly key: string
  /** The name as it is written; null for a fixed code, which has none. */
  readonly name: string | null
  readonly place: TextPlace
}

/** Places that `variables` does not fill: a variable there is a fault. */
const NEVER_FILLED: ReadonlySet<TextPlace['kind']> = new Set(['FOOTER', 'LABEL'])

type Position = Pick<TextPlace, 'card' | 'button'>

/** Gives what the keys of a card begin with; an empty text outside of cards. */
export function prefixOf({ card }: Pick<Position, 'card'>): string {
  return card === null ? '' : `card_${card}_`
}

/**
 * Makes the key of a button on OFFICIAL that is filled in without a name ([templates.variables.5],
 * [templates.variables.6]).
 */
export function buttonKeyOf(position: Position): string {
  return `${prefixOf(position)}button_${position.button}`
}

/**
 * True for a place with a fixed code that a send on OFFICIAL replaces; payments that upstream shows have fixed codes,
 * too.
 */
export function isFixedCode({ kind, text }: TextPlace): boolean {
  return (kind === 'CODE' || kind === 'PAYMENT') && scanText(text).placeholders.length === 0
}

/**
 * Gives the key under which a send gives the value of a variable. A name is its own key wherever it stands
 * ([templates.variables.3]). Upstream counts anew in each text, so a number on OFFICIAL is told apart by its place
 * ([templates.variables.5]); the code button of OTP takes the body's value.
 */
export function keyOf(name: string, place: TextPlace, { source, category }: TemplateNature): string {
  if (!isReviewed({ source }) || !isNumberName(name)) return name
  switch (place.kind) {
    case 'HEADER':
      return `header_${name}`
    case 'URL':
    case 'PAYMENT':
      return buttonKeyOf(place)
    case 'CODE':
      return category === 'OTP' ? name : buttonKeyOf(place)
    default:
      return `${prefixOf(place)}${name}`
  }
}

function inPlace(place: TextPlace, nature: TemplateNature): Occurrence[] {
  if (NEVER_FILLED.has(place.kind)) return []
  if (isFixedCode(place))
    return isReviewed(nature) && nature.category !== 'OTP' ? [{ key: buttonKeyOf(place), name: null, place }] : []
  return scanText(place.text).placeholders.map(({ name }) => ({ key: keyOf(name, place, nature), name, place }))
}

/**
 * Lists everything that a send fills in, in the order header, body, buttons, cards; repeated variables are repeated.
 */
export function occurrencesOf(body: TemplateBody, nature: TemplateNature): Occurrence[] {
  return textPlacesOf(body).flatMap((place) => inPlace(place, nature))
}

/** Lists the keys that a send gives, each once: `variables` of a template ([templates.variables.4]). */
export function variablesOf(body: TemplateBody, nature: TemplateNature): string[] {
  return [...new Set(occurrencesOf(body, nature).map(({ key }) => key))]
}

/** True for a text that is not blank, or a number. */
export function isSample(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && !isBlank(value))
}

/**
 * Finds the sample of a variable, under its key; for a header or a URL also under its bare number
 * ([templates.examples.1]). Null when there is none.
 */
export function sampleOf(examples: TemplateExamples, { key, name, place }: Occurrence): string | null {
  const hasBare = name !== null && (place.kind === 'HEADER' || place.kind === 'URL')
  for (const under of hasBare ? [key, name] : [key]) {
    const value = Object.hasOwn(examples, under) ? examples[under] : undefined
    if (isSample(value)) return String(value)
  }
  return null
}

/**
 * Lists keys without a sample ([templates.checks.25]). Copy codes are exempt ([templates.examples.2]), and so are fixed
 * codes, which are samples themselves.
 */
export function missingSamples(body: TemplateBody, nature: TemplateNature, examples: TemplateExamples): string[] {
  const missing = occurrencesOf(body, nature).filter(
    (one) => one.name !== null && one.place.kind !== 'CODE' && sampleOf(examples, one) === null,
  )
  return [...new Set(missing.map(({ key }) => key))]
}
