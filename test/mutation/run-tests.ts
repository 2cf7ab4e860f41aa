/**
 * Runs test files one after another in this process, by AVA's own runner without its main program and threads: a
 * thousand runs of some small files cost a fifth of what they cost by `ava` (measured).
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../arch/source-files.ts'

/** What is used of AVA's runner of a file (`ava/lib/runner.js`). */
interface Runner {
  readonly chain: unknown
  on(name: 'stateChange', hear: (event: { readonly data: { readonly type: string } }) => void): void
  once(name: 'finish'): Promise<unknown>
}

type RunnerOf = new (options: object) => Runner

const RUNNER = pathToFileURL(join(ROOT, 'node_modules/ava/lib/runner.js')).href
const SHIM = 'ava-of:'
const HOLDER: { chain?: unknown } = {}
Object.defineProperty(globalThis, 'chainOfTests', { get: () => HOLDER.chain })

// Each test file that imports `ava` gets the runner that is its own.
registerHooks({
  resolve: (name, context, next) =>
    name === 'ava' ? { url: `${SHIM}${context.parentURL}`, shortCircuit: true } : next(name, context),
  load: (url, context, next) =>
    url.startsWith(SHIM)
      ? {
          format: 'module',
          source: 'export default globalThis.chainOfTests; export const registerCompletionHandler = () => {}',
          shortCircuit: true,
        }
      : next(url, context),
})

/** Runs the tests of a file; resolves to whether all passed. */
async function passes(path: string, RunnerClass: RunnerOf): Promise<boolean> {
  const runner = new RunnerClass({ file: path, projectDir: ROOT, failFast: true })
  let isGreen = true
  const failed = new Promise<void>((resolve) => {
    runner.on('stateChange', ({ data: { type } }) => {
      if (type !== 'test-failed' && type !== 'hook-failed') return
      isGreen = false
      resolve()
    })
  })
  const finished = runner.once('finish')
  HOLDER.chain = runner.chain
  await import(pathToFileURL(path).href)
  await Promise.race([finished, failed])
  return isGreen
}

/** Runs test files, by their paths from the root of the project, until one fails; resolves to whether none did. */
export async function allPass(paths: readonly string[]): Promise<boolean> {
  const { default: RunnerClass } = (await import(RUNNER)) as { readonly default: RunnerOf }
  for (const path of paths) if (!(await passes(join(ROOT, path), RunnerClass))) return false
  return true
}
