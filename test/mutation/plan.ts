import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSourceFiles, ROOT } from '../arch/source-files.ts'
import { nearestTests } from './nearest-tests.ts'

/** our choice: so many of the nearest tests try a change, then more of them try what those did not notice. */
const FIRST = 2
const IN_ALL = 10

/** What is run for the changes of one file: few tests first, more when those pass. */
export type Rounds = readonly (readonly string[])[]

export interface Plan {
  /** The file of each change, by the change's id. */
  readonly files: Readonly<Record<string, string>>
  /** The tests of each file. */
  readonly rounds: Readonly<Record<string, Rounds>>
}

const PLAN = join(ROOT, 'mutation-plan.json')
/** How a changed file asks whether one of its changes is on. */
const CHANGE = /\bstryMutAct_\w+\("(\d+)"\)/g

function roundsOf(tests: readonly string[]): Rounds {
  return [tests.slice(0, FIRST), tests.slice(FIRST, IN_ALL)].filter((round) => round.length > 0)
}

/** Finds the changes in the copy of the code that it runs in, and which tests are nearest to them. */
export function makePlan(): Plan {
  const sources = readSourceFiles(['src', 'actors', 'media-host', 'sandbox', 'test'])
  const files: Record<string, string> = {}
  const rounds: Record<string, Rounds> = {}
  for (const { path, text } of sources)
    for (const [, id = ''] of text.matchAll(CHANGE)) {
      files[id] = path
      rounds[path] ??= roundsOf(nearestTests(path, sources))
    }
  const plan = { files, rounds }
  writeFileSync(PLAN, JSON.stringify(plan))
  return plan
}

export function readPlan(): Plan {
  return JSON.parse(readFileSync(PLAN, 'utf8'))
}
