import { invalid } from './graph-error.ts'

/** Digits of a user; a `+` and punctuation are tolerated. */
export function readUser(text: string): string {
  const digits = text.replaceAll(/[\s()+.-]/g, '')
  if (!/^\d{5,15}$/.test(digits)) throw invalid('to: has to be a phone number')
  return digits
}
