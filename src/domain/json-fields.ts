/** An object of JSON: somebody else chose its keys, `__proto__` and `constructor` among them. */
export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an own property alone, never one that every object inherits. */
export function own(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}

/** Reads an object inside another; empty when there is none. */
export function fieldsIn(fields: Fields, key: string): Fields {
  const value = own(fields, key)
  return isFields(value) ? value : {}
}

/** Reads the objects of a list; other items are left out. */
export function listIn(fields: Fields, key: string): Fields[] {
  const value = own(fields, key)
  return Array.isArray(value) ? value.filter(isFields) : []
}

/** Reads a text that is not blank, else null. */
export function textIn(fields: Fields, key: string): string | null {
  const value = own(fields, key)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** True when two values are equal as JSON, dates included; the order of keys does not matter. */
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
