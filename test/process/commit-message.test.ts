import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { faultsOf, LONGEST_SUBJECT } from '../../tools/commits/message.ts'
import { stepsFor } from '../../tools/commits/staged.ts'

const ROOT = new URL('../../', import.meta.url).pathname

test('a subject with type, scope and words is taken', (t) => {
  t.deepEqual(faultsOf('feat(calls): a call can be held\n\nWhy it is so.\n'), [])
  t.deepEqual(faultsOf('docs: what a lease is\n'), [])
  t.deepEqual(faultsOf('feat(api)!: pages are asked by cursor\n'), [])
})

test('a subject without a type of this repository is refused with the list of types', (t) => {
  t.regex(faultsOf('Calls can be held\n').join(), /one of feat, fix/)
  t.regex(faultsOf('feature(calls): a call can be held\n').join(), /one of feat, fix/)
  t.regex(faultsOf('fix(calls):\n').join(), /one of feat, fix/)
})

test('a subject may be as long as a list of commits shows', (t) => {
  const subject = 'fix(calls): '.padEnd(LONGEST_SUBJECT, 'x')
  t.deepEqual(faultsOf(subject), [])
  t.deepEqual(faultsOf(`${subject}x`), ['The subject has 73 characters; it may have 72.'])
})

test('a body begins after an empty line', (t) => {
  t.is(faultsOf('fix(calls): a call ends once\nbecause it ended twice').length, 1)
})

test('comments of the editor are no part of a message', (t) => {
  t.deepEqual(faultsOf('# On branch main\nfix(calls): a call ends once\n# Changes\n'), [])
})

test('messages that git writes itself are accepted', (t) => {
  t.deepEqual(faultsOf('Revert "fix(calls): a call ends once"\n'), [])
  t.deepEqual(faultsOf("Merge branch 'main'\n"), [])
})

test('a commit of documents alone runs no check of sources', (t) => {
  t.deepEqual(stepsFor(['README.md', 'docs/api.md']), [])
})

test('a commit of sources has its form, its lint and all types checked', (t) => {
  const steps = stepsFor(['src/main.ts', 'README.md'])
  t.deepEqual(
    steps.map(({ command }) => command),
    ['oxfmt', 'oxlint', 'npm'],
  )
  t.deepEqual(steps[0]?.args, ['--check', 'src/main.ts'])
})

test('the hook of a repository refuses a commit whose message is not in form', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-hooks-'))
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  git('init', '-q')
  for (const [name, value] of [
    ['user.name', 'Ann'],
    ['user.email', 'ann@example.com'],
    ['core.hooksPath', join(folder, 'hooks')],
  ] as const)
    git('config', name, value)
  // The hook of this repository, with the path of its scripts.
  const hook = readFileSync(join(ROOT, '.githooks/commit-msg'), 'utf8').replace('npm ', `npm --prefix ${ROOT} `)
  execFileSync('mkdir', [join(folder, 'hooks')])
  writeFileSync(join(folder, 'hooks/commit-msg'), hook, { mode: 0o755 })
  const refused = git('commit', '-q', '--allow-empty', '-m', 'whatever')
  t.not(refused.status, 0)
  t.regex(refused.stderr, /type\(scope\): what changed/)
  t.is(git('commit', '-q', '--allow-empty', '-m', 'fix(calls): a call ends once').status, 0)
})
