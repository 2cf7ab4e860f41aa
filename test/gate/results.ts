/** Reads what `observer.ts` wrote of a run. */
import { existsSync, readFileSync } from 'node:fs'
import type { Fact } from './observer.ts'

const NOT_OVER = 'was not over when the run was ended'

/** A test that was red, or a file where no test can be named. `file` is a path; null where none is known. */
export interface Red {
  readonly file: string | null
  readonly title: string
  readonly reason: string
}

export interface Results {
  readonly passed: number
  readonly skipped: number
  readonly red: readonly Red[]
  /** Files that took their time, in seconds. */
  readonly times: readonly { readonly file: string; readonly seconds: number }[]
  /**
   * Tests that were not over when the run was ended, or their files where no test can be named; null for a run that
   * came to its end by itself.
   */
  readonly cut: readonly Red[] | null
}

/** The facts of a file that a run wrote; an absent file is a run that never began. */
export function readResults(path: string): Results {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  return resultsOf(lines.map((line): Fact => JSON.parse(line)))
}

/** A file that fails by a test of its own is told to have failed too: that is no second red. */
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
  // A command that failed before ava began wrote nothing at all.
  if (cuts.length === 0 && (hasEnd || facts.length === 0)) return null
  // A run that a signal ends has no time for naming tests: their files are known.
  return openFiles(facts).map((file) => ({ file, title: 'a test of this file', reason: NOT_OVER }))
}

function openFiles(facts: readonly Fact[]): string[] {
  const over = new Set(facts.flatMap((fact) => (fact.fact === 'over' ? [fact.file] : [])))
  return facts.flatMap((fact) => (fact.fact === 'begun' && !over.has(fact.file) ? [fact.file] : []))
}
