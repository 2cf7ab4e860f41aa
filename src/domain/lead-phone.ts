import { parsePhoneNumberFromString as parsePhoneNumber } from 'libphonenumber-js/min'
import type { CountryCode } from 'libphonenumber-js/min'
import { toDigits, toE164 } from './phone.ts'

/** How a number is read that is typed without its country: as at home, where the channel number is. */
function homeOf(channelNumber: string): { readonly defaultCountry: CountryCode } | { readonly defaultCallingCode: string } | null {
  const home = parsePhoneNumber(toE164(channelNumber))
  if (home === undefined) return null
  // Countries that share a calling code are told apart by numbers that are given out; others leave the code alone.
  return home.country === undefined ? { defaultCallingCode: home.countryCallingCode } : { defaultCountry: home.country }
}

/**
 * Reads what somebody typed as a phone number (contract 12, Stored), as digits with the country code. Without `+` it is of the country of the channel
 * number (digits). Null: it is none. Our choice: a length that the country has is enough, as numbers are given out faster than tables of them.
 */
export function readLeadPhone(typed: string, channelNumber: string): string | null {
  const text = typed.trim()
  if (text.startsWith('+')) return toDigits(text)
  const home = homeOf(channelNumber)
  const read = home && parsePhoneNumber(text, { ...home, extract: false })
  return read?.isPossible() ? toDigits(read.number) : null
}
