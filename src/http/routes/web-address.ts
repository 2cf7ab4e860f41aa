import { z } from 'zod'
import { URL_LENGTH } from '../../domain/send-body.ts'
import { canonicalAddress } from '../../domain/web-address.ts'

/**
 * An http(s) address that the service itself will open, read as `new URL(x).href`. The guard decides whether it may; it
 * also refuses user names and passwords, with its own code and the field.
 */
export function guardedAddress() {
  return z.url({ protocol: /^https?$/, normalize: true, error: 'must be an http(s) URL' }).max(URL_LENGTH)
}

/**
 * A text that may be an address. An address is read as `new URL(x).href`; any other text is left to the rules of its
 * field.
 */
export function withAddress(text: z.ZodString): z.ZodString {
  return text.overwrite(canonicalAddress)
}
