import { parsePhoneNumberFromString as parsePhoneNumber } from 'libphonenumber-js/min'
import type { PhoneNumber } from 'libphonenumber-js/min'
import { otherForms } from './phone-forms.ts'
import { isPlainlyPossible } from './phone-lengths.ts'
import { toDigits, toE164 } from './phone.ts'

/** A number as digits with its country code, or in words why nothing can be sent to the text. */
export type PhoneReading =
  | { readonly digits: string; readonly problem?: undefined; readonly fault?: undefined }
  | { readonly digits: null; readonly problem: string; readonly fault: PhoneFault }

/**
 * What is wrong with a number, for pages that say it in their own words: it is none, its country is missing, or it may
 * have a zero too many.
 */
export type PhoneFault = 'form' | 'country' | 'zero'

const NO_PHONE: PhoneReading = none('form', 'must be a phone number of 8 to 15 digits with its country code')
const NO_COUNTRY: PhoneReading = none(
  'country',
  'must begin with its country code, which never begins with 0 (+44 20 7946 0958, not 020 7946 0958)',
)
const ZERO_IN_DOUBT: PhoneReading = none(
  'zero',
  'must be written without the zero that is dialled at home alone (+44 20 7946 0958, not +44 (0)20 7946 0958): it cannot be told here',
)

const IMPOSSIBLE: PhoneReading = none(
  'form',
  'must be a number that its country can have: it has too many or too few digits',
)

/** The digits of a number that may be one: E.164 allows 15 at most. */
const PLAIN_DIGITS = /^\d{8,15}$/

/** A trunk zero, which is dialled only at home, as it is written behind a country code. */
const HOME_ZERO = /\( *0 *\)/

function none(fault: PhoneFault, problem: string): PhoneReading {
  return { digits: null, problem, fault }
}

/**
 * Reads a phone number as somebody typed or pasted it ([rest.phones.1]): in any script's digits, with any dash, with
 * invisible marks, `00` for `+`, with the trunk zero that is dialled only at home (`+44 (0)20`). It never gives another
 * number than the one meant: a text that could mean two is refused, as is a number of more or fewer digits than its
 * country has ([identities.digits.3]), and the problem says what to write.
 */
export function readPhone(typed: string): PhoneReading {
  // Most numbers are read here: the recipients of sends.
  const plain = typed.startsWith('+') ? typed.slice(1) : typed
  if (PLAIN_DIGITS.test(plain) && isPlainlyPossible(plain)) return { digits: plain }
  const text = plainText(typed)
  if (text === null) return NO_PHONE
  const dialled = dialledAbroad(text)
  const isDialled = dialled !== null
  const digits = dialled ?? text.replaceAll(/\D/g, '')
  if (digits.startsWith('0')) return NO_COUNTRY
  if (digits.length < 8) return NO_PHONE
  const zero = HOME_ZERO.exec(text)
  if (zero) return readZero(digits, text.slice(0, zero.index).replaceAll(/\D/g, '').length - (isDialled ? 2 : 0))
  const read = parsePhoneNumber(toE164(digits), { extract: false })
  // The tables of numbers do not know the country; the upstream may.
  if (read === undefined) return isDialled ? NO_COUNTRY : readAs(digits)
  return readKnown(digits, read)
}

/** The digits behind the `00` that is dialled for `+`, however they are written apart; null without it. */
function dialledAbroad(text: string): string | null {
  const all = text.replaceAll(/\D/g, '')
  return !text.startsWith('+') && all.startsWith('00') ? all.slice(2) : null
}

/**
 * Reads digits of a country that the tables of numbers know. `read` is what they hold them for, without what is dialled
 * at home alone: the zero behind the country code where the country has one (Italy has none: its zero belongs to the
 * number), that zero with more (`+54 011 15`), or another such prefix.
 */
function readKnown(digits: string, read: PhoneNumber): PhoneReading {
  const isAsTyped = read.number === toE164(digits)
  // The upstream keeps digits that a country gave up (Mexico).
  if ((isAsTyped && read.isPossible()) || isKept(digits)) return readAs(digits)
  const isZero = digits.startsWith(`${read.countryCallingCode}0`)
  if (!isAsTyped && (read.isValid() || (isZero && isWhole(read)))) return readAs(read.number)
  return digits.length > MOST_DIGITS ? NO_PHONE : IMPOSSIBLE
}

/** True of a number that its country can have as it is: with one zero less it may still begin with another. */
function isWhole(read: PhoneNumber): boolean {
  return read.isPossible() && parsePhoneNumber(read.number, { extract: false })?.number === read.number
}

/** E.164 allows no more. */
const MOST_DIGITS = 15

/** True of digits that are another form of a number that its country can have. */
function isKept(digits: string): boolean {
  return otherForms(digits).some((form) => parsePhoneNumber(toE164(form), { extract: false })?.isPossible())
}

/**
 * Reads the digits of a phone number that nothing is sent to, as somebody typed it: one that its country cannot have is
 * taken too, because upstream may know it. Null when the text is no number.
 */
export function phoneDigits(typed: string): string | null {
  const reading = readPhone(typed)
  if (reading !== IMPOSSIBLE) return reading.digits
  const text = plainText(typed) ?? ''
  return toDigits(dialledAbroad(text) ?? text)
}

