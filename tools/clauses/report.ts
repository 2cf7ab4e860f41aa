import { astray, doubled, type Citation } from './citations.ts'
import type { Page } from './page.ts'

/** The report on all pages and citations. */
export interface Report {
  readonly lines: readonly string[]
  /** Whether every served rule is cited or listed, every citation names a rule, and the pages are well formed. */
  readonly isSound: boolean
}

/** A page without its planned rules. */
function servedOf(page: Page): Page {
  return { ...page, clauses: page.clauses.filter(({ isServed }) => isServed) }
}

function uncitedLines({ path, clauses }: Page, settled: ReadonlySet<string>): string[] {
  const uncited = clauses.filter(({ mark }) => !settled.has(mark))
  if (uncited.length === 0) return []
  return [
    `${path}: ${uncited.length} of ${clauses.length} cited by no test`,
    ...uncited.map(({ mark, line }) => `  [${mark}] line ${line}`),
  ]
}

/** Faults of the list of rules without a test: it names served rules alone, and none that a test cites. */
function listFaults(untested: readonly string[], served: ReadonlySet<string>, cited: ReadonlySet<string>): string[] {
  return untested.flatMap((mark) => {
    if (!served.has(mark)) return [`the list of rules without a test has [${mark}], which is no rule that is served`]
    return cited.has(mark) ? [`the list of rules without a test has [${mark}], which a test cites`] : []
  })
}

/**
 * Lists the served rules that no test cites and that are not among `untested`, topic by topic, then the
 * faults: citations of no rule, marks that several rules have, faults of pages and of `untested`. The last line is a
 * count.
 */
export function report(
  pages: readonly Page[],
  citations: readonly Citation[],
  untested: readonly string[] = [],
): Report {
  const cited = new Set(citations.filter(({ isOfTest }) => isOfTest).map(({ mark }) => mark))
  const served = pages.map(servedOf)
  const clauses = served.flatMap((page) => page.clauses)
  const uncited = served.flatMap((page) => uncitedLines(page, new Set([...cited, ...untested])))
  const wrong = [
    ...astray(pages, citations).map(({ mark, place }) => `${place} cites [${mark}], which no page has`),
    ...doubled(pages).map((places) => `two rules have one mark: ${places}`),
    ...pages.flatMap(({ faults }) => faults),
    ...listFaults(untested, new Set(clauses.map(({ mark }) => mark)), cited),
  ]
  const count = clauses.filter(({ mark }) => cited.has(mark)).length
  return {
    lines: [
      ...uncited,
      ...wrong,
      `${count} of ${clauses.length} rules that are served are cited by tests, ${wrong.length} faults`,
    ],
    isSound: uncited.length === 0 && wrong.length === 0,
  }
}
