import { RefusalError, refuse } from '../../domain/errors.ts'

/**
 * our choice: no body of this interface nests deeper than 6. Far beyond this limit serializers overflow their stack.
 */
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
    throw invalidJson()
  }
  requireCleanJson(value)
  return value
}

/**
 * Refuses parsed JSON as `parseJson` does, and drops its `__proto__` keys. Walks level by level instead of recursion:
 * depth is what it defends against.
 */
export function requireCleanJson(root: unknown): void {
  let level: object[] = []
  const look = (value: unknown): void => {
    if (typeof value === 'string') requireStorable(value)
    else if (typeof value === 'object' && value !== null) level.push(value)
  }
  look(root)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= MAX_DEPTH) throw invalidJson(`The body nests deeper than ${MAX_DEPTH}`)
    const containers = level
    level = []
    for (const container of containers) {
      if (Array.isArray(container)) container.forEach(look)
      else cleanObject(container as Record<string, unknown>, look)
    }
  }
}

function cleanObject(object: Record<string, unknown>, look: (value: unknown) => void): void {
  if (Object.hasOwn(object, '__proto__')) Reflect.deleteProperty(object, '__proto__')
  for (const key of Object.keys(object)) {
    requireStorable(key)
    look(object[key])
  }
}

/** Refuses text that PostgreSQL cannot hold. */
export function requireStorable(text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw invalidJson('The body holds a NUL character or half of a surrogate pair')
}

/** The refusal of a body that is no JSON, or cannot be stored ([rest.errors.6]). */
export function invalidJson(message: string = 'The body is not valid JSON'): RefusalError {
  return new RefusalError(refuse('INVALID_JSON', message))
}
