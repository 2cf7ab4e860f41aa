import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { patternsOf } from '../gate/patterns.ts'
import { readSourceFiles, ROOT } from './source-files.ts'

/** Test files in which time passes on purpose, each with the reason. */
const TAKE_TIME: Readonly<Record<string, string>> = {
  'test/e2e/engine-ledger.test.ts': 'kills at any moment of a storm, and prints how long its parts took',
  'test/e2e/ledger.test.ts': 'kills at any moment of a storm, and prints how long its parts took',
  'test/e2e/messages-ledger.test.ts': 'kills at any moment of a storm, and prints how long its parts took',
  'test/e2e/nodes-engines.test.ts': 'strikes at any moment of a storm, and prints how long its parts took',
  'test/e2e/nodes-frozen.test.ts': 'a gateway is frozen for 20 s, whatever happens sooner',
  'test/e2e/nodes-outages.test.ts': 'an outage lasts 30 s at full size, whatever it does sooner',
  'test/e2e/nodes-register-away.test.ts': 'an outage lasts 30 s at full size, whatever it does sooner',
  'test/http/body-bounds.test.ts': 'advances a clock until an answer comes, however many turns that takes',
  'test/media-host/legs/consent.test.ts':
    'advances the timers of the stack, which has no clock of ours; nothing waits for real time',
  'test/http/with-database.test.ts':
    'compares neighbours in pairs: which of them took longer says nothing of whose password it was',
}
const TESTS = readSourceFiles(['test', 'engines']).filter(({ path }) => path.endsWith('.test.ts'))
/** The files of each thread that several share when everything runs. */
const THREADS = readSourceFiles(['test/together']).map(({ text }) =>
  [...text.matchAll(/^import '\.\.\/(.+)'$/gm)].map(([, file]) => `test/${file}`),
)
const GROUPED = THREADS.flat()

test('no test sleeps or measures how long the machine takes: it waits until something is so', (t) => {
  const takesTime = /setTimeout(?!Type)|performance\.now\(\)/
  t.deepEqual(
    TESTS.filter(
      ({ path, text }) => takesTime.test(text) && !(path in TAKE_TIME) && !path.startsWith('test/arch/'),
    ).map(({ path }) => path),
    [],
  )
})

test('no file that shares a thread has hooks for each test, which would run for those of the others, or waits before its tests are declared', (t) => {
  t.true(GROUPED.length > 0)
  t.deepEqual(
    TESTS.filter(
      ({ path, text }) => GROUPED.includes(path) && /test\.(beforeEach|afterEach)|^(const .* = )?await /m.test(text),
    ).map(({ path }) => path),
    [],
  )
})

/** The titles of tests that stand as they are in a text. */
function titlesIn(text: string): string[] {
  return [...text.matchAll(/^test(?:\.serial)?\(\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")/gm)].map(
    ([, title = '']) => title,
  )
}

test('files that share a thread have no test of the same title, with which the thread would not start', (t) => {
  const texts = new Map(TESTS.map(({ path, text }) => [path, text]))
  const repeated = THREADS.flatMap((paths) => {
    const titles = paths.flatMap((path) => titlesIn(texts.get(path) ?? ''))
    return titles.filter((title, at) => titles.indexOf(title) !== at)
  })
  t.deepEqual(repeated, [])
  t.deepEqual(titlesIn(`test('a', () => {})\ntest.serial(\n  "b's", () => {})`), ["'a'", `"b's"`])
})

/** The files that the patterns name, without those that they leave out. */
function filesOf(patterns: readonly string[]): ReadonlySet<string> {
  const isOut = (pattern: string) => pattern.startsWith('!')
  const named = globSync(
    patterns.filter((pattern) => !isOut(pattern)),
    { cwd: ROOT },
  )
  const out = new Set(
    globSync(
      patterns.filter(isOut).map((pattern) => pattern.slice(1)),
      { cwd: ROOT },
    ),
  )
  return new Set(named.filter((path) => !out.has(path)))
}

/** What a script of package.json names: files, and folders with all that is in them. */
function namedBy(script: string): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const words: readonly string[] = scripts[script].split(' ').filter((word: string) => word.startsWith('test/'))
  return words.map((word) => (word.endsWith('.ts') ? word : `${word}/**/*.test.ts`))
}

test('every test runs in a part of the gate', (t) => {
  const onServers = filesOf(patternsOf({ TEST_SERVICES: '1' }))
  const run = new Set([
    ...GROUPED,
    ...filesOf(patternsOf({ TEST_TOGETHER: '1' })),
    ...[...filesOf(namedBy('test:services'))].filter((path) => onServers.has(path)),
    ...filesOf([...namedBy('test:quiet'), ...namedBy('test:examples')]),
  ])
  const paths = TESTS.map(({ path }) => path).filter((path) => path.startsWith('test/'))
  t.true(paths.length > 500)
  t.deepEqual(
    paths.filter((path) => !run.has(path)),
    [],
  )
})
