import type { Branding, BrandingField, ButtonStyle } from './branding.ts'
import { isLoopback } from './loopback.ts'

/**
 * What each field of a brand may hold ([branding.fields.9] to [branding.fields.14], [branding.button.1]). One rule a
 * field serves the bodies of the API, the query of a link and the editor. Pure, and free of packages: pages import it
 * too.
 */

/** A value as it is stored, or what is wrong with it. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string }

/** Where this service serves logos from: `BASE_URL/branding/logos/`. */
export function logosUrl(baseUrl: string): string {
  return `${baseUrl}/branding/logos/`
}

/** Characters of a URL at most ([branding.fields.9]). */
const URL_LENGTH = 2_048
/** Code points of a text at most, after trimming ([branding.fields.4], [branding.fields.5], [branding.button.1]). */
const TEXT_LENGTHS = { companyName: 60, subtitle: 120, label: 40 } as const
/** CSS pixels ([branding.button.1]). */
const MOST_RADIUS = 32
const SIZES = ['small', 'medium', 'large'] as const

/** Control characters draw nothing, and bidi controls turn around the text beside them ([branding.fields.13]). */
const CONTROLS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u
const NO_CONTROLS = 'must not contain control characters'

const good = <T>(value: T): Checked<T> => ({ ok: true, value })
const wrong = (message: string): Checked<never> => ({ ok: false, message })

/**
 * Checks a value of one field and gives it as it is stored: colours in lower case, texts trimmed, URLs as a URL parser
 * writes them. Null unsets a field; the flag has no unset, so null sets it false.
 *
 * @param logos where this service serves logos from, see `logosUrl`: a logo may lie there whatever the scheme
 */
export function checkField<F extends BrandingField>(field: F, value: unknown, logos: string): Checked<Branding[F]> {
  if (value === null) return good((field === 'hidePilotStatusBranding' ? false : null) as Branding[F])
  return CHECKS[field](value, logos) as Checked<Branding[F]>
}

const CHECKS: Readonly<Record<BrandingField, (value: unknown, logos: string) => Checked<string | boolean>>> = {
  logoUrl: checkLogo,
  primaryColor: checkColor,
  backgroundColor: checkColor,
  companyName: (value) => checkText(value, TEXT_LENGTHS.companyName),
  subtitle: (value) => checkText(value, TEXT_LENGTHS.subtitle),
  supportUrl: (value) => checkUrl(value, isHttps),
  defaultRedirectUrl: (value) => checkUrl(value, isHttps),
  hidePilotStatusBranding: checkFlag,
}

export const BRANDING_FIELDS = Object.keys(CHECKS) as readonly BrandingField[]

/** Checks a value of one field of a button, see `ButtonStyle`. */
export function checkButtonField<F extends keyof ButtonStyle>(
  field: F,
  value: unknown,
): Checked<NonNullable<ButtonStyle[F]>> {
  return BUTTON_CHECKS[field](value) as Checked<NonNullable<ButtonStyle[F]>>
}

const BUTTON_CHECKS: Readonly<Record<keyof ButtonStyle, (value: unknown) => Checked<string | number | boolean>>> = {
  label: (value) => checkText(value, TEXT_LENGTHS.label),
  backgroundColor: checkColor,
  textColor: checkColor,
  borderColor: checkColor,
  borderRadius: (value) =>
    typeof value === 'number' && value >= 0 && value <= MOST_RADIUS
      ? good(value)
      : wrong(`must be a number from 0 to ${MOST_RADIUS}`),
  size: (value) =>
    SIZES.some((size) => size === value) ? good(value as string) : wrong(`must be one of ${SIZES.join(', ')}`),
  fullWidth: checkFlag,
  icon: checkFlag,
}

export const BUTTON_FIELDS = Object.keys(BUTTON_CHECKS) as readonly (keyof ButtonStyle)[]

