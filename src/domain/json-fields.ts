/** An object as JSON has it: keys that somebody else chose, `__proto__` and `constructor` among them. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What an object says itself: nothing of what every object inherits. */
export function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

/** An object inside another; empty when there is none. */
export function fieldsIn(fields: Fields, key: string): Fields {
  const value = own(fields, key)
  return isFields(value) ? value : {}
}

/** The objects of a list; what else stands there is left out. */
export function listIn(fields: Fields, key: string): Fields[] {
  const value = own(fields, key)
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** A text that says something, else null. */
export function textIn(fields: Fields, key: string): string | null {
  const value = own(fields, key)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Whether two values say the same, as JSON has them, dates included; the order of keys says nothing. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (one instanceof Date || other instanceof Date)
    return one instanceof Date && other instanceof Date && one.getTime() === other.getTime()
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => isSameJson(item, other[at]))
  if (!isFields(one) || !isFields(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length
    && keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  )
}
