import { z } from 'zod'

/**
 * What may stand in an HTTP header (RFC 9110, 5.5): no line breaks, no other control characters but tabs, and no
 * characters beyond Latin-1.
 */
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/
/** RFC 9110, 5.1. */
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/

/** True when a text can be a header's value. */
export function isHeaderValue(text: string): boolean {
  return VALUE.test(text)
}

/** A text that is sent as the value of a header. */
export const headerValue = z.string().regex(VALUE, 'has characters that a header cannot have, such as line breaks')

/** Headers by their names. */
export const headerFields = z.record(z.string().regex(NAME, 'is no name of a header'), headerValue)