/** Checks where a link may lead after it paired: https, or http to this machine ([pairing.create.6]). */
export function checkRedirect(value: unknown): Checked<string> {
  return checkUrl(
    value,
    (url) => isHttps(url) || (url.protocol === 'http:' && isLoopback(url.hostname)),
    'must be an https URL, or an http URL of a loopback host',
  )
}

function isHttps(url: URL): boolean {
  return url.protocol === 'https:'
}

function checkLogo(value: unknown, logos: string): Checked<string> {
  const own = URL.canParse(logos) ? new URL(logos).href : null
  return checkUrl(value, (url) => isHttps(url) || (own !== null && url.href.startsWith(own)))
}

function checkUrl(
  value: unknown,
  isAllowed: (url: URL) => boolean,
  rule = 'must be an absolute https URL',
): Checked<string> {
  if (typeof value !== 'string') return wrong(rule)
  if (value.length > URL_LENGTH) return wrong(`must have ${URL_LENGTH} characters at most`)
  if (CONTROLS.test(value)) return wrong(NO_CONTROLS)
  if (!URL.canParse(value)) return wrong(rule)
  const url = new URL(value)
  if (!isAllowed(url)) return wrong(rule)
  if (url.username !== '' || url.password !== '') return wrong('must not contain a user name or password')
  return url.href.length > URL_LENGTH
    ? wrong(`must have ${URL_LENGTH} characters at most, as a URL parser writes it`)
    : good(url.href)
}

function checkColor(value: unknown): Checked<string> {
  return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)
    ? good(value.toLowerCase())
    : wrong('must be #RRGGBB')
}

function checkText(value: unknown, max: number): Checked<string> {
  if (typeof value !== 'string') return wrong('must be a text')
  if (CONTROLS.test(value)) return wrong(NO_CONTROLS)
  if (!value.isWellFormed()) return wrong('must not contain half a character')
  const text = value.trim()
  if (text === '') return wrong('must not be empty')
  // A text of more units than that has too many code points in any case, so those of a huge one are not counted.
  const length = text.length > max * 2 ? text.length : [...text].length
  return length > max ? wrong(`must have ${max} characters at most`) : good(text)
}

function checkFlag(value: unknown): Checked<boolean> {
  return typeof value === 'boolean' ? good(value) : wrong('must be true or false')
}

/** A query as routes and documents hold it: a field given twice is a list. */
export type GivenQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** Which field a name of the query sets ([branding.query.1], [branding.query.2]). */
const QUERY_NAMES: Readonly<Record<string, BrandingField>> = {
  logo: 'logoUrl',
  support: 'supportUrl',
  title: 'companyName',
  subtitle: 'subtitle',
  primary: 'primaryColor',
  bg: 'backgroundColor',
}

/**
 * Reads the look from a query ([branding.query.3] to [branding.query.6]): only what is valid, each by itself; a name
 * given twice counts by its first value. Nothing un-hides the attribution, and nothing but the look comes from a query.
 */
export function readBrandingQuery(query: GivenQuery, logos: string): Partial<Branding> {
  const read = Object.entries(QUERY_NAMES).flatMap(([name, field]): (readonly [BrandingField, unknown])[] => {
    const given = firstOf(query, name)
    if (given === undefined) return []
    const checked = checkField(field, isColor(field) && !given.startsWith('#') ? `#${given}` : given, logos)
    return checked.ok ? [[field, checked.value]] : []
  })
  const hide = firstOf(query, 'hideBranding')
  const isHidden = hide === '1' || hide === 'true'
  return { ...Object.fromEntries(read), ...(isHidden ? { hidePilotStatusBranding: true } : {}) }
}

/** True when a framed page sends the query: the embed session's look counts then ([branding.query.5]). */
export function isEmbeddedQuery(query: GivenQuery): boolean {
  return firstOf(query, 'embed') === '1'
}

function isColor(field: BrandingField): boolean {
  return field === 'primaryColor' || field === 'backgroundColor'
}

function firstOf(query: GivenQuery, name: string): string | undefined {
  const given = Object.hasOwn(query, name) ? query[name] : undefined
  return typeof given === 'object' ? given[0] : given
}
