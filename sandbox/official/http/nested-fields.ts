import { isFields } from '../../../src/domain/json-fields.ts'
import type { Fields } from './fields.ts'
import { invalid } from './graph-error.ts'

/** Names asked of an object, with the names asked of each in braces; null when all of it is asked. */
type Wanted = ReadonlyMap<string, Wanted | null>

/**
 * The fields that `query` asks for, or `defaults` when it asks for none, narrowed to the names in braces. Refuses (100)
 * names that objects of this kind do not have.
 */
export function pickNested(fields: Fields, query: string | null, defaults: readonly string[], node: string): Fields {
  const wanted =
    query === null || query.trim() === '' ? new Map(defaults.map((name) => [name, null])) : readWanted(query)
  const unknown = [...wanted.keys()].find((name) => !Object.hasOwn(fields, name))
  if (unknown !== undefined) throw invalid(`Tried accessing nonexisting field (${unknown}) on node type (${node})`)
  return narrowed({ ...fields }, new Map([['id', null], ...wanted]))
}

function narrowed(fields: Fields, wanted: Wanted): Fields {
  return Object.fromEntries(
    [...wanted].flatMap(([name, within]) =>
      Object.hasOwn(fields, name) ? [[name, within === null ? fields[name] : narrow(fields[name], within)]] : [],
    ),
  )
}

function narrow(value: unknown, wanted: Wanted): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => narrow(item, wanted))
  return isFields(value) ? narrowed(value, wanted) : value
}

/** Reads `a,b{c,d{e}}`. Refuses braces without a partner. */
function readWanted(query: string): Wanted {
  const stack: Map<string, Wanted | null>[] = [new Map()]
  let last: string | null = null
  for (const part of query.match(/[^,{}\s]+|[{}]/g) ?? []) {
    const level = stack.at(-1)
    if (part === '{' && last !== null && level) {
      const within = new Map<string, Wanted | null>()
      level.set(last, within)
      stack.push(within)
      last = null
    } else if (part === '}' && stack.length > 1) {
      stack.pop()
      last = null
    } else if (part !== '{' && part !== '}' && level) {
      level.set(part, null)
      last = part
    } else throw invalid(`Syntax error in fields: ${part}`)
  }
  if (stack.length !== 1) throw invalid('Syntax error in fields: a brace is not closed')
  return stack[0] ?? new Map<string, Wanted | null>()
}
