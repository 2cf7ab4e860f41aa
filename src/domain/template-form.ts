import { isBlank } from './characters.ts'
import type { Fault } from './fault.ts'
import { fieldsIn, isFields, own } from './json-fields.ts'
import type { Fields } from './json-fields.ts'
import { hasMoreValues } from './json-values.ts'
import { BODY_VALUES } from './limits.ts'
import { isMediaHeader } from './template.ts'
import type {
  TemplateBody,
  TemplateButton,
  TemplateCard,
  TemplateExamples,
  TemplateFooter,
  TemplateHeader,
  TemplateText,
} from './template.ts'

/** A body as it was read. With faults it must not be used: a part does not have the form of its kind. */
export interface ReadBody {
  readonly body: TemplateBody
  /** Names of upstream's components that stand beside the five parts; their content is dropped. */
  readonly strays: readonly string[]
  readonly faults: readonly Fault[]
}

/** Components that upstream knows and that templates of the service cannot have ([templates.checks.5]). */
const FOREIGN: ReadonlySet<string> = new Set([
  'LOCATION',
  'CATALOG',
  'MPM',
  'SPM',
  'PRODUCT',
  'LIMITED_TIME_OFFER',
  'VOICE_CALL',
  'CALL_PERMISSION_REQUEST',
])

/** Our choice: numbers are read as texts wherever a text is expected. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined
}

function typeOf(fields: Fields): string {
  return (textOf(own(fields, 'type')) ?? '').trim().toUpperCase()
}

/** Reads the fields that are texts and not blank. */
function textsOf<K extends string>(fields: Fields, keys: readonly K[]): Partial<Record<K, string>> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const text = textOf(own(fields, key))
      return isBlank(text) ? [] : [[key, text]]
    }),
  ) as Partial<Record<K, string>>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Reads an object as it is, a text that is a JSON object as that object, any other text as the text of a body
 * ([templates.body.1]).
 */
function fieldsOf(given: unknown, faults: Fault[]): Fields {
  if (isFields(given)) return given
  if (typeof given !== 'string') {
    faults.push({ path: 'body', message: 'must be an object or a text' })
    return {}
  }
  if (!given.trimStart().startsWith('{')) return { body: given }
  if (hasMoreValues(given, BODY_VALUES)) {
    faults.push({ path: 'body', message: `must have at most ${BODY_VALUES} values` })
    return {}
  }
  const value = parsed(given)
  return isFields(value) ? value : { body: given }
}

/** True when the header of a body, in whichever form it is given, carries its sample in base64. */
export function hasEncodedHeader(given: unknown): boolean {
  return own(fieldsIn(fieldsOf(given, []), 'header'), 'base64') !== undefined
}

function headerOf(given: unknown, faults: Fault[]): TemplateHeader {
  if (given === undefined || given === null) return { type: 'NONE' }
  if (!isFields(given)) faults.push({ path: 'body.header', message: 'must be an object' })
  if (!isFields(given) || Object.keys(given).length === 0) return { type: 'NONE' }
  const type = typeOf(given)
  if (type === '') faults.push({ path: 'body.header.type', message: 'must be a text' })
  if (type === 'TEXT') return { type, ...textsOf(given, ['text']) }
  return isMediaHeader(type) ? { type, ...textsOf(given, ['url', 'base64']) } : { type }
}

function bodyOf(given: unknown): TemplateText | null {
  if (!isFields(given)) return textOf(given) === undefined ? null : { text: textOf(given) ?? '' }
  const isRecommended = own(given, 'addSecurityRecommendation')
  return {
    text: textOf(own(given, 'text')) ?? '',
    ...(typeof isRecommended === 'boolean' ? { addSecurityRecommendation: isRecommended } : {}),
  }
}

function footerOf(given: unknown, faults: Fault[]): TemplateFooter | null {
  const fields = isFields(given) ? given : { text: given }
  const minutes = own(fields, 'codeExpirationMinutes') ?? undefined
  if (minutes !== undefined && typeof minutes !== 'number')
    faults.push({ path: 'body.footer.codeExpirationMinutes', message: 'must be a number' })
  const footer = {
    ...textsOf(fields, ['text']),
    ...(typeof minutes === 'number' ? { codeExpirationMinutes: minutes } : {}),
  }
  return Object.keys(footer).length === 0 ? null : footer
}

