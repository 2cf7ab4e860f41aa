import type { z } from 'zod'
import type { NumberSettings } from '../../../domain/number.ts'
import type { settingsInput } from './schema.ts'

/** The keys that were sent: an absent key leaves a setting as it is, null resets it. */
export function sentSettings(input: z.output<typeof settingsInput> | undefined): Partial<NumberSettings> {
  return Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value !== undefined))
}
