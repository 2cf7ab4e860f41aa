import { listIn, textIn, type Fields } from '../../../src/domain/json-fields.ts'
import { GraphError } from '../http/graph-error.ts'
import { fillButtons, type FilledButton } from './fill-button.ts'
import { countMismatch, fillText, formatMismatch } from './fill-text.ts'
import type { SentPart, SentParameter, TemplateMessage } from './message-shape.ts'
import type { TemplateShelf } from './template-shelf.ts'
import type { PlatformTemplate } from './template.ts'

/** Upstream's limits of filled texts, in characters. */
const HEADER_MAX = 60
const BODY_MAX = 1_024

/** A header as the user sees it: a text, or the file or place that was sent. */
export interface FilledHeader {
  readonly type: string
  readonly text?: string
  readonly media?: unknown
}

interface FilledPart {
  readonly header: FilledHeader | null
  readonly body: string | null
  readonly buttons: readonly FilledButton[]
}

/** A template as it reaches a user. */
export interface FilledTemplate extends FilledPart {
  readonly name: string
  readonly language: string
  readonly category: string
  readonly footer: string | null
  readonly cards: readonly FilledPart[]
  /** Components as they were sent. */
  readonly components: TemplateMessage['components']
}

/** Type of parameter that a header of each format takes. */
const HEADER_PARAMETERS: ReadonlyMap<string, SentParameter['type']> = new Map([
  ['IMAGE', 'image'],
  ['VIDEO', 'video'],
  ['GIF', 'video'],
  ['DOCUMENT', 'document'],
  ['LOCATION', 'location'],
  ['PRODUCT', 'product'],
])

function componentOf(components: readonly Fields[], type: string): Fields | null {
  return components.find((one) => textIn(one, 'type')?.toUpperCase() === type) ?? null
}

function fillHeader(
  header: Fields | null,
  sent: readonly SentParameter[],
  { parameterFormat: format }: PlatformTemplate,
): FilledHeader | null {
  if (header === null) {
    if (sent.length > 0) throw countMismatch('header', sent.length, 0)
    return null
  }
  const type = textIn(header, 'format')?.toUpperCase() ?? ''
  if (type === 'TEXT')
    return { type, text: fillText('header', textIn(header, 'text') ?? '', sent, { format, maxLength: HEADER_MAX }) }
  const [parameter] = sent
  if (parameter === undefined || parameter.type !== HEADER_PARAMETERS.get(type)) {
    throw formatMismatch(
      `header: Format mismatch, expected ${type}, received ${parameter?.type.toUpperCase() ?? 'UNKNOWN'}`,
    )
  }
  if (sent.length > 1) throw countMismatch('header', sent.length, 1)
  return { type, media: (parameter as Fields)[parameter.type] }
}

/** Parameters of the one component of a type. */
function parametersOf(sent: readonly SentPart[], type: 'header' | 'body'): readonly SentParameter[] {
  const found = sent.filter((one) => one.type === type)
  if (found.length > 1) throw formatMismatch(`${type}: stands there twice`)
  return found[0]?.parameters ?? []
}

function fillPart(own: readonly Fields[], sent: readonly SentPart[], template: PlatformTemplate): FilledPart {
  const body = componentOf(own, 'BODY')
  const bodyParameters = parametersOf(sent, 'body')
  if (body === null && bodyParameters.length > 0) throw countMismatch('body', bodyParameters.length, 0)
  return {
    header: fillHeader(componentOf(own, 'HEADER'), parametersOf(sent, 'header'), template),
    body:
      body
      && fillText('body', textIn(body, 'text') ?? '', bodyParameters, {
        format: template.parameterFormat,
        maxLength: BODY_MAX,
      }),
    buttons: fillButtons(
      listIn(componentOf(own, 'BUTTONS') ?? {}, 'buttons'),
      sent.filter((one) => one.type === 'button'),
      template.category === 'AUTHENTICATION',
    ),
  }
}

/** Fills the cards: as many as the template has, each once. */
function fillCards(template: PlatformTemplate, components: TemplateMessage['components']): FilledPart[] {
  const own = listIn(componentOf(template.components, 'CAROUSEL') ?? {}, 'cards')
  const sent = components.flatMap((one) => (one.type === 'carousel' ? one.cards : []))
  const byIndex = new Map(sent.map((card) => [card.card_index, card.components]))
  if (sent.length !== own.length || own.some((_card, index) => !byIndex.has(index))) {
    throw formatMismatch(`carousel: the template has ${own.length} cards, ${sent.length} were sent`)
  }
  return own.map((card, index) => fillPart(listIn(card, 'components'), byIndex.get(index) ?? [], template))
}

/** The template that a message names. Refuses one that cannot be sent. */
function sendable(
  shelf: TemplateShelf,
  accountId: string,
  { name, language: { code } }: TemplateMessage,
): PlatformTemplate {
  const template = shelf.named(accountId, name, code)
  if (template?.status === 'PAUSED')
    throw new GraphError(132015, { details: `Template (${name}) is paused due to low quality` })
  if (template?.status === 'DISABLED')
    throw new GraphError(132016, { details: `Template (${name}) is disabled due to low quality` })
  if (template?.status !== 'APPROVED')
    throw new GraphError(132001, { details: `template name (${name}) does not exist in ${code}` })
  return template
}

/** Fills the template that a message of an account names. Refuses what upstream refuses at once. */
export function fillTemplate(shelf: TemplateShelf, accountId: string, message: TemplateMessage): FilledTemplate {
  const template = sendable(shelf, accountId, message)
  const { name, language, category } = template
  const { components } = message
  const parts = components.filter((one) => one.type !== 'carousel' && one.type !== 'limited_time_offer')
  return {
    name,
    language,
    category,
    components,
    ...fillPart(template.components, parts, template),
    footer: textIn(componentOf(template.components, 'FOOTER') ?? {}, 'text'),
    cards: fillCards(template, components),
  }
}
