import { isFields } from '../../../domain/json-fields.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import { parseLong } from '../../../domain/long-integers.ts'
import { storableJson } from '../../../domain/storable.ts'

/**
 * Parses the JSON text of an object; null when it is none. Integers beyond 2^53 become texts of their digits, and every
 * value can be stored. Never throws.
 */
export function parseWhole(text: string): Fields | null {
  try {
    const value = storableJson(parseLong(text, (digits) => digits))
    return isFields(value) ? value : null
  } catch {
    return null
  }
}
