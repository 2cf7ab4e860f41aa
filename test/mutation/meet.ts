/**
 * `node test/mutation/meet.ts <test> <changed files>`: runs a test alone, in a copy of the code that holds all changes.
 * When it passes, the last line of its output tells which changes the code met, as `MetInTest`.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../arch/source-files.ts'
import type { MetInTest } from './plan.ts'
import { passes } from './run-tests.ts'

/** What changed code keeps of the changes that it meets (Stryker's instrumenter). */
interface Kept {
  currentTestId?: string
  mutantCoverage?: {
    readonly static: Readonly<Record<string, number>>
    readonly perTest: Readonly<Record<string, Readonly<Record<string, number>>>>
  }
}

const [test = '', ...changed] = process.argv.slice(2)
const kept: Kept = {}
Object.assign(globalThis, { __stryker__: kept })
for (const path of changed) await import(pathToFileURL(join(ROOT, path)).href)
kept.currentTestId = test
const startedMs = performance.now()
const isGreen = (await passes(test)) === 'passed'
const ms = performance.now() - startedMs
const { static: atLoad = {}, perTest = {} } = kept.mutantCoverage ?? {}
const met = JSON.stringify({ atLoad, inTest: perTest[test] ?? {}, ms } satisfies MetInTest)
// What a test left open must not keep the process.
process.stdout.write(`\n${met}\n`, () => process.exit(isGreen ? 0 : 1))
