import { isFields } from '../../domain/json-fields.ts'
import type { Fields } from '../../domain/json-fields.ts'
import { parseLong } from '../../domain/long-integers.ts'

/** Reads the JSON text of an object; null when it is none. Integers that a number cannot hold exactly become texts of their digits. Never throws. */
export function parseWhole(text: string): Fields | null {
  try {
    const value = parseLong(text, (digits) => digits)
    return isFields(value) ? value : null
  } catch {
    return null
  }
}
