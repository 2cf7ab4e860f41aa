import { z } from 'zod'
import { RefusalError } from '../../domain/errors.ts'
import type { ProviderKind } from '../../domain/number.ts'
import { readPhone } from '../../domain/phone-reading.ts'
import { isUserId, userIdRefusal } from '../../domain/user-id.ts'

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
 * A contact: a phone number, or upstream's id of a user who hides the number, which only OFFICIAL numbers know
 * ([official.hidden-users.1]).
 */
export function contact(): z.ZodType<string, string> {
  return z
    .string()
    .max(TYPED_LENGTH)
    .transform((text, context) => {
      if (isUserId(text)) return text
      const { digits, problem } = readPhone(text)
      if (digits !== null) return digits
      context.addIssue({
        code: 'custom',
        message: `${problem}; on OFFICIAL numbers the id of a user who hides it is taken, too (US.1349...)`,
      })
      return z.NEVER
    })
    .meta({
      type: 'string',
      examples: ['+55 11 98888-7777'],
      description: `Phone number with country code, 8 to 15 digits; ${FORMS}. OFFICIAL numbers: also upstream's id of a user who hides the number (\`US.13491208655302741918\`)`,
    })
}

/** Refuses a user's id on a kind of number whose contacts have none. */
export function assertKnowable(provider: ProviderKind, address: string): void {
  const refusal = userIdRefusal(provider, address)
  if (refusal) throw new RefusalError(refusal)
}

/** A point in time as answered: ISO 8601 in UTC. */
export const timestamp = z.string().meta({ format: 'date-time', examples: ['2026-01-05T12:00:00.000Z'] })
