import { RefusalError, refuse } from '../domain/errors.ts'

/** Our choice: no body of this interface nests deeper than 6; beyond this, serializers overflow their stack. */
const MAX_DEPTH = 64

/**
 * Parses a body of JSON text. Refuses (400 INVALID_JSON) what is malformed, no UTF-8, nested too
 * deep, or holds what PostgreSQL cannot: NUL characters and lone surrogates, in keys and values.
 * `__proto__` keys are dropped, so that no later copy can reach a prototype.
 */
export function parseJson(bytes: Buffer): unknown {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw invalid('The body is not valid JSON')
  }
  clean(value)
  return value
}

/** Walks with a list of its own instead of recursion: depth is what it defends against. */
function clean(root: unknown): void {
  const waiting: { value: unknown, depth: number }[] = [{ value: root, depth: 0 }]
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    const { value, depth } = entry
    if (typeof value === 'string') requireStorable(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth >= MAX_DEPTH) throw invalid(`The body nests deeper than ${MAX_DEPTH}`)
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
    if (!Array.isArray(value)) Object.keys(value).forEach(requireStorable)
    for (const child of Object.values(value)) waiting.push({ value: child, depth: depth + 1 })
  }
}

function requireStorable(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw invalid('The body holds a NUL character or half of a surrogate pair')
}

function invalid(message: string): RefusalError {
  return new RefusalError(refuse('INVALID_JSON', message))
}
