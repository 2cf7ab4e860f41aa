/**
 * Runs in a copy of the code that holds all changes. Without one that is on, it plans, and runs every test that is
 * needed later; else it ends with 1 when a test notices the change.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../arch/source-files.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { makePlan, readPlan, type Rounds } from './plan.ts'

function passes(tests: readonly string[]): boolean {
  const { status } = spawnSync(
    process.execPath,
    [...NODE_ARGUMENTS, join(ROOT, 'test/ava.ts'), '--fail-fast', ...tests],
    { cwd: ROOT, stdio: 'inherit' },
  )
  return status === 0
}

function roundsOfAll(): Rounds {
  return [[...new Set(Object.values(makePlan().rounds).flat(2))]]
}

function roundsOf(id: string): Rounds {
  const { files, rounds } = readPlan()
  return rounds[files[id] ?? ''] ?? []
}

const id = process.env['__STRYKER_ACTIVE_MUTANT__']
const rounds = id === undefined ? roundsOfAll() : roundsOf(id)
process.exitCode = rounds.every(passes) ? 0 : 1
