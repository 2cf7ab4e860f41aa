import { z } from 'zod'
import { RefusalError } from '../../domain/errors.ts'
import { isLid } from '../../domain/identity.ts'
import type { ProviderKind } from '../../domain/number.ts'
import { readPhone } from '../../domain/phone-reading.ts'
import { isUserId, addressRefusal } from '../../domain/user-id.ts'

/** our choice: more characters than a number has with marks around each digit. */
export const TYPED_LENGTH = 200
const FORMS = "`+`, `00`, spaces, dashes and brackets are accepted, in any script's digits"

/** A phone number as clients write it, read as digits ([rest.phones.1]). */
export function phone(minDigits: number = 8): z.ZodType<string, string> {
  return z
    .string()
    .max(TYPED_LENGTH)
    .transform((text, context) => {
      const { digits, problem = `must be a phone number of ${minDigits} to 15 digits with its country code` } =
        readPhone(text)
      if (digits !== null && digits.length >= minDigits) return digits
      context.addIssue({ code: 'custom', message: problem })
      return z.NEVER
    })
    .meta({
      type: 'string',
      description: `Phone number with country code, ${minDigits} to 15 digits; ${FORMS}.`,
      examples: ['+55 11 98888-7777'],
    })
}

/**
 * A contact: a phone number, or the id of a person who hides the number. Which ids a number knows depends on its kind
 * ([official.hidden-users.1] [identities.looking-up.2]).
 */
export function contact(): z.ZodType<string, string> {
  return z
    .string()
    .max(TYPED_LENGTH)
    .transform((text, context) => {
      if (isUserId(text) || isLid(text)) return text
      const { digits, problem } = readPhone(text)
      if (digits !== null) return digits
      context.addIssue({
        code: 'custom',
        message: `${problem}; the id of a person who hides it is taken, too (OFFICIAL: US.1349..., UNOFFICIAL: 1234...@lid)`,
      })
      return z.NEVER
    })
    .meta({
      type: 'string',
      examples: ['+55 11 98888-7777'],
      description: `Phone number with country code, 8 to 15 digits; ${FORMS}. Of a person who hides the number: the id, on OFFICIAL numbers that of upstream (\`US.13491208655302741918\`), on UNOFFICIAL ones that of the device network (\`123456789012345@lid\`)`,
    })
}

/** Refuses a person's id on a kind of number that knows nobody by one. */
export function assertKnowable(provider: ProviderKind, address: string): void {
  const refusal = addressRefusal(provider, address)
  if (refusal) throw new RefusalError(refusal)
}

/** A point in time as answered: ISO 8601 in UTC. */
export const timestamp = z.string().meta({ format: 'date-time', examples: ['2026-01-05T12:00:00.000Z'] })
