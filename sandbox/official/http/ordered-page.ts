import { GraphError } from './graph-error.ts'

/** Upstream's size of a page, unless `limit` names another. */
const DEFAULT_LIMIT = 25
const MAX_LIMIT = 100

/** Something with a rising place in the order of creation. */
export interface Ordered {
  readonly order: number
}

function toCursor({ order }: Ordered): string {
  return Buffer.from(`made ${order}`).toString('base64url')
}

/** The place that a cursor marks; null without a cursor. */
function fromCursor(text: string | null): number | null {
  if (text === null || text === '') return null
  const [, order] = /^made (\d+)$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (order === undefined)
    throw new GraphError(100, { message: '(#100) Invalid cursors values were passed to the request' })
  return Number(order)
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return DEFAULT_LIMIT
  if (!/^[1-9]\d*$/.test(text)) throw new GraphError(100, { message: '(#100) Param limit must be a positive integer' })
  return Math.min(MAX_LIMIT, Number(text))
}

/**
 * Takes the things between the cursors, newest first: the first ones after `after`, or the last ones before `before`.
 */
function cut<T extends Ordered>(things: readonly T[], query: URLSearchParams): readonly T[] {
  const [after, before, limit] = [fromCursor(query.get('after')), fromCursor(query.get('before')), limitOf(query)]
  if (after === null && before !== null) return things.filter(({ order }) => order > before).slice(-limit)
  const from = after === null ? 0 : things.findIndex(({ order }) => order < after)
  return from < 0 ? [] : things.slice(from, from + limit)
}

/**
 * The paging of a page that `query` asked for: its cursors, and the links of its neighbours. `url` is without its
 * query.
 */
export function paging(
  query: URLSearchParams,
  url: string,
  cursors: { readonly before: string; readonly after: string },
  { hasNext, hasPrevious }: { readonly hasNext: boolean; readonly hasPrevious: boolean },
): object {
  const link = (name: 'after' | 'before'): string => {
    const target = new URLSearchParams(query)
    target.delete('after')
    target.delete('before')
    target.set(name, cursors[name])
    return `${url}?${target.toString()}`
  }
  return { cursors, ...(hasNext ? { next: link('after') } : {}), ...(hasPrevious ? { previous: link('before') } : {}) }
}

/**
 * A page of things, given newest first. Cursors stay valid while things come and go; `next` is present while more
 * follows. `url` is without its query.
 */
export function orderedPage<T extends Ordered>(
  found: readonly T[],
  query: URLSearchParams,
  url: string,
  present: (thing: T) => object,
): object {
  const shown = cut(found, query)
  const [first, last] = [shown[0], shown.at(-1)]
  if (!first || !last) return { data: [] }
  const cursors = { before: toCursor(first), after: toCursor(last) }
  return {
    data: shown.map(present),
    paging: paging(query, url, cursors, { hasNext: found.at(-1) !== last, hasPrevious: found[0] !== first }),
  }
}
