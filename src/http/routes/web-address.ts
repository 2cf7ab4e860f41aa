import { z } from 'zod'
import { URL_LENGTH } from '../../domain/send-body.ts'
import { canonicalAddress } from '../../domain/web-address.ts'

/**
 * An http(s) address that the service itself goes to, read as `new URL(x).href`. The guard says whether it may: user
 * names and passwords are refused there, with its code and the field.
 */
export function guardedAddress() {
  return z.url({ protocol: /^https?$/, normalize: true, error: 'must be an http(s) URL' }).max(URL_LENGTH)
}

/** A text that may be an address: one is read as `new URL(x).href`, any other stays for the rules of its field. */
export function withAddress(text: z.ZodString): z.ZodString {
  return text.overwrite(canonicalAddress)
}
