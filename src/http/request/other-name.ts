import { isFields } from '../../domain/json-fields.ts'

/** Marks a field that is accepted as a second name of another one. */
const MARK = 'x-other-name-of'

/**
 * Marks a field that repeats another one under a second name. Documents leave it out, because generators of clients
 * read `phoneNumber` and `phone_number` as one name.
 */
export function otherName(of: string): Record<string, string> {
  return { [MARK]: of }
}

export function isOtherName(schema: unknown): boolean {
  return isFields(schema) && MARK in schema
}

/** The document without the fields that are second names. */
export function withoutOtherNames<T>(document: T): T {
  return without(document) as T
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without)
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => !isOtherName(part))
      .map(([name, part]) => [name, without(part)]),
  )
}
