/** Reads the facts that `observer.ts` wrote about a run. */
import { existsSync, readFileSync } from 'node:fs'
import type { Fact } from './observer.ts'

const NOT_OVER = 'was not over when the run was ended'

/** A failed test, or a file when no test can be named. `file` is a path; null when it is unknown. */
export interface Red {
  readonly file: string | null
  readonly title: string
  readonly reason: string
}

export interface Results {
  readonly passed: number
  readonly skipped: number
  readonly red: readonly Red[]
  /** How long files took, in seconds. */
  readonly times: readonly { readonly file: string; readonly seconds: number }[]
  /**
   * Tests that were unfinished when the run was ended, or their files when no test can be named; null when the run
   * ended by itself.
   */
  readonly cut: readonly Red[] | null
}

/** The results of a run from its file of facts; an absent file means that the run never began. */
export function readResults(path: string): Results {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  return resultsOf(lines.map((line): Fact => JSON.parse(line)))
}

/** ava reports a file as failed when one of its tests failed; that is no second failure. */
export function resultsOf(facts: readonly Fact[]): Results {
  const said = facts.filter((fact) => fact.fact === 'red')
  const byTest = new Set(said.flatMap(({ file, title }) => (file && !isOfFile(title) ? [file] : [])))
  const end = facts.find((fact) => fact.fact === 'end')
  return {
    passed: end?.passed ?? 0,
    skipped: end?.skipped ?? 0,
    red: said
      .filter(({ file, title }) => !(file && byTest.has(file) && isOfFile(title)))
      .map(({ file, title, reason }) => ({ file, title, reason })),
    times: timesOf(facts),
    cut: cutOf(facts, end !== undefined),
  }
}

function isOfFile(title: string): boolean {
  return title === 'the process of this file failed'
}

function timesOf(facts: readonly Fact[]): Results['times'] {
  const begun = new Map<string, number>()
  const times: { file: string; seconds: number }[] = []
  for (const fact of facts) {
    if (fact.fact === 'begun') begun.set(fact.file, fact.at)
    const from = fact.fact === 'over' ? begun.get(fact.file) : undefined
    if (fact.fact === 'over' && from !== undefined) times.push({ file: fact.file, seconds: (fact.at - from) / 1000 })
  }
  return times
}

function cutOf(facts: readonly Fact[], hasEnd: boolean): readonly Red[] | null {
  const cuts = facts.filter((fact) => fact.fact === 'cut')
  const titles = cuts
    .flatMap(({ pending }) => pending)
    .flatMap(({ file, titles: named }) => named.map((title) => ({ file, title, reason: NOT_OVER })))
  if (titles.length > 0) return titles
  // A command that failed before ava began wrote nothing.
  if (cuts.length === 0 && (hasEnd || facts.length === 0)) return null
  // A run that a signal ends has no time to name tests, but their files are known.
  return openFiles(facts).map((file) => ({ file, title: 'a test of this file', reason: NOT_OVER }))
}

function openFiles(facts: readonly Fact[]): string[] {
  const over = new Set(facts.flatMap((fact) => (fact.fact === 'over' ? [fact.file] : [])))
  return facts.flatMap((fact) => (fact.fact === 'begun' && !over.has(fact.file) ? [fact.file] : []))
}
