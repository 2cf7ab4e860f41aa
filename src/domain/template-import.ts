import { fieldsIn, listIn, own, textIn } from './json-fields.ts'
import type { Fields } from './json-fields.ts'
import { importedButton, officialFlowIdIn } from './template-import-button.ts'
import type { ImportFacts, ImportedButton } from './template-import-button.ts'
import { samplesOfTexts } from './template-import-samples.ts'
import { keyOf, upstreamNature } from './template-keys.ts'
import { isNumberName, replacePlaceholders, scanText } from './template-placeholders.ts'
import type { TextPlace } from './template-places.ts'
import { isMediaHeader } from './template.ts'
import type {
  ParameterKeys,
  TemplateBody,
  TemplateCard,
  TemplateExamples,
  TemplateFooter,
  TemplateHeader,
  TemplateParameters,
  TemplateText,
} from './template.ts'

/** A template of upstream's in the service's form. */
export interface ImportedTemplate {
  readonly body: TemplateBody
  readonly parameters: TemplateParameters
  /** The samples that upstream shows, under the service's keys. */
  readonly examples: TemplateExamples
  /** Names of the parts that cannot be sent, each once; a template with any cannot be sent ([templates.import.6]). */
  readonly unsupported: readonly string[]
}

function typeIn(component: Fields, key = 'type'): string {
  return textIn(component, key)?.trim().toUpperCase() ?? ''
}

function componentOf(components: readonly Fields[], type: string): Fields | null {
  return components.find((one) => typeIn(one) === type) ?? null
}

/** Components that are parts of a template of the service. */
const PARTS: ReadonlySet<string> = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL'])

function headerOf(component: Fields | null): { header: TemplateHeader; unsupported: string[] } {
  if (component === null) return { header: { type: 'NONE' }, unsupported: [] }
  const type = typeIn(component, 'format')
  if (type === 'TEXT') return { header: { type, text: textIn(component, 'text') ?? '' }, unsupported: [] }
  if (!isMediaHeader(type)) return { header: { type }, unsupported: [type || 'HEADER'] }
  const url = sampleUrl(component)
  return { header: { type, ...(url === null ? {} : { url }) }, unsupported: [] }
}

/** Reads the address where upstream shows a sample file for a while; null when there is none. */
function sampleUrl(component: Fields): string | null {
  const handles = own(fieldsIn(component, 'example'), 'header_handle')
  const [first] = Array.isArray(handles) ? (handles as unknown[]) : []
  return typeof first === 'string' && /^https?:\/\//i.test(first) ? first : null
}

function bodyOf(component: Fields | null): TemplateText | null {
  if (component === null) return null
  const isRecommended = own(component, 'add_security_recommendation')
  return {
    text: textIn(component, 'text') ?? '',
    ...(typeof isRecommended === 'boolean' ? { addSecurityRecommendation: isRecommended } : {}),
  }
}

/** Reads a footer. For codes upstream shows its own words about the minutes; PUT takes the minutes alone. */
function footerOf(component: Fields | null, { category }: ImportFacts): TemplateFooter | null {
  if (component === null) return null
  const [text, minutes] = [
    category === 'OTP' ? null : textIn(component, 'text'),
    own(component, 'code_expiration_minutes'),
  ]
  const footer = {
    ...(text === null ? {} : { text }),
    ...(typeof minutes === 'number' ? { codeExpirationMinutes: minutes } : {}),
  }
  return Object.keys(footer).length === 0 ? null : footer
}

function buttonsOf(components: readonly Fields[], card: number | null, facts: ImportFacts): ImportedButton[] {
  const component = componentOf(components, 'BUTTONS')
  return component === null
    ? []
    : listIn(component, 'buttons').map((button, at) => importedButton(button, { card, button: at + 1 }, facts))
}

interface ImportedCard {
  readonly card: TemplateCard
  readonly unsupported: readonly string[]
  readonly examples: TemplateExamples
}

