/**
 * Runs the tests as `ava` does with these arguments, and names the ten slowest files in a line at the end. A run that
 * does not end is ended, and what it waited for is named.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readResults, type Results } from './gate/results.ts'
import { NODE_ARGUMENTS } from './helpers/short-lived.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NAMED = 10
/** our choice: several times what a run takes on a busy machine. The gate has limits of its own. */
const LONGEST_MS = process.env['TEST_RESULTS'] === undefined ? 45 * 60_000 : null
/**
 * our choice: so long has a run that was told to end for naming the tests that are not over. A thread that hangs
 * outside of JavaScript ends by no word.
 */
const LAST_WORDS_MS = 60_000

const named = (file: string) => relative(ROOT, file)

function slowestOf({ times }: Results): string {
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, NAMED)
  return slowest.map(({ file, seconds }) => `${named(file)} ${Math.round(seconds)} s`).join(', ')
}

function end(ava: ChildProcess): void {
  ava.kill()
  setTimeout(() => ava.kill('SIGKILL'), LAST_WORDS_MS).unref()
}

const directory = mkdtempSync(join(tmpdir(), 'cms-test-run-'))
// Who looks at the results itself names where they are written.
const path = process.env['TEST_RESULTS'] ?? join(directory, 'results')
const observer = fileURLToPath(new URL('gate/observer.ts', import.meta.url))
const asked = process.argv.slice(2)
const env = {
  ...process.env,
  TEST_RESULTS: path,
  TEST_OBSERVER: observer,
  ...(asked.length === 0 ? { TEST_TOGETHER: '1' } : {}),
}
const ava = spawn(process.execPath, [...NODE_ARGUMENTS, join(ROOT, 'test/ava.ts'), ...asked], {
  cwd: ROOT,
  stdio: 'inherit',
  env,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(ava))
if (LONGEST_MS !== null) setTimeout(() => end(ava), LONGEST_MS).unref()
const [code] = await once(ava, 'exit')
const results = readResults(path)
process.stdout.write(`  slowest files: ${slowestOf(results)}\n`)
if (results.cut)
  process.stdout.write(
    `  not over: ${results.cut.map(({ file, title }) => `${named(file ?? '')} › ${title}`).join(', ')}\n`,
  )
rmSync(directory, { recursive: true })
process.exitCode = code ?? 1
