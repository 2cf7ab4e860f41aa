import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSourceFiles, ROOT } from '../arch/source-files.ts'
import { nearestTests } from './nearest-tests.ts'

/** our choice: so many of the nearest tests try a change, the nearest first. */
const MOST_TESTS = 10

export interface Plan {
  /** The file of each change, by the change's id. */
  readonly files: Readonly<Record<string, string>>
  /** The tests of each file, in their order. */
  readonly tests: Readonly<Record<string, readonly string[]>>
}

const PLAN = join(ROOT, 'mutation-plan.json')
/** How a changed file asks whether one of its changes is on. */
const CHANGE = /\bstryMutAct_\w+\("(\d+)"\)/g

/** Finds the changes in the copy of the code that it runs in, and which tests are nearest to them. */
export function makePlan(): Plan {
  const sources = readSourceFiles(['src', 'actors', 'media-host', 'sandbox', 'test'])
  const files: Record<string, string> = {}
  const tests: Record<string, readonly string[]> = {}
  for (const { path, text } of sources)
    for (const [, id = ''] of text.matchAll(CHANGE)) {
      files[id] = path
      tests[path] ??= nearestTests(path, sources).slice(0, MOST_TESTS)
    }
  const plan = { files, tests }
  writeFileSync(PLAN, JSON.stringify(plan))
  return plan
}

export function readPlan(): Plan {
  return JSON.parse(readFileSync(PLAN, 'utf8'))
}
