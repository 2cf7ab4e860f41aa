/**
 * Runs in a copy of the code that holds all changes. Without one that is on, it finds which tests meet which changes,
 * and plans; else it ends with 1 when a test notices the change.
 */
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../arch/source-files.ts'
import { changedFiles, planOf, readPlan, writePlan, type MetInTest } from './plan.ts'
import { allPass } from './run-tests.ts'

const MEET = join(ROOT, 'test/mutation/meet.ts')
/** our choice, in ms: a test that takes longer without a change tries none. */
const LONGEST_MS = 60_000

/** The changes in the files that a test meets; null when it does not pass alone and without a change. */
async function metIn(test: string, files: readonly string[]): Promise<MetInTest | null> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, MEET, test, ...files], {
      cwd: ROOT,
      timeout: LONGEST_MS,
      maxBuffer: Infinity,
    })
    return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? 'null') as MetInTest | null
  } catch {
    return null
  }
}

async function plan(): Promise<boolean> {
  const files = changedFiles()
  const paths = files.map(({ path }) => path)
  const waiting = new Set(files.flatMap(({ tests }) => tests)).values()
  const met = new Map<string, MetInTest>()
  const meet = async (): Promise<void> => {
    for (const test of waiting) {
      const found = await metIn(test, paths)
      if (found) met.set(test, found)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, meet))
  writePlan(planOf(files, met))
  return met.size > 0
}

const change = process.env['__STRYKER_ACTIVE_MUTANT__']
const isGreen = change === undefined ? await plan() : await allPass(readPlan()[change] ?? [])
// What a test left open must not keep the process.
process.exit(isGreen ? 0 : 1)
