import { astray, doubled, type Citation } from './citations.ts'
import type { Page } from './page.ts'

/** The report on all pages and citations. */
export interface Report {
  readonly lines: readonly string[]
  /** Whether every citation names a rule, and the pages are well formed. */
  readonly isSound: boolean
}

function uncitedLines({ path, clauses }: Page, cited: ReadonlySet<string>): string[] {
  const uncited = clauses.filter(({ mark }) => !cited.has(mark))
  if (uncited.length === 0) return []
  return [
    `${path}: ${uncited.length} of ${clauses.length} cited by no test`,
    ...uncited.map(({ mark, line }) => `  [${mark}] line ${line}`),
  ]
}

/**
 * Lists the rules of served topics that no test cites, topic by topic, then the faults: citations of no rule, marks
 * that several rules have, faults of pages. The last line is a count.
 */
export function report(pages: readonly Page[], citations: readonly Citation[]): Report {
  const cited = new Set(citations.filter(({ isOfTest }) => isOfTest).map(({ mark }) => mark))
  const served = pages.filter(({ isServed }) => isServed)
  const clauses = served.flatMap((page) => page.clauses)
  const wrong = [
    ...astray(pages, citations).map(({ mark, place }) => `${place} cites [${mark}], which no page has`),
    ...doubled(pages).map((places) => `two rules have one mark: ${places}`),
    ...pages.flatMap(({ faults }) => faults),
  ]
  const count = clauses.filter(({ mark }) => cited.has(mark)).length
  return {
    lines: [
      ...served.flatMap((page) => uncitedLines(page, cited)),
      ...wrong,
      `${count} of ${clauses.length} rules that are served are cited by tests, ${wrong.length} faults`,
    ],
    isSound: wrong.length === 0,
  }
}
