import type { Fault } from '../fault.ts'

/**
 * Finds what stands a second time in a message ([message-verbs.modes.9]): a fault at field `field` of each repetition.
 * The peer's choice comes back by these texts, and nobody can tell two of them apart.
 */
export function repeats<T extends { readonly path: string }>(
  items: readonly T[],
  keyOf: (item: T) => string,
  field: string,
  others: string,
): Fault[] {
  const seen = new Set<string>()
  return items.flatMap((item) => {
    const key = keyOf(item)
    if (seen.has(key))
      return [{ path: field === '' ? item.path : `${item.path}.${field}`, message: `must differ from ${others}` }]
    seen.add(key)
    return []
  })
}
