import { isFields } from './json-fields.ts'
import type { Fields } from './json-fields.ts'

/** JSON of an object, as it came and as it reads. */
export interface JsonObject {
  /** Without a byte order mark. */
  readonly text: string
  readonly fields: Fields
}

/** Reads JSON of an object in UTF-8; null: anything else. */
export function readJsonObject(bytes: Uint8Array): JsonObject | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    return isFields(value) ? { text, fields: value } : null
  } catch {
    return null
  }
}
