import type { ExecutionContext } from 'ava'
import test from 'ava'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../helpers/until.ts'
import { type Part, runPart } from './part.ts'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

const FILES = {
  'package.json': '{ "type": "module" }',
  'ava.config.js': `const observed = (await import(process.env.TEST_OBSERVER)).default
export default { ...observed, files: ['*.test.js'], cache: false, timeout: '10m' }`,
  // This test fails unless an earlier run left its mark.
  'flaky.test.js': `import test from 'ava'
import { existsSync, writeFileSync } from 'node:fs'
test('is green alone', (t) => { const had = existsSync('mark'); writeFileSync('mark', ''); t.true(had) })
test('is green', (t) => t.pass())`,
  'broken.test.js': `import test from 'ava'
test('is red', (t) => t.fail('broken'))`,
  'unlike.test.js': `import test from 'ava'
test('compares', (t) => t.deepEqual(['FAILED', 'NODE_LOST'], ['COMPLETED', null]))
test('rejects', async () => { throw new Error('gave up waiting until it is so') })`,
  'crash.test.js': `import test from 'ava'
test('never ends', async () => { setImmediate(() => { throw new Error('thrown beside it') }); await new Promise(() => {}) })`,
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const frame = { say: () => {}, until: Infinity }

/** Makes a project with these test files. */
function project(t: ExecutionContext, files: readonly (keyof typeof FILES)[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'cms-gate-test-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const file of ['package.json', 'ava.config.js', ...files] as const)
    writeFileSync(join(folder, file), FILES[file])
  symlinkSync(MODULES, join(folder, 'node_modules'))
  return folder
}

function partOf(cwd: string): Part {
  const ava = join(MODULES, 'ava/entrypoints/cli.js')
  return {
    name: 'tests',
    // What certainly ends is not hurried, however busy the machine is.
    minutes: 10,
    cwd,
    isHeld: true,
    command: [process.execPath, ava],
    again: (files: readonly string[]) => ({ command: [process.execPath, ava, '--serial', ...files] }),
  }
}

test('a test that is red once and green alone is a flake with its reason, and what is red twice a failure', async (t) => {
  const outcome = await runPart(partOf(project(t, ['flaky.test.js', 'broken.test.js'])), frame)
  t.deepEqual(
    outcome.flakes.map(({ title }) => title),
    ['is green alone'],
  )
  t.deepEqual(
    outcome.failed.map(({ title }) => title),
    ['is red'],
  )
  t.regex(outcome.failed[0]?.reason ?? '', /broken/)
  t.is(outcome.passed, 2)
})

test('a failure says in a line what was compared, or what was thrown', async (t) => {
  const { failed } = await runPart(partOf(project(t, ['unlike.test.js'])), frame)
  const reasonOf = (title: string) => failed.find((red) => red.title === title)?.reason ?? ''
  for (const word of ['deepEqual', 'FAILED', 'NODE_LOST', 'COMPLETED']) t.true(reasonOf('compares').includes(word))
  t.true(reasonOf('rejects').includes('gave up waiting until it is so'))
  for (const { reason } of failed) t.false(reason.includes('\n'))
})

test('a file that ends by an error outside of its tests fails', async (t) => {
  const outcome = await runPart(partOf(project(t, ['crash.test.js'])), frame)
  t.is(outcome.failed.length, 1)
  t.regex(outcome.failed[0]?.file ?? '', /crash\.test\.js$/)
})

test('a part whose command fails before any test ran fails', async (t) => {
  const outcome = await runPart({ ...partOf(project(t, [])), command: ['sh', '-c', 'exit 3'] }, frame)
  t.is(outcome.failed.length, 1)
})

test('processes that a part leaves running are ended and keep nobody waiting', async (t) => {
  const folder = project(t, [])
  const outcome = await runPart(
    { ...partOf(folder), command: ['sh', '-c', 'sleep 3600 & echo $! > left; exit 3'] },
    frame,
  )
  t.is(outcome.failed.length, 1)
  const left = Number(readFileSync(join(folder, 'left'), 'utf8'))
  await until('the process that was left ends', () => !isRunning(left))
  t.pass()
})

test('a part that does not end is ended at its time', async (t) => {
  const outcome = await runPart({ ...partOf(project(t, [])), minutes: 0.002, command: ['sleep', '3600'] }, frame)
  t.is(outcome.failed.length, 1)
})
