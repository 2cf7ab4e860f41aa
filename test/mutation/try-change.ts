/** Tries changes of the code by its tests. Works in a copy that holds all changes, of which one at most is on. */
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../arch/source-files.ts'
import { changedFiles, planOf, readPlan, writePlan, type MetInTest } from './plan.ts'
import { passes } from './run-tests.ts'

const MEET = join(ROOT, 'test/mutation/meet.ts')
/** our choice, in ms: a test that takes longer without a change tries none. */
const LONGEST_MS = 8_000

/** What changed code reads to find which change is on (Stryker's instrumenter). */
interface Switch {
  activeMutant?: string
  hitCount?: number
  hitLimit?: number
}

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

/** Finds which tests meet which changes, each test in a process of its own, and keeps which are to try a change. */
export async function plan(): Promise<ReadonlyMap<string, MetInTest>> {
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
  return met
}

const SWITCH: Switch = {}
Object.assign(globalThis, { __stryker__: SWITCH })

function turn(activeMutant?: string, hitLimit?: number): void {
  Object.assign(SWITCH, { activeMutant, hitLimit, hitCount: hitLimit === undefined ? undefined : 0 })
}

/** Which tests try a change, once it was asked for. */
let planned: ReturnType<typeof readPlan> | null = null
/** How many changes this process has tried. */
let before = 0
/** True once tests of an earlier change may still run. */
let isDirty = false

export interface Tried {
  /** The test that noticed the change; null when none did. */
  readonly failed: string | null
  /** How many tests were run. */
  readonly tried: number
}

/**
 * Tries a change. Rejects when only a new process can tell: what an earlier change left in memory fails a test without
 * any change, or may hide this one.
 */
export async function tryChange(id: string, hitLimit: number | undefined): Promise<Tried> {
  if (isDirty) throw new Error('an earlier change left tests that run')
  const isNew = before++ === 0
  planned ??= readPlan()
  const tests = planned[id] ?? []
  turn(id, hitLimit)
  let tried = 0
  let failed: string | null = null
  for (const test of tests) {
    tried += 1
    const end = await passes(test)
    isDirty ||= end === 'hung'
    if (end === 'passed') continue
    failed = test
    break
  }
  turn()
  if (isNew) return { failed, tried }
  if (failed === null) throw new Error('an earlier change may hide this one')
  if (!isDirty && (await passes(failed)) !== 'passed') throw new Error('an earlier change fails the test')
  return { failed, tried }
}
