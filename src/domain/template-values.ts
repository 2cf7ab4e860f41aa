import { codePointsOf, isBlank } from './characters.ts'
import { refuse } from './errors.ts'
import type { Refusal } from './errors.ts'
import { isFields, own } from './json-fields.ts'
import type { Fields } from './json-fields.ts'
import { keptTemplate } from './kept-order.ts'
import type { MessageContent } from './message.ts'
import type { TemplateFile } from './outgoing.ts'
import type { TemplateCardBody } from './send-body.ts'
import type { TemplateOrder } from './send-order.ts'
import { isSample, occurrencesOf, prefixOf } from './template-keys.ts'
import type { Occurrence, TemplateNature } from './template-keys.ts'
import type { ValueOf } from './template-render.ts'
import type { CardHosts } from './template-rule.ts'
import { cardMediaFindings } from './template-carousel-rules.ts'
import { refusalOfFaults } from './template-rules.ts'
import { isReviewed } from './template.ts'
import type { Template, TemplateBody } from './template.ts'

export interface SendValues {
  readonly variables?: Fields | null | undefined
  readonly cards?: readonly TemplateCardBody[] | null | undefined
}

export type InvalidReason = 'TYPE' | 'LINE_BREAK' | 'TAB' | 'SPACES' | 'COPY_CODE' | 'OTP_CODE' | 'URL_SUFFIX'

export interface CheckedValues {
  /** Keys without a value. */
  readonly missing: readonly string[]
  /** A value that cannot be sent, with the first reason. */
  readonly invalid: readonly { readonly key: string; readonly reason: InvalidReason }[]
  /** Gives the value of a place; null when it is missing or invalid. */
  readonly valueOf: ValueOf
}

/** Finds the value given under a key; null counts as none. */
function givenFor({ key, place }: Occurrence, { variables, cards }: SendValues): unknown {
  const ofCard = place.card === null ? null : cards?.[place.card - 1]?.variables
  const prefix = prefixOf(place)
  const inCard = isFields(ofCard)
    ? (own(ofCard, key.startsWith(prefix) ? key.slice(prefix.length) : key) ?? null)
    : null
  return inCard ?? (isFields(variables) ? (own(variables, key) ?? null) : null)
}

/** A copy code in a send ([templates.send.7]). */
const COPY_CODE = /^[A-Za-z0-9]{1,20}$/
/** Upstream's limit of a code of AUTHENTICATION, in characters ([templates.send.7]). */
const OTP_CODE_LENGTH = 15

type ValueRule = readonly [
  reason: InvalidReason,
  isBroken: (text: string, place: Occurrence['place'], nature: TemplateNature) => boolean,
]

/** What upstream refuses as a value ([templates.send.7]); LOCAL takes any text. */
const OFFICIAL_VALUES: readonly ValueRule[] = [
  ['LINE_BREAK', (text) => /[\n\r]/.test(text)],
  ['TAB', (text) => text.includes('\t')],
  ['SPACES', (text) => text.includes('     ')],
  ['COPY_CODE', (text, { kind }, { category }) => kind === 'CODE' && category !== 'OTP' && !COPY_CODE.test(text)],
  ['OTP_CODE', (text, _place, { category }) => category === 'OTP' && codePointsOf(text) > OTP_CODE_LENGTH],
  ['URL_SUFFIX', (text, { kind }) => kind === 'URL' && /\s/.test(text)],
]

function reasonAgainst(value: unknown, { place }: Occurrence, nature: TemplateNature): InvalidReason | null {
  const isText = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
  if (!isText) return 'TYPE'
  if (!isReviewed(nature)) return null
  return OFFICIAL_VALUES.find(([, isBroken]) => isBroken(String(value), place, nature))?.[0] ?? null
}

function isAbsent(value: unknown): boolean {
  return value === null || (typeof value === 'string' && isBlank(value))
}

/**
 * Names the place of a value: one key may have different values in different cards, and be invalid in one card alone.
 */
function whereOf({ key, place }: Occurrence): string {
  return `${place.field} ${key}`
}

/**
 * Checks every value that a send needs, own properties only ([templates.send.4]); keys that the template does not have
 * are ignored ([templates.send.9]).
 */
