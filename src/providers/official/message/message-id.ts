import { fieldsOf, nameIn } from '../values/loose.ts'
import type { Fields } from '../../../domain/json-fields.ts'

/** The id in the answer to a message; null when it has none. */
export function messageIdOf(body: Fields): string | null {
  const list = body['messages']
  return Array.isArray(list) ? nameIn(fieldsOf(list[0]), 'id') : null
}