function cardOf(fields: Fields, index: number, facts: ImportFacts): ImportedCard {
  const components = listIn(fields, 'components')
  const [header, text] = [componentOf(components, 'HEADER'), bodyOf(componentOf(components, 'BODY'))]
  const buttons = buttonsOf(components, index + 1, facts)
  const format = header ? typeIn(header, 'format') : 'NONE'
  return {
    card: {
      media: { url: (header && sampleUrl(header)) ?? '' },
      body: text && { text: text.text },
      buttons: buttons.map(({ button }) => button),
    },
    // A card of the service has a picture ([templates.body.8], [templates.checks.24]).
    unsupported: [...(format === 'IMAGE' ? [] : [`CARD_${format}`]), ...buttons.flatMap((one) => one.unsupported)],
    examples: samplesOfTexts(null, componentOf(components, 'BODY'), index + 1, facts, buttons),
  }
}

/**
 * Lists the keys of a text: numbers of upstream rising, each once, whatever their order in the text; names as they
 * come.
 */
function parametersOf(place: Pick<TextPlace, 'kind' | 'card' | 'text'>, facts: ImportFacts): ParameterKeys {
  const names = [...new Set(scanText(place.text).placeholders.map(({ name }) => name))]
  const sorted = names.every(isNumberName) ? names.toSorted((one, other) => Number(one) - Number(other)) : names
  return sorted.map((name) => keyOf(name, { ...place, button: null, field: '' }, upstreamNature(facts)))
}

function allParameters({ header, body, carousel }: TemplateBody, facts: ImportFacts): TemplateParameters {
  return {
    format: facts.format,
    header: parametersOf({ kind: 'HEADER', card: null, text: header.text ?? '' }, facts),
    body: parametersOf({ kind: 'BODY', card: null, text: body?.text ?? '' }, facts),
    cards: (carousel?.cards ?? []).map((card, index) =>
      parametersOf({ kind: 'BODY', card: index + 1, text: card.body?.text ?? '' }, facts),
    ),
  }
}

/**
 * Converts what upstream shows of a template to the service's form. Types are read in any case ([templates.import.5]);
 * an unknown one is kept by its name and listed.
 */
export function importTemplate(components: readonly Fields[], facts: ImportFacts): ImportedTemplate {
  const { header, unsupported: ofHeader } = headerOf(componentOf(components, 'HEADER'))
  const buttons = buttonsOf(components, null, facts)
  const carousel = componentOf(components, 'CAROUSEL')
  const cards = carousel ? listIn(carousel, 'cards').map((card, index) => cardOf(card, index, facts)) : []
  const strays = components.map((one) => typeIn(one)).filter((type) => !PARTS.has(type))
  const body: TemplateBody = {
    header,
    body: bodyOf(componentOf(components, 'BODY')),
    footer: footerOf(componentOf(components, 'FOOTER'), facts),
    buttons: buttons.map(({ button }) => button),
    carousel: carousel && { cards: cards.map(({ card }) => card) },
  }
  return {
    body,
    parameters: allParameters(body, facts),
    examples: Object.fromEntries(
      [
        samplesOfTexts(componentOf(components, 'HEADER'), componentOf(components, 'BODY'), null, facts, buttons),
        ...cards.map(({ examples }) => examples),
      ].flatMap((examples) => Object.entries(examples)),
    ),
    unsupported: [
      ...new Set([
        ...ofHeader,
        ...strays,
        ...buttons.flatMap((one) => one.unsupported),
        ...cards.flatMap((card) => card.unsupported),
      ]),
    ],
  }
}

/** Lists upstream's ids of the Flows that a template opens. */
export function officialFlowIdsIn(components: readonly Fields[]): string[] {
  const buttons = componentOf(components, 'BUTTONS')
  return buttons === null ? [] : listIn(buttons, 'buttons').flatMap((button) => officialFlowIdIn(button) ?? [])
}

/** Gives upstream's wording of a code under the service's name of the variable ([templates.special-buttons.2]). */
export function underOurName(text: string, key: string): string {
  return replacePlaceholders(text, () => `{{${key}}}`)
}
