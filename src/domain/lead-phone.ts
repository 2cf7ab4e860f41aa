import { parsePhoneNumberFromString as parsePhoneNumber } from 'libphonenumber-js/min'
import type { PhoneNumber } from 'libphonenumber-js/min'
import { toDigits, toE164 } from './phone.ts'

/**
 * Reads what somebody typed as a phone number (contract 12, Stored), as digits with the country code. Without `+` it is of the country of the channel
 * number (digits). Null: it is none. Our choice: a length that the country has is enough, as numbers are given out faster than tables of them; a number
 * of another country that is typed without `+` has to be one that is given out, as what looks like its country may be something else.
 */
export function readLeadPhone(typed: string, channelNumber: string): string | null {
  const text = typed.trim()
  if (text.startsWith('+')) return toDigits(text)
  const home = parsePhoneNumber(toE164(channelNumber))
  if (home === undefined) return null
  const read = readAt(home, text)
  if (read?.isValid()) return toDigits(read.number)
  const abroad = readAbroad(text)
  if (abroad?.isValid()) return toDigits(abroad.number)
  return read?.isPossible() && read.countryCallingCode === home.countryCallingCode ? toDigits(read.number) : null
}

/** A number that is typed without its country, or is dialled as abroad, as where the channel number is. */
function readAt({ country, countryCallingCode }: PhoneNumber, text: string): PhoneNumber | undefined {
  // Countries that share a calling code are told apart by numbers that are given out; others leave the code alone.
  return parsePhoneNumber(text, { ...(country === undefined ? { defaultCallingCode: countryCallingCode } : { defaultCountry: country }), extract: false })
}

/** `00` for `+`, which people type where another prefix is dialled, too. In Brazil a carrier belongs behind it: the country would be taken for one. */
function readAbroad(text: string): PhoneNumber | undefined {
  return text.startsWith('00') ? parsePhoneNumber(`+${text.slice(2)}`, { extract: false }) : undefined
}
