import { own } from '../../../src/domain/json-fields.ts'
import { GraphError } from '../http/graph-error.ts'
import { paging } from '../objects/fields.ts'
import type { Fields } from '../objects/fields.ts'
import type { PlatformTemplate } from './template.ts'

/** Upstream: templates on a page, unless `limit` says another number. */
const DEFAULT_LIMIT = 25
const MAX_LIMIT = 100

function textOf({ components }: PlatformTemplate): string {
  return components.map((component) => own(component, 'text')).filter((text) => typeof text === 'string').join('\n')
}

function has(part: string, whole: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase())
}

/** Filters by their names in the query. Names and contents are found by parts of them. */
const FILTERS: Readonly<Record<string, (template: PlatformTemplate, wanted: string) => boolean>> = {
  name: ({ name }, wanted) => has(wanted, name),
  content: (template, wanted) => has(wanted, textOf(template)),
  name_or_content: (template, wanted) => has(wanted, `${template.name}\n${textOf(template)}`),
  language: ({ language }, wanted) => language === wanted,
  status: ({ status }, wanted) => status === wanted.toUpperCase(),
  category: ({ category }, wanted) => category === wanted.toUpperCase(),
  quality_score: ({ quality }, wanted) => quality === wanted.toUpperCase(),
}

function toCursor({ order }: PlatformTemplate): string {
  return Buffer.from(`template ${order}`).toString('base64url')
}

/** The place in the order that a cursor marks; null without one. */
function fromCursor(text: string | null): number | null {
  if (text === null || text === '') return null
  const [, order] = /^template (\d+)$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (order === undefined) throw new GraphError(100, { message: '(#100) Invalid cursors values were passed to the request' })
  return Number(order)
}

function limitOf(query: URLSearchParams): number {
  const text = query.get('limit')
  if (text === null) return DEFAULT_LIMIT
  if (!/^[1-9]\d*$/.test(text)) throw new GraphError(100, { message: '(#100) Param limit must be a positive integer' })
  return Math.min(MAX_LIMIT, Number(text))
}

/** Of templates, newest first, those between the cursors: the first ones behind `after`, or the last ones before `before`. */
function cut(templates: readonly PlatformTemplate[], query: URLSearchParams): readonly PlatformTemplate[] {
  const [after, before, limit] = [fromCursor(query.get('after')), fromCursor(query.get('before')), limitOf(query)]
  if (after === null && before !== null) return templates.filter(({ order }) => order > before).slice(-limit)
  const from = after === null ? 0 : templates.findIndex(({ order }) => order < after)
  return from < 0 ? [] : templates.slice(from, from + limit)
}

/**
 * A page of templates, given newest first. Cursors hold where templates come and go; there is a `next` while more follows. `url` has no query.
 */
export function listTemplates(all: readonly PlatformTemplate[], query: URLSearchParams, url: string, present: (template: PlatformTemplate) => Fields): object {
  const wanted = Object.entries(FILTERS).flatMap(([name, filter]) => {
    const value = query.get(name)
    return value === null || value === '' ? [] : [(template: PlatformTemplate) => filter(template, value)]
  })
  const found = wanted.length === 0 ? all : all.filter((template) => wanted.every((isWanted) => isWanted(template)))
  const shown = cut(found, query)
  const [first, last] = [shown[0], shown.at(-1)]
  if (!first || !last) return { data: [] }
  const cursors = { before: toCursor(first), after: toCursor(last) }
  return { data: shown.map(present), paging: paging(query, url, cursors, { hasNext: found.at(-1) !== last, hasPrevious: found[0] !== first }) }
}
