import { isBlank } from './characters.ts'
import { isReviewed, REVIEWED } from './template.ts'
import type { TemplateBody, TemplateCategory, TemplateExamples, TemplateSource } from './template.ts'
import { isNumberName, scanText } from './template-placeholders.ts'
import { textPlacesOf } from './template-places.ts'
import type { TextPlace } from './template-places.ts'

/** What of a template decides how its variables are called. */
export interface TemplateNature {
  readonly source: TemplateSource
  readonly category: TemplateCategory
}

/** That of a template which upstream has, or will. */
export function upstreamNature({ category }: Pick<TemplateNature, 'category'>): TemplateNature {
  return { source: REVIEWED, category }
}

/** Something that a send fills in. */
export interface Occurrence {
  /** Under which `variables` has its value. */
  readonly key: string
  /** As it is written; null of a fixed code, which stands there by itself. */
  readonly name: string | null
  readonly place: TextPlace
}

/** Of these `variables` has nothing: a variable there is a fault. */
const NEVER_FILLED: ReadonlySet<TextPlace['kind']> = new Set(['FOOTER', 'LABEL'])

type Position = Pick<TextPlace, 'card' | 'button'>

/** What the keys of a card begin with; nothing outside of cards. */
export function prefixOf({ card }: Pick<Position, 'card'>): string {
  return card === null ? '' : `card_${card}_`
}

/** The key of a button on OFFICIAL, of those that are filled in without a name (spec: Templates 5). */
export function buttonKeyOf(position: Position): string {
  return `${prefixOf(position)}button_${position.button}`
}

/**
 * Whether a place has a code that stands there by itself and that a send on OFFICIAL replaces; upstream's own payments
 * stand so, too.
 */
export function isFixedCode({ kind, text }: TextPlace): boolean {
  return (kind === 'CODE' || kind === 'PAYMENT') && scanText(text).placeholders.length === 0
}

/**
 * Under which key a send gives the value of a variable (contract 10). A name is its own key wherever it stands.
 * Upstream counts in each text anew, so a number on OFFICIAL is told by its place; the code button of OTP takes what
 * the body takes.
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

/** Everything that a send fills in, in the order header, body, buttons, cards; what stands twice is there twice. */
export function occurrencesOf(body: TemplateBody, nature: TemplateNature): Occurrence[] {
  return textPlacesOf(body).flatMap((place) => inPlace(place, nature))
}

/** The keys that a send gives, each once: `variables` of a template (spec: Template). */
export function variablesOf(body: TemplateBody, nature: TemplateNature): string[] {
  return [...new Set(occurrencesOf(body, nature).map(({ key }) => key))]
}

/** A text that says something, or a number. */
export function isSample(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && !isBlank(value))
}

/**
 * The sample of a variable, null without one: under its key, that of a header or a URL also under its bare number
 * (contract 10).
 */
export function sampleOf(examples: TemplateExamples, { key, name, place }: Occurrence): string | null {
  const hasBare = name !== null && (place.kind === 'HEADER' || place.kind === 'URL')
  for (const under of hasBare ? [key, name] : [key]) {
    const value = Object.hasOwn(examples, under) ? examples[under] : undefined
    if (isSample(value)) return String(value)
  }
  return null
}

/** Keys without a sample (spec: Templates 1). Copy codes are exempt, and what is a sample itself. */
export function missingSamples(body: TemplateBody, nature: TemplateNature, examples: TemplateExamples): string[] {
  const missing = occurrencesOf(body, nature).filter(
    (one) => one.name !== null && one.place.kind !== 'CODE' && sampleOf(examples, one) === null,
  )
  return [...new Set(missing.map(({ key }) => key))]
}
