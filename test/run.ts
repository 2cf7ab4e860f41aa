/** Runs the tests as `ava` does with these arguments, and names the ten slowest files in a line at the end. A run that does not end is ended, and what it waited for is named. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_ARGUMENTS } from './helpers/short-lived.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NAMED = 10
/** our choice: several times what a run takes on a busy machine, and half of what the gate has. */
const LONGEST_MS = 45 * 60_000
/** our choice: so long has a run that was told to end for naming the tests that are not over. A thread that hangs outside of JavaScript ends by no word. */
const LAST_WORDS_MS = 60_000

interface FileTime {
  readonly file: string
  /** Null for a file that began. */
  readonly seconds: number | null
}

function readTimes(path: string): FileTime[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  return lines.map((line): FileTime => JSON.parse(line))
}

const named = (file: string) => relative(ROOT, fileURLToPath(file))

function slowestOf(times: readonly FileTime[]): string {
  const ended = times.flatMap(({ file, seconds }) => seconds === null ? [] : [{ file, seconds }])
  const slowest = ended.toSorted((a, b) => b.seconds - a.seconds).slice(0, NAMED)
  return slowest.map(({ file, seconds }) => `${named(file)} ${Math.round(seconds)} s`).join(', ')
}

function notOver(times: readonly FileTime[]): string[] {
  const ended = new Set(times.flatMap(({ file, seconds }) => seconds === null ? [] : [file]))
  return times.flatMap(({ file, seconds }) => seconds === null && !ended.has(file) ? [named(file)] : [])
}

function end(ava: ChildProcess): void {
  ava.kill()
  setTimeout(() => ava.kill('SIGKILL'), LAST_WORDS_MS).unref()
}

const directory = mkdtempSync(join(tmpdir(), 'cms-test-run-'))
const path = join(directory, 'times')
const asked = process.argv.slice(2)
const env = { ...process.env, TEST_TIMES: path, ...(asked.length === 0 ? { TEST_TOGETHER: '1' } : {}) }
const ava = spawn(process.execPath, [...NODE_ARGUMENTS, join(ROOT, 'test/ava.ts'), ...asked], { cwd: ROOT, stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(ava))
setTimeout(() => end(ava), LONGEST_MS).unref()
const [code] = await once(ava, 'exit')
const times = readTimes(path)
process.stdout.write(`  slowest files: ${slowestOf(times)}\n`)
if (notOver(times).length > 0) process.stdout.write(`  not over: ${notOver(times).join(', ')}\n`)
rmSync(directory, { recursive: true })
process.exitCode = code ?? 1
