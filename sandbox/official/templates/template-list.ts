import { own } from '../../../src/domain/json-fields.ts'
import type { Fields } from '../http/fields.ts'
import { orderedPage } from '../http/ordered-page.ts'
import type { PlatformTemplate } from './template.ts'

function textOf({ components }: PlatformTemplate): string {
  return components
    .map((component) => own(component, 'text'))
    .filter((text) => typeof text === 'string')
    .join('\n')
}

function has(part: string, whole: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase())
}

/** Filters by their names in the query. Names and contents match by a part of them. */
const FILTERS: Readonly<Record<string, (template: PlatformTemplate, wanted: string) => boolean>> = {
  name: ({ name }, wanted) => has(wanted, name),
  content: (template, wanted) => has(wanted, textOf(template)),
  name_or_content: (template, wanted) => has(wanted, `${template.name}\n${textOf(template)}`),
  language: ({ language }, wanted) => language === wanted,
  status: ({ status }, wanted) => status === wanted.toUpperCase(),
  category: ({ category }, wanted) => category === wanted.toUpperCase(),
  quality_score: ({ quality }, wanted) => quality === wanted.toUpperCase(),
}

/** A page of the templates that the query matches, given newest first. `url` is without its query. */
export function listTemplates(
  all: readonly PlatformTemplate[],
  query: URLSearchParams,
  url: string,
  present: (template: PlatformTemplate) => Fields,
): object {
  const wanted = Object.entries(FILTERS).flatMap(([name, filter]) => {
    const value = query.get(name)
    return value === null || value === '' ? [] : [(template: PlatformTemplate) => filter(template, value)]
  })
  const found = wanted.length === 0 ? all : all.filter((template) => wanted.every((isWanted) => isWanted(template)))
  return orderedPage(found, query, url, present)
}
