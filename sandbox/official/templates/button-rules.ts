import { z } from 'zod'
import { own, type Fields } from '../../../src/domain/json-fields.ts'
import { managed } from '../http/graph-error.ts'
import { readComponent } from '../http/read-component.ts'
import { namesIn, faultOfPlaceholders, hasPlaceholders } from './placeholders.ts'
import { assertLength, refusal } from './template-error.ts'
import { isDecorated } from './text-rules.ts'

/** Upstream: limits of buttons. */
const BUTTONS_MAX = 10
const LABEL_MAX = 25
const URL_MAX = 2_000
const PHONE_MAX = 20
const TYPE_MAX: ReadonlyMap<string, number> = new Map([
  ['QUICK_REPLY', 10],
  ['URL', 2],
])

/** Hosts that nobody owns or that are placeholders. */
const STAND_INS =
  /(?:^|\.)(?:example\.(?:com|net|org)|example|test|invalid|localhost|yourdomain\.com|yoursite\.com|yourwebsite\.com)$/i
const ABUSIVE_SUBCODE = 1346003

const label = { type: z.string(), text: z.string() }
const texts = z.union([z.array(z.string()), z.string().transform((text) => [text])])
const SCHEMAS: ReadonlyMap<string, z.ZodType<Fields>> = new Map<string, z.ZodType<Fields>>([
  ['QUICK_REPLY', z.strictObject(label)],
  ['URL', z.strictObject({ ...label, url: z.string(), example: texts.optional() })],
  ['PHONE_NUMBER', z.strictObject({ ...label, phone_number: z.string() })],
  ['COPY_CODE', z.strictObject({ type: z.string(), text: z.string().optional(), example: texts })],
  // [templates.body.14] names a sample and no label.
  ['PAYMENT_REQUEST', z.strictObject({ type: z.string(), text: z.string().optional(), example: texts })],
  [
    'FLOW',
    z.strictObject({
      ...label,
      flow_id: z.string().regex(/^\d+$/).optional(),
      flow_name: z.string().optional(),
      flow_json: z.string().optional(),
      flow_action: z.enum(['navigate', 'data_exchange']).optional(),
      navigate_screen: z.string().optional(),
      icon: z.string().optional(),
    }),
  ],
  ['VOICE_CALL', z.strictObject({ ...label, ttl_minutes: z.int().optional() })],
  ['CATALOG', z.strictObject(label)],
  ['MPM', z.strictObject(label)],
  ['SPM', z.strictObject(label)],
  ['ORDER_DETAILS', z.strictObject(label)],
])

function checkLabel(text: string): void {
  if (text.trim() === '') throw refusal(null, 'Button without text', 'Each button needs a text.')
  if (hasPlaceholders(text)) throw refusal(null, 'Variable in a button', "The text of a button can't have variables.")
  if (isDecorated(text))
    throw refusal(
      'label',
      'Button format is wrong',
      "The text of a button can't have emojis, line breaks or formatting.",
    )
  assertLength(text, LABEL_MAX, 'text of a button')
}

/** The host of an address, whose variable comes after it; null when it is no address. */
function hostOf(url: string): string | null {
  if (/\s/.test(url)) return null
  const parsed = URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) && parsed.hostname !== '' ? parsed.hostname : null
}

function checkUrl(button: Fields): void {
  const [url, example] = [String(own(button, 'url')), own(button, 'example')]
  assertLength(url, URL_MAX, 'URL of a button')
  const [, origin = ''] = /^(https?:\/\/[^/]*)/i.exec(url) ?? []
  if (hasPlaceholders(origin))
    throw refusal(null, 'Variable in the domain', "The domain of a button's URL can't have variables.")
  const names = namesIn(url, 'POSITIONAL')
  const isGood =
    !hasPlaceholders(url)
    || (faultOfPlaceholders(url, 'POSITIONAL') === null
      && names.length === 1
      && url.endsWith('{{1}}')
      && url.split('{{').length === 2)
  if (!isGood)
    throw refusal(null, 'Variable in the URL', 'The URL of a button can have one variable, {{1}}, at its very end.')
  const host = hostOf(url.replace('{{1}}', ''))
  if (host === null)
    throw refusal(null, 'URL is not valid', 'The URL of a button has to be a full http or https address.')
  if (STAND_INS.test(host))
    throw managed(
      368,
      'Content not allowed',
      'The URL of a button leads to a domain that stands for another one.',
      ABUSIVE_SUBCODE,
    )
  const hasSample =
    Array.isArray(example) && example.length === 1 && typeof example[0] === 'string' && example[0].trim() !== ''
  if (names.length > 0 && !hasSample) throw refusal('sample', 'Sample missing', 'A URL with a variable needs a sample.')
}

