import test from 'ava'
import type { SourceFile } from '../arch/source-files.ts'
import { nearestTests } from './nearest-tests.ts'
import { planOf } from './plan.ts'
import { scoreOf, survivorsText, type Change } from './score.ts'

function file(path: string, targets: readonly string[], isTypeOnly = false): SourceFile {
  return { path, text: '', lines: [], imports: targets.map((target) => ({ target, isPackage: false, isTypeOnly })) }
}

test('the tests of a file are those that reach it, the nearest first, then those named like it', (t) => {
  const files = [
    file('src/domain/lease.ts', []),
    file('src/domain/owner.ts', ['src/domain/lease.ts']),
    file('test/domain/owner.test.ts', ['src/domain/owner.ts']),
    file('test/domain/zone-lease.test.ts', ['src/domain/lease.ts']),
    file('test/domain/any.test.ts', ['src/domain/lease.ts']),
    file('test/domain/types.test.ts', ['src/domain/lease.ts'], true),
    file('test/e2e/lease.test.ts', ['src/domain/lease.ts']),
  ]
  t.deepEqual(nearestTests('src/domain/lease.ts', files), [
    'test/domain/zone-lease.test.ts',
    'test/domain/any.test.ts',
    'test/domain/owner.test.ts',
  ])
})

test('a change is tried by the tests that meet it while there is time, and one met as its file is loaded by any', (t) => {
  const tests = ['near', 'broken', 'far', 'blind', 'quick']
  const met = new Map([
    ['far', { atLoad: { 0: 1 }, inTest: { 1: 1, 2: 1, 4: 1 }, ms: 30_000 }],
    ['near', { atLoad: {}, inTest: { 1: 1 }, ms: 1_000 }],
    ['quick', { atLoad: { 0: 1 }, inTest: { 4: 1 }, ms: 10 }],
    ['blind', { atLoad: { 0: 1 }, inTest: {}, ms: 3_500 }],
  ])
  const files = [{ path: 'a.ts', changes: ['0', '1', '2', '3', '4'], tests }]
  t.deepEqual(planOf(files, met), {
    '0': ['near', 'quick'],
    '1': ['near'],
    '2': ['far'],
    '3': [],
    '4': ['quick'],
  })
})

function change(status: string, fileName = 'a.ts'): Change {
  return { fileName, status, mutatorName: 'Flip', replacement: 'a\n  b', location: { start: { line: 2, column: 3 } } }
}

test('a change that fails a test or hangs it is noticed, and one that cannot run says nothing', (t) => {
  t.is(scoreOf([change('Killed'), change('Timeout'), change('Survived'), change('CompileError')]), (2 / 3) * 100)
  t.is(scoreOf([]), 100)
})

test('a change that no test can notice is told with the reason', (t) => {
  t.is(
    survivorsText([change('Survived')], ({ replacement }) => `${replacement.length} letters`),
    'a.ts 0 %\n  2:3 Flip: a b (5 letters)\n',
  )
})

test('each change that no test noticed has a line, under its file', (t) => {
  t.is(survivorsText([change('Killed'), change('Survived'), change('Killed', 'b.ts')]), 'a.ts 50 %\n  2:3 Flip: a b\n')
})
