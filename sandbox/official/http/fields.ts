import { invalid } from './graph-error.ts'
import { paging } from './ordered-page.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Names asked for at the top level; names in braces are not read. */
function wanted(query: string | null, defaults: readonly string[]): readonly string[] {
  if (query === null || query.trim() === '') return defaults
  let names = query
  for (let before = ''; names !== before;) {
    before = names
    names = names.replaceAll(/\{[^{}]*\}/g, '')
  }
  return [
    'id',
    ...names
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ]
}

/**
 * The fields that `query` asks for, or `defaults` when it asks for none. Refuses (100) names that objects of this kind
 * do not have.
 */
export function pick(fields: Fields, query: string | null, defaults: readonly string[], node: string): Fields {
  const names = wanted(query, defaults)
  const unknown = names.find((name) => !(name in fields))
  if (unknown !== undefined) throw invalid(`Tried accessing nonexisting field (${unknown}) on node type (${node})`)
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}

/** A page of a list, by `limit`, `after` and `before`. `next` and `previous` are present while there is more. */
export function page(items: readonly Fields[], query: URLSearchParams, url: string): object {
  const limit = Math.max(1, Math.min(100, Number(query.get('limit') ?? 25) || 25))
  const [after, before] = [fromCursor(query.get('after')), fromCursor(query.get('before'))]
  const from = after === null ? Math.max(0, (before ?? 0) - limit) : after + 1
  const data = items.slice(from, from + limit)
  if (data.length === 0) return { data }
  const cursors = { before: toCursor(from), after: toCursor(from + data.length - 1) }
  return {
    data,
    paging: paging(query, url, cursors, { hasNext: from + data.length < items.length, hasPrevious: from > 0 }),
  }
}

function toCursor(index: number): string {
  return Buffer.from(`at ${index}`).toString('base64url')
}

function fromCursor(text: string | null): number | null {
  const [, index] = /^at (\d+)$/.exec(text === null ? '' : Buffer.from(text, 'base64url').toString()) ?? []
  return index === undefined ? null : Number(index)
}
