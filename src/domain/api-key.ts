import { crc32 } from 'node:zlib'
import { randomness } from './randomness.ts'

/** A raw key is `cms_`, 32 random bytes as base64url, then the CRC-32 of all that in base62 ([keys.form.1]). */
const LEAD = 'cms_'
const SECRET_BYTES = 32
const CHECK_LENGTH = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORM = /^cms_[\w-]{43}[\dA-Za-z]{6}$/

/** What a key acts for: its tenant ([keys.scopes.2]), or one number ([keys.scopes.1]). */
export const KEY_SCOPES = ['TENANT', 'NUMBER'] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

/** Computes the CRC-32 (IEEE) in base62, most significant digit first, padded with `0` ([keys.form.2]). */
function checkOf(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text = BASE62.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Makes a raw API key with 256 bits of randomness. */
export function generateApiKey(): string {
  const body = LEAD + randomness().bytes(SECRET_BYTES).toString('base64url')
  return body + checkOf(body)
}

/**
 * True when the text has the form and the checksum of a key, so that a typo is refused without a look-up
 * ([keys.form.3]).
 */
export function isWellFormedApiKey(text: string): boolean {
  return FORM.test(text) && text.slice(-CHECK_LENGTH) === checkOf(text.slice(0, -CHECK_LENGTH))
}

/** The part of a key that is shown to tell it from others: its first 8 characters ([keys.form.5]). */
export function keyPrefix(raw: string): string {
  return raw.slice(0, 8)
}

/** The last four characters of a key, which lists show as `keyLast4` ([keys.routes.4]). */
export function keyLast4(raw: string): string {
  return raw.slice(-4)
}
