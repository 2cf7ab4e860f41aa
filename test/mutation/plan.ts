import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSourceFiles, ROOT } from '../arch/source-files.ts'
import { nearestTests } from './nearest-tests.ts'

/** our choice, in ms: tests try a change as long as they take no longer in all, the nearest first; one always does. */
const MOST_MS = 4_000
/** our choice: so many tests of a file are looked at for what they meet, the nearest first. */
const MOST_LOOKED_AT = 25

/** The tests of each change, in their order, by the change's id. */
export type Plan = Readonly<Record<string, readonly string[]>>

/** A file with its changes, by their ids, and the tests that reach it, the nearest first. */
export interface ChangedFile {
  readonly path: string
  readonly changes: readonly string[]
  readonly tests: readonly string[]
}

/** The changes that the code meets, and how often, as it is loaded and while a test runs that passes without them. */
export interface MetInTest {
  readonly atLoad: Readonly<Record<string, number>>
  readonly inTest: Readonly<Record<string, number>>
  /** How long the test took, without its start. */
  readonly ms: number
}

const PLAN = join(ROOT, 'mutation-plan.json')
/** How a changed file asks whether one of its changes is on. */
const CHANGE = /\bstryMutAct_\w+\("(\d+)"\)/g

function changesIn(text: string): string[] {
  return [...text.matchAll(CHANGE)].flatMap(([, id]) => id ?? [])
}

/** Finds the changed files of the copy of the code that it runs in. */
export function changedFiles(): ChangedFile[] {
  const sources = readSourceFiles(['src', 'actors', 'media-host', 'sandbox', 'test'])
  return sources.flatMap(({ path, text }) => {
    const changes = changesIn(text)
    return changes.length === 0 ? [] : [{ path, changes, tests: nearestTests(path, sources).slice(0, MOST_LOOKED_AT) }]
  })
}

/**
 * Chooses the tests of each change: those that meet it, the nearest first. What is met as a file is loaded says nothing
 * of its tests, so all of them may notice it. A change that none meets has no tests.
 */
export function planOf(files: readonly ChangedFile[], met: ReadonlyMap<string, MetInTest>): Plan {
  const atLoad = new Set([...met.values()].flatMap((one) => Object.keys(one.atLoad)))
  const inTests = new Map([...met].map(([test, { inTest }]) => [test, new Set(Object.keys(inTest))]))
  const mayNotice = (test: string, change: string): boolean =>
    inTests.get(test)?.has(change) || (inTests.has(test) && atLoad.has(change))
  return Object.fromEntries(
    files.flatMap(({ changes, tests }) =>
      changes.map((change) => [
        change,
        chosen(
          tests.filter((test) => mayNotice(test, change)),
          met,
        ),
      ]),
    ),
  )
}

/** The tests there is time for, in their order; the quickest when there is time for none. */
function chosen(tests: readonly string[], met: ReadonlyMap<string, MetInTest>): string[] {
  const msOf = (test: string): number => met.get(test)?.ms ?? 0
  let leftMs = MOST_MS
  const timely = tests.filter((test) => {
    const isTimely = msOf(test) <= leftMs
    if (isTimely) leftMs -= msOf(test)
    return isTimely
  })
  return timely.length > 0 ? timely : tests.toSorted((a, b) => msOf(a) - msOf(b)).slice(0, 1)
}

export function writePlan(plan: Plan): void {
  writeFileSync(PLAN, JSON.stringify(plan))
}

export function readPlan(): Plan {
  return JSON.parse(readFileSync(PLAN, 'utf8'))
}
