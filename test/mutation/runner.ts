/**
 * How Stryker tries changes here, as a plugin of it: one process tries many, since most are noticed within milliseconds
 * and the start of a process takes a second. Works in the copy of the code that holds all changes.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as InCopy from './try-change.ts'

/** What Stryker asks to be tried (`MutantRunOptions` of its API). */
interface Asked {
  readonly activeMutant: { readonly id: string }
  /** How often the change may be met before it counts as an endless loop. */
  readonly hitLimit?: number
}

class Runner {
  #copy: typeof InCopy | null = null

  /** A process keeps what it has loaded: Stryker starts a new one for a change that is met as its file is loaded. */
  capabilities() {
    return { reloadEnvironment: false }
  }

  /** Stryker has gone to the folder of the copy by now. */
  async init(): Promise<void> {
    this.#copy = (await import(pathToFileURL(join(process.cwd(), 'test/mutation/try-change.ts')).href)) as typeof InCopy
  }

  get copy(): typeof InCopy {
    if (!this.#copy) throw new Error('init has not run')
    return this.#copy
  }

  async dryRun() {
    const startedMs = performance.now()
    const met = await this.copy.plan()
    // Stryker gives each change the time that was not spent in tests on top, which is most of what a plan takes.
    const timeSpentMs = (performance.now() - startedMs) / met.size
    const tests = [...met.keys()].map((id) => ({ id, name: id, fileName: id, timeSpentMs, status: 0 }))
    const [, { atLoad } = { atLoad: {} }] = [...met][0] ?? []
    const perTest = Object.fromEntries([...met].map(([id, { inTest }]) => [id, inTest]))
    return { status: 'complete', tests, mutantCoverage: { static: atLoad, perTest } }
  }

  async mutantRun({ activeMutant: { id }, hitLimit }: Asked) {
    const { failed, tried } = await this.copy.tryChange(id, hitLimit)
    return failed === null
      ? { status: 'survived', nrOfTests: tried }
      : { status: 'killed', killedBy: [failed], failureMessage: failed, nrOfTests: tried }
  }
}

/** What Stryker reads of a plugin. */
export const strykerPlugins = [
  { kind: 'TestRunner', name: 'in-process', factory: Object.assign(() => new Runner(), { inject: [] }) },
]
