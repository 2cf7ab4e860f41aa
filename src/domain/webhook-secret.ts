import { randomness } from './randomness.ts'

/** Standard Webhooks: a symmetric secret is `whsec_` and base64 of 24 to 64 bytes. */
const LEAD = 'whsec_'
const MIN_BYTES = 24
const MAX_BYTES = 64
const MADE_BYTES = 32

/** Makes a webhook's signing secret: `whsec_` + base64 of 32 random bytes ([webhooks.object.3]). */
export function makeSecret(): string {
  return LEAD + randomness().bytes(MADE_BYTES).toString('base64')
}

/** Gives the bytes that sign: base64 behind the lead, if the secret has one. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.startsWith(LEAD) ? secret.slice(LEAD.length) : secret, 'base64')
}

/** True for `whsec_` and canonical base64 of 24 to 64 bytes, which every verifier reads as the same bytes. */
export function isSecret(text: string): boolean {
  if (!text.startsWith(LEAD)) return false
  const encoded = text.slice(LEAD.length)
  const bytes = Buffer.from(encoded, 'base64')
  return bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES && bytes.toString('base64') === encoded
}
