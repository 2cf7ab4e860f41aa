import { beginningOf } from '../../src/domain/characters.ts'

/**
 * The text of a field of at most `most` characters, counted in code points as the service does: the browser's own limit
 * counts an emoji twice. Characters beyond the limit are removed from the field.
 */
export function typed(field: { value: string }, most: number): string {
  const text = beginningOf(field.value, most)
  if (text !== field.value) field.value = text
  return text
}
