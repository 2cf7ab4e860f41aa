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

/** our choice, in ms: tests take about as long in all, so who waits for longer waits for ever. */
const IDLE_MS = 3_000
/** our choice: of that time a process that waits works no larger a part, also on a busy machine. */
const IDLE_PART = 0.02

/** Resolves once the process only waits. */
function untilIdle(): { readonly idle: Promise<'hung'>; stop(): void } {
  const { promise: idle, resolve } = Promise.withResolvers<'hung'>()
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    if (performance.eventLoopUtilization(now, before).utilization < IDLE_PART) resolve('hung')
    before = now
  }, IDLE_MS)
  return { idle, stop: () => clearInterval(timer) }
}

/** Tells once something is thrown that nobody catches, as it would end the process of a test. */
function untilThrown(): { readonly thrown: Promise<'failed'>; stop(): void } {
  const { promise: thrown, resolve } = Promise.withResolvers<'failed'>()
  const fail = (): void => resolve('failed')
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, fail)
  return {
    thrown,
    stop: () => void ['uncaughtException', 'unhandledRejection'].map((event) => process.off(event, fail)),
  }
}

/** Each run of a file is another module. */
let runs = 0

/**
 * Runs a test file, by its path from the root of the project, and loads it anew, but not what it imports. `hung`: it
 * waits for ever, and so it may go on later.
 */
export async function passes(path: string): Promise<'passed' | 'failed' | 'hung'> {
  const { default: RunnerClass } = (await import(RUNNER)) as { readonly default: RunnerOf }
  runs += 1
  const url = `${pathToFileURL(join(ROOT, path)).href}?run=${runs}`
  const runner = new RunnerClass({ file: join(ROOT, path), projectDir: ROOT, failFast: true })
  let hasFailed = false
  runner.on('stateChange', ({ data: { type } }) => {
    hasFailed ||= type === 'test-failed' || type === 'hook-failed'
  })
  const finished = runner.once('finish')
  HOLDER.chain = runner.chain
  const [{ idle, stop }, thrown] = [untilIdle(), untilThrown()]
  const run = async (): Promise<'passed' | 'failed'> => {
    await import(url)
    await finished
    return hasFailed ? 'failed' : 'passed'
  }
  try {
    return await Promise.race([run(), idle, thrown.thrown])
  } catch {
    return 'failed'
  } finally {
    stop()
    thrown.stop()
  }
}