/** Checks a phone number: with `+` any 8 to 15 digits; without it, only enough digits to hold a country code. */
function checkPhone(phone: string): void {
  assertLength(phone, PHONE_MAX, 'phone number of a button')
  const digits = phone.replaceAll(/[\s()+.-]/g, '')
  const isGood = phone.trim().startsWith('+') ? /^[1-9]\d{7,14}$/.test(digits) : /^[1-9]\d{10,14}$/.test(digits)
  if (!isGood) throw managed(192, 'Phone number is not valid', 'The phone number of a button needs its country code.')
}

function checkCode(example: unknown): void {
  const [code, ...rest] = Array.isArray(example) ? (example as unknown[]) : []
  if (typeof code !== 'string' || rest.length > 0 || !/^[A-Za-z0-9]{1,15}$/.test(code)) {
    throw refusal(null, 'Code is not valid', 'A code to copy has 1 to 15 letters and digits.')
  }
}

/** A button as it will be shown. Refuses one that is invalid by itself. */
export function checkButton(given: Fields, within: string): Fields {
  const type = String(own(given, 'type')).toUpperCase()
  const schema = SCHEMAS.get(type)
  if (!schema) throw refusal(null, 'Unknown button', `There are no buttons of type ${type} in such a template.`)
  const button: Fields = { ...readComponent(schema, given, within), type }
  const text = own(button, 'text')
  if (typeof text === 'string') checkLabel(text)
  if (type === 'URL') checkUrl(button)
  if (type === 'PHONE_NUMBER') checkPhone(String(own(button, 'phone_number')))
  if (type === 'COPY_CODE') checkCode(own(button, 'example'))
  if (
    type === 'FLOW'
    && ['flow_id', 'flow_name', 'flow_json'].filter((key) => own(button, key) !== undefined).length !== 1
  ) {
    throw refusal(null, 'Flow is missing', 'A button of type FLOW names one Flow.')
  }
  // Upstream labels buttons that copy a code itself.
  return type === 'COPY_CODE' ? { ...button, text: 'Copy offer code' } : button
}

function assertCounts(types: readonly string[]): void {
  if (types.length === 0 || types.length > BUTTONS_MAX)
    throw refusal(null, 'Number of buttons', `A template has 1 to ${BUTTONS_MAX} buttons.`)
  for (const [type, { length }] of Map.groupBy(types, (type) => type)) {
    const max = TYPE_MAX.get(type) ?? 1
    if (length > max)
      throw refusal(null, 'Number of buttons', `A template has ${max} button(s) of type ${type} at most.`)
  }
}

/** Quick replies have to stand side by side. */
function assertGrouping(types: readonly string[]): void {
  const [first, last] = [types.indexOf('QUICK_REPLY'), types.lastIndexOf('QUICK_REPLY')]
  if (first < 0 || types.slice(first, last + 1).every((type) => type === 'QUICK_REPLY')) return
  throw refusal(null, 'Order of buttons', 'Quick replies have to stand side by side.')
}

/** The buttons of a template as they will be shown. */
export function checkButtons(given: readonly Fields[], within: string): Fields[] {
  const buttons = given.map((button, index) => checkButton(button, `${within}.buttons.${index}`))
  const types = buttons.map((button) => String(own(button, 'type')))
  assertCounts(types)
  assertGrouping(types)
  return buttons
}
