import { z } from 'zod'
import { toDigits } from '../../domain/phone.ts'

/** A phone number as clients write it, read as digits (contract 2). */
export function phone(minDigits: number = 8): z.ZodType<string, string> {
  return z.string().max(40).transform((text, context) => {
    const digits = toDigits(text)
    if (digits !== null && digits.length >= minDigits) return digits
    context.addIssue({ code: 'custom', message: `must be a phone number of ${minDigits} to 15 digits with its country code` })
    return z.NEVER
  }).meta({ type: 'string', description: `Phone number with country code; \`+\` and punctuation are accepted. ${minDigits} to 15 digits.`, examples: ['+55 11 98888-7777'] })
}

/** A point in time as answered: ISO 8601 in UTC. */
export const timestamp = z.string().meta({ format: 'date-time', examples: ['2026-01-05T12:00:00.000Z'] })
