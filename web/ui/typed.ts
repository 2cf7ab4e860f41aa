import { beginningOf } from '../../src/domain/characters.ts'

/**
 * What is typed into a field that holds `most` characters. They are counted as the service counts them, by code points:
 * the limit that a browser keeps by itself counts an emoji twice. What does not fit is taken out of the field.
 */
export function typed(field: { value: string }, most: number): string {
  const text = beginningOf(field.value, most)
  if (text !== field.value) field.value = text
  return text
}
