import { isFields } from './json-fields.ts'
import type { Fields } from './json-fields.ts'

/** An object of JSON, as text and as values. */
export interface JsonObject {
  /** The text without a byte order mark. */
  readonly text: string
  readonly fields: Fields
}

/** Reads an object of JSON in UTF-8; null when the bytes are anything else. */
export function readJsonObject(bytes: Uint8Array): JsonObject | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    return isFields(value) ? { text, fields: value } : null
  } catch {
    return null
  }
}
