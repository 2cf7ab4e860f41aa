import { isFields } from '../../domain/json-fields.ts'

/** Marks a field that is taken beside another that means the same. */
const MARK = 'x-other-name-of'

/**
 * What documents are told of a field that repeats another one under a second name: nothing, because `phoneNumber`
 * beside `phone_number` are one name to generators of clients.
 */
export function otherName(of: string): Record<string, string> {
  return { [MARK]: of }
}

export function isOtherName(schema: unknown): boolean {
  return isFields(schema) && MARK in schema
}

/** The document without those fields. */
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