export function checkValues(body: TemplateBody, nature: TemplateNature, sent: SendValues): CheckedValues {
  const missing = new Set<string>()
  const invalid = new Map<string, InvalidReason>()
  const valid = new Map<string, string>()
  for (const occurrence of occurrencesOf(body, nature)) {
    const value = givenFor(occurrence, sent)
    const reason = isAbsent(value) ? null : reasonAgainst(value, occurrence, nature)
    if (isAbsent(value)) missing.add(occurrence.key)
    else if (reason === null) valid.set(whereOf(occurrence), String(value))
    else if (!invalid.has(occurrence.key)) invalid.set(occurrence.key, reason)
  }
  return {
    missing: [...missing],
    invalid: [...invalid].map(([key, reason]) => ({ key, reason })),
    valueOf: (occurrence) => valid.get(whereOf(occurrence)) ?? null,
  }
}

function picked(
  given: Readonly<Record<string, unknown>> | null | undefined,
  keys: readonly string[],
): Record<string, string | number> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = isFields(given) ? own(given, key) : null
      return isSample(value) ? [[key, value]] : []
    }),
  )
}

/** Picks the values and cards of a send that its template takes: the template bounds them, however much was sent. */
function takenValues(
  body: TemplateBody,
  nature: TemplateNature,
  { variables, cards }: TemplateOrder,
): Pick<TemplateOrder, 'variables' | 'cards'> {
  const occurrences = occurrencesOf(body, nature)
  const keysOf = (card: number): string[] =>
    occurrences
      .filter(({ place }) => place.card === card)
      .flatMap(({ key, place }) => {
        const prefix = prefixOf(place)
        return key.startsWith(prefix) ? [key.slice(prefix.length)] : [key]
      })
  return {
    variables: picked(
      variables,
      occurrences.map(({ key }) => key),
    ),
    cards: cards.map((card, index) => ({
      ...(card.media ? { media: card.media } : {}),
      variables: picked(card.variables, keysOf(index + 1)),
    })),
  }
}

/**
 * Makes the order that a message of a template keeps, so that it can be made again ([embeds.inbox-routes.8]). The token
 * of its Flow is kept only when the sender gave one. `files` are the files that the message is made with.
 */
export function keptOrderOf(
  order: TemplateOrder,
  template: TemplateNature & Pick<Template, 'id' | 'body'>,
  [file]: readonly TemplateFile[],
): Pick<MessageContent, 'order'> {
  const own = template.body.carousel === null && file?.isOwn ? file.source : null
  return keptTemplate(template.id, { ...order, ...takenValues(template.body, template, order) }, own)
}

/**
 * Makes the refusal of the values of a send ([templates.send.8]): the code for missing values comes first, the details
 * are complete. Null when all can be sent.
 */
export function refusalOfValues({ missing, invalid }: CheckedValues): Refusal | null {
  const details = { missing, invalid }
  if (missing.length > 0)
    return refuse('MISSING_TEMPLATE_VARIABLES', `Give a value for: ${missing.join(', ')}`, details)
  if (invalid.length === 0) return null
  return refuse(
    'INVALID_TEMPLATE_VARIABLE_VALUE',
    `These values cannot be sent: ${invalid.map(({ key, reason }) => `${key} (${reason})`).join(', ')}`,
    details,
  )
}

/**
 * Refuses the cards of a send unless they are as many as the template has, with buttons alike and pictures of the right
 * form ([templates.send.15], [templates.send.16]). Null when they can be sent.
 */
export function checkSendCards(
  { carousel }: TemplateBody,
  cards: SendValues['cards'],
  hosts: CardHosts,
): Refusal | null {
  const given = cards ?? []
  const wanted = carousel?.cards ?? []
  if (given.length === 0) return null
  if (given.length !== wanted.length)
    return refuse('TEMPLATE_CARDS_MISMATCH', `The template has ${wanted.length} cards, the send ${given.length}`, {})
  const differing = given.findIndex(
    ({ buttons }, index) =>
      Boolean(buttons)
      && buttons?.map(({ type }) => type.toUpperCase()).join()
        !== wanted[index]?.buttons.map(({ type }) => type).join(),
  )
  if (differing >= 0)
    return refuse('TEMPLATE_CARDS_MISMATCH', `The buttons of card ${differing + 1} are not those of the template`, {
      card: differing + 1,
    })
  return refusalOfFaults(
    given
      .flatMap(({ media }, index) =>
        media ? cardMediaFindings(media.url, index + 1, `cards.${index}.media.url`, hosts) : [],
      )
      .map((finding) => ({ code: 'TEMPLATE_CARD_MEDIA_URL_INVALID' as const, ...finding, upstreamCode: null })),
  )
}
