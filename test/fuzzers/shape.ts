/** Our choice: so deep is looked into a value, and so many kinds of items of a list are told. */
const DEEPEST = 4
const MOST_ITEMS = 3
/** What names a kind of thing, as `text` or `OPEN`. */
const KIND = /^([a-z]{2,12}|[A-Z_]{2,16})$/

/** The shape of what a reader found: which fields there are, and of what kind; not what they say. */
export function shapeOf(value: unknown, depth: number = DEEPEST): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'string' && KIND.test(value)) return value
  if (typeof value !== 'object') return typeof value
  if (depth === 0) return '…'
  if (value instanceof Uint8Array || value instanceof Date) return value.constructor.name
  if (Array.isArray(value)) {
    const kinds = [...new Set(value.slice(0, MOST_ITEMS * 4).map((item) => shapeOf(item, depth - 1)))]
    return `[${kinds.slice(0, MOST_ITEMS).join(',')}]`
  }
  return `{${Object.entries(value)
    .map(([name, field]) => `${name}:${shapeOf(field, depth - 1)}`)
    .join(',')}}`
}

/** A sentence without what it repeats of the input. */
export function sentenceOf(text: string): string {
  return text.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|\d+/g, '#').slice(0, 80)
}
