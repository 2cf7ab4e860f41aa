/** Runs the tests as `ava` does with these arguments, and names the ten slowest files in a line at the end. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NODE_ARGUMENTS } from './helpers/short-lived.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NAMED = 10

interface FileTime {
  readonly file: string
  readonly seconds: number
}

function slowestIn(path: string): string {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  const times = lines.map((line): FileTime => JSON.parse(line))
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, NAMED)
  return slowest.map(({ file, seconds }) => `${relative(ROOT, fileURLToPath(file))} ${Math.round(seconds)} s`).join(', ')
}

const directory = mkdtempSync(join(tmpdir(), 'cms-test-run-'))
const times = join(directory, 'times')
const named = process.argv.slice(2)
const env = { ...process.env, TEST_TIMES: times, ...(named.length === 0 ? { TEST_TOGETHER: '1' } : {}) }
const ava = spawn(process.execPath, [...NODE_ARGUMENTS, join(ROOT, 'test/ava.ts'), ...named], { cwd: ROOT, stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ava.kill(signal))
const [code] = await once(ava, 'exit')
process.stdout.write(`  slowest files: ${slowestIn(times)}\n`)
rmSync(directory, { recursive: true })
process.exitCode = code ?? 1