/**
 * Gives the digits to search for a number, or a part of one, as somebody typed it, without the zeros that are dialled
 * in front. Empty when the text is no number.
 */
export function digitsToFind(typed: string): string {
  const part = (plainText(typed) ?? '').replace(HOME_ZERO, '').replaceAll(/\D/g, '').replace(/^00?/, '')
  return phoneDigits(typed) ?? part
}

function readAs(text: string): PhoneReading {
  const digits = toDigits(text)
  return digits === null ? NO_PHONE : { digits }
}

/** Reads a number whose zero at `index` stands in brackets: some countries keep it (Italy), most drop it. */
function readZero(digits: string, index: number): PhoneReading {
  const without = digits.slice(0, index) + digits.slice(index + 1)
  const [kept, gone] = [digits, without].map((one) => parsePhoneNumber(toE164(one), { extract: false }))
  if (kept?.isValid()) return readAs(kept.number)
  if (gone?.isValid()) return readAs(gone.number)
  return kept?.isPossible() && kept.number === toE164(without) ? readAs(without) : ZERO_IN_DOUBT
}

/**
 * Reads what somebody typed into the form of a lead ([leads.stored.8]), as digits with the country code. Without `+` it
 * belongs to the country of the channel number (digits). Null when it is no number. Our choice: a length that the
 * country has is enough, since numbers are assigned faster than tables of them are; a number of another country without
 * `+` must be an assigned one, since its apparent country code may be something else.
 */
export function readLeadPhone(typed: string, channelNumber: string): string | null {
  const text = plainText(typed)
  if (text === null) return null
  if (text.startsWith('+')) return readPhone(text).digits
  const home = parsePhoneNumber(toE164(channelNumber))
  if (home === undefined) return null
  const read = readAt(home, text)
  if (read?.isValid()) return toDigits(read.number)
  // People type `00` for `+` even where another prefix is dialled. In Brazil a carrier code follows the prefix: the
  // parser would take the country for one.
  const dialled = dialledAbroad(text)
  const abroad = dialled === null ? undefined : parsePhoneNumber(toE164(dialled), { extract: false })
  if (abroad?.isValid()) return toDigits(abroad.number)
  return read?.isPossible() && read.countryCallingCode === home.countryCallingCode ? toDigits(read.number) : null
}

/**
 * Reads a number that is typed without its country, or with the prefix for calls abroad, as dialled where the channel
 * number is.
 */
function readAt({ country, countryCallingCode }: PhoneNumber, text: string): PhoneNumber | undefined {
  // Countries that share a calling code are told apart by assigned numbers; other numbers of such a code name none.
  return parsePhoneNumber(text, {
    ...(country === undefined ? { defaultCallingCode: countryCallingCode } : { defaultCountry: country }),
    extract: false,
  })
}

/** Our choice, in characters: a number with a mark around each digit is shorter. */
const TYPED_LENGTH = 200

/** Format characters, and all others that no font draws: selectors of an emoji's look, fillers, joiners. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Dashes of any width, minus signs, and the long vowel of kana, which stands for a dash between digits. */
const DASHES = /[\p{Pd}\u2212\u2043\u2796\u30FC\uFF65\uFF70]/gu
/** Signs that stand for "to": the text behind one is the end of a second number (`555 000 1000〜1001`). */
const RANGES = /[~\u223C\u301C\u3030\uFF5E]/u

/**
 * Writes a number in ASCII: digits, spaces, `+` in front and `( ) . - /`. Null when the text holds anything else, such
 * as letters, a second number or a second line. Invisible characters are dropped, as are the brackets around `(+44)`
 * and the scheme of a copied link (RFC 3966).
 */
export function plainText(typed: string): string | null {
  if (typed.length > TYPED_LENGTH || RANGES.test(typed)) return null
  if (/^\+?\d+$/.test(typed)) return typed
  const text = typed
    .replaceAll(UNSEEN, '')
    .trim()
    .replaceAll(/[^\P{Nd}0-9]/gu, digitOf)
    .replaceAll(/[\p{Zs}\t]/gu, ' ')
    .replaceAll(DASHES, '-')
    .replaceAll(/[＋﹢⁺➕]/gu, '+')
    .replaceAll(/[[{［（｛⟨〈《「『【〔〖]/g, '(')
    .replaceAll(/[\]}］）｝⟩〉》」』】〕〗]/g, ')')
    .replaceAll(/[．·•∙‧⋅・･。｡]/g, '.')
    .replaceAll(/[／⁄∕]/g, '/')
    .replace(/^tel: */i, '')
    .replace(/^\( *\+([\d ]+)\)/, '+$1')
  return /^\+?[\d ().\-/]+$/.test(text) && !SECOND_NUMBER.test(text) ? text : null
}

/**
 * Finds the end of a second number behind a slash (`555 000 1000/1001`). Some countries write a slash behind the area
 * code, so one with more than four digits behind it is none.
 */
const SECOND_NUMBER = /\/\D*(?:\d\D*){0,4}$/

/** The value of a decimal digit of any script: Unicode keeps the ten of a script side by side, 0 first. */
function digitOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  let before = 0
  while (/^\p{Nd}$/u.test(String.fromCodePoint(point - before - 1))) before++
  return String(before % 10)
}
