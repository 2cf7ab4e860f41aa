/**
 * Runs in a copy of the code that holds all changes. Without one that is on, it plans, and runs every test that is
 * needed later; else it ends with 1 when a test notices the change.
 */
import { makePlan, readPlan } from './plan.ts'
import { allPass } from './run-tests.ts'

const id = process.env['__STRYKER_ACTIVE_MUTANT__']

function testsOfAll(): readonly string[] {
  return [...new Set(Object.values(makePlan().tests).flat())]
}

function testsOf(change: string): readonly string[] {
  const { files, tests } = readPlan()
  return tests[files[change] ?? ''] ?? []
}

const isGreen = await allPass(id === undefined ? testsOfAll() : testsOf(id))
// What a test left open must not keep the process.
process.exit(isGreen ? 0 : 1)