/** Names upstream's button of a code by what it does: only the one that copies is a button of the service. */
function codeButtonType(fields: Fields): string {
  const way = textOf(own(fields, 'otp_type') ?? own(fields, 'otpType')) ?? 'OTP'
  return way.trim().toUpperCase()
}

function examplesOf(given: unknown): { example?: readonly string[] } {
  const texts = (Array.isArray(given) ? given : [given]).flatMap((one) => textOf(one) ?? [])
  return texts.some((text) => !isBlank(text)) ? { example: texts } : {}
}

function buttonOf(fields: Fields): TemplateButton {
  const type = typeOf(fields) === 'OTP' ? codeButtonType(fields) : typeOf(fields)
  const label = textsOf(fields, ['text'])
  switch (type) {
    case 'URL':
      return { type, ...label, ...textsOf(fields, ['url']) }
    case 'PHONE_NUMBER': {
      const phone = textOf(own(fields, 'phone_number') ?? own(fields, 'phoneNumber'))
      return { type, ...label, ...(phone === undefined || isBlank(phone) ? {} : { phone_number: phone }) }
    }
    case 'COPY_CODE':
    case 'PAYMENT_REQUEST':
      return { type, ...label, ...examplesOf(own(fields, 'example')) }
    case 'FLOW':
      return { type, ...label, ...textsOf(fields, ['flowId', 'action', 'screen']) }
    default:
      return { type, ...label }
  }
}

function buttonsOf(given: unknown, path: string, faults: Fault[]): TemplateButton[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) {
    faults.push({ path, message: 'must be a list' })
    return []
  }
  return given.flatMap((one: unknown, index) => {
    const isButton = isFields(one) && typeOf(one) !== ''
    if (!isButton) faults.push({ path: `${path}.${index}`, message: 'must be an object with a type' })
    return isButton ? [buttonOf(one)] : []
  })
}

function cardOf(fields: Fields, path: string, faults: Fault[]): TemplateCard {
  const media = own(fields, 'media')
  const body = bodyOf(own(fields, 'body'))
  return {
    media: { url: textOf(isFields(media) ? own(media, 'url') : media) ?? '' },
    body: body === null || isBlank(body.text) ? null : { text: body.text },
    buttons: buttonsOf(own(fields, 'buttons'), `${path}.buttons`, faults),
  }
}

function carouselOf(given: unknown, faults: Fault[]): TemplateBody['carousel'] {
  if (given === undefined || given === null) return null
  const cards = isFields(given) ? (own(given, 'cards') ?? []) : given
  if (!Array.isArray(cards)) {
    faults.push({ path: 'body.carousel.cards', message: 'must be a list' })
    return { cards: [] }
  }
  return {
    cards: cards.map((card: unknown, index) => {
      const path = `body.carousel.cards.${index}`
      if (!isFields(card)) faults.push({ path, message: 'must be an object' })
      return cardOf(isFields(card) ? card : {}, path, faults)
    }),
  }
}

function straysOf(fields: Fields): string[] {
  return Object.keys(fields).flatMap((key) => {
    const name = key.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
    return FOREIGN.has(name) && fields[key] !== null ? [name] : []
  })
}

/**
 * Reads the body of a template in any of its forms into the canonical one ([templates.body.1], [templates.body.2]).
 * Types are read in any case; fields that a known type does not have are left out.
 */
export function readTemplateBody(given: unknown): ReadBody {
  const faults: Fault[] = []
  const fields = fieldsOf(given, faults)
  const text = own(fields, 'body')
  const carousel = own(fields, 'carousel') ?? (isFields(text) ? own(text, 'carousel') : undefined)
  return {
    body: {
      header: headerOf(own(fields, 'header'), faults),
      body: bodyOf(text),
      footer: footerOf(own(fields, 'footer'), faults),
      buttons: buttonsOf(own(fields, 'buttons'), 'body.buttons', faults),
      carousel: carouselOf(carousel, faults),
    },
    strays: straysOf(fields),
    faults,
  }
}

/**
 * Reads the samples of variables that are texts or numbers. Null when the value is no object; an absent value has none.
 */
export function readTemplateExamples(given: unknown): TemplateExamples | null {
  if (given === undefined || given === null) return {}
  if (!isFields(given)) return null
  // Building from entries keeps a key such as `__proto__` a key like any other.
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string | number] => textOf(entry[1]) !== undefined),
  )
}
