import type { ExecutionContext } from 'ava'
import test from 'ava'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runPart } from './part.ts'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

const FILES = {
  'package.json': '{ "type": "module" }',
  'ava.config.js': `const observed = (await import(process.env.TEST_OBSERVER)).default
export default { ...observed, files: ['*.test.js'], cache: false }`,
  // Red where no earlier run left its mark.
  'flaky.test.js': `import test from 'ava'
import { existsSync, writeFileSync } from 'node:fs'
test('is green alone', (t) => { const had = existsSync('mark'); writeFileSync('mark', ''); t.true(had) })
test('is green', (t) => t.pass())`,
  'broken.test.js': `import test from 'ava'
test('is red', (t) => t.fail('broken'))`,
  'crash.test.js': `import test from 'ava'
test('never ends', async () => { setImmediate(() => { throw new Error('thrown beside it') }); await new Promise(() => {}) })`,
}

const silent = () => {}

/** A project of its own with the tests of these files. */
function project(t: ExecutionContext, files: readonly (keyof typeof FILES)[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'cms-gate-test-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const file of ['package.json', 'ava.config.js', ...files] as const) writeFileSync(join(folder, file), FILES[file])
  symlinkSync(MODULES, join(folder, 'node_modules'))
  return folder
}

function partOf(cwd: string) {
  const ava = join(MODULES, 'ava/entrypoints/cli.js')
  return { name: 'tests', minutes: 1, cwd, isHeld: true, command: [process.execPath, ava], again: (files: readonly string[]) => ({ command: [process.execPath, ava, '--serial', ...files] }) }
}

test('a test that is red once and green alone is a flake with its reason, and what is red twice a failure', async (t) => {
  const outcome = await runPart(partOf(project(t, ['flaky.test.js', 'broken.test.js'])), silent)
  t.deepEqual(outcome.flakes.map(({ title }) => title), ['is green alone'])
  t.deepEqual(outcome.failed.map(({ title }) => title), ['is red'])
  t.regex(outcome.failed[0]?.reason ?? '', /broken/)
  t.is(outcome.passed, 2)
})

test('a file that ends by an error outside of its tests fails', async (t) => {
  const outcome = await runPart(partOf(project(t, ['crash.test.js'])), silent)
  t.is(outcome.failed.length, 1)
  t.regex(outcome.failed[0]?.file ?? '', /crash\.test\.js$/)
})

test('a part whose command fails before any test ran fails', async (t) => {
  const outcome = await runPart({ ...partOf(project(t, [])), command: ['sh', '-c', 'exit 3'] }, silent)
  t.is(outcome.failed.length, 1)
})
