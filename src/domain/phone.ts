/**
 * Reads a phone number: `+`, spaces and punctuation are accepted, digits are kept ([rest.phones.1]). Null unless 8 to
 * 15 digits remain (E.164 allows 15 at most).
 */
export function toDigits(input: string): string | null {
  const text = input.trim()
  if (!/^\+?[\d\s().\-/]+$/.test(text)) return null
  const digits = text.replaceAll(/\D/g, '')
  return digits.length >= 8 && digits.length <= 15 ? digits : null
}

/** Writes digits as E.164 with `+`, the form of events ([rest.phones.2]). */
export function toE164(digits: string): string {
  return `+${digits}`
}

/** Hides all but the last four digits ([pairing.routes.1]). */
export function maskNumber(digits: string): string {
  return digits.slice(-4).padStart(digits.length, '*')
}
