import test from 'ava'
import type { Fact } from './observer.ts'
import { patternsOf } from './patterns.ts'
import { resultsOf } from './results.ts'
import { againOf, isGreen, outcomeOf, shareOf, together, turnOf } from './verdict.ts'

const red = (title: string, file = '/a.test.ts'): Fact => ({ fact: 'red', file, title, reason: 'no' })
const end = (passed: number): Fact => ({ fact: 'end', passed, skipped: 0 })
const run = (...facts: Fact[]) => resultsOf(facts)

test('a test that failed and then passes alone is a flake, and counts as passed', (t) => {
  const outcome = outcomeOf('part', 1, run(red('one'), end(9)), run(end(3)))
  t.is(outcome.passed, 10)
  t.deepEqual(
    outcome.flakes.map(({ title }) => title),
    ['one'],
  )
  t.deepEqual(outcome.failed, [])
  t.true(isGreen(outcome))
})

test('a test that fails twice fails the run, whatever else was a flake', (t) => {
  const outcome = outcomeOf('part', 1, run(red('one'), red('two'), end(8)), run(red('two'), end(2)))
  t.deepEqual(
    outcome.failed.map(({ title }) => title),
    ['two'],
  )
  t.deepEqual(
    outcome.flakes.map(({ title }) => title),
    ['one'],
  )
  t.false(isGreen(outcome))
})

test('more than three flakes in all parts together fail the run', (t) => {
  const flakes = (...titles: string[]) =>
    outcomeOf('part', 1, run(...titles.map((title) => red(title)), end(1)), run(end(1)))
  t.true(isGreen(together([flakes('a', 'b'), flakes('c')])))
  t.false(isGreen(together([flakes('a', 'b'), flakes('c', 'd')])))
})

test('a command that fails without a red test is a failure that no second try hides', (t) => {
  const first = run()
  t.is(outcomeOf('npm test', 2, run(end(0)), null).failed.length, 1)
  t.is(againOf({ ...first, cut: null }), 'nothing')
})

test('a run that was cut is run once more as a whole, and names what was not over', (t) => {
  const first = run({ fact: 'cut', pending: [{ file: '/a.test.ts', titles: ['hangs'] }] }, end(4))
  t.is(againOf(first), 'whole')
  const outcome = outcomeOf('part', 1, first, run(end(20)))
  t.is(outcome.passed, 20)
  t.deepEqual(
    outcome.flakes.map(({ title }) => title),
    ['hangs'],
  )
})

test('a second try that was cut clears nothing', (t) => {
  const first = run(red('one'), end(9))
  const cut = outcomeOf('part', 1, first, run({ fact: 'begun', file: '/a.test.ts', at: 0 }))
  t.deepEqual([cut.failed.map(({ title }) => title), cut.flakes], [['one'], []])
  const never = outcomeOf('part', 1, first, null)
  t.deepEqual([never.failed.map(({ title }) => title), never.flakes], [['one'], []])
})

test('a run that wrote no end was cut', (t) => {
  t.not(run(red('one')).cut, null)
  t.is(run(end(1)).cut, null)
})

test('a run that was ended without naming its tests names the files that were not over', (t) => {
  const files = [
    { fact: 'begun', file: 'a.test.ts', at: 0 },
    { fact: 'begun', file: 'b.test.ts', at: 0 },
    { fact: 'over', file: 'a.test.ts', at: 1 },
  ] as const
  t.deepEqual(
    run(...files).cut?.map(({ file }) => file),
    ['b.test.ts'],
  )
})

test('a file whose test was red is not told twice', (t) => {
  t.is(run(red('one'), red('the process of this file failed'), end(0)).red.length, 1)
  t.is(run(red('the process of this file failed'), end(0)).red.length, 1)
})

test('ledgers count less on a slow machine, below a half they are small, and never more than all', (t) => {
  t.deepEqual(
    [3, 6, 12, 24, 90].map((minutes) => shareOf(minutes, 6)),
    [1, 1, 0.5, 0, 0],
  )
})

test('a machine less than half as fast runs one half of the stories of the gate today, the other tomorrow', (t) => {
  const nowMs = Date.UTC(2026, 11, 1)
  t.is(turnOf(0.5, nowMs), null)
  const turns = [nowMs, nowMs + 86_400_000].map((at) => turnOf(0, at))
  t.deepEqual(turns.toSorted(), [0, 1])
  const [all = [], ...halves] = [{}, { TEST_TURN: '0' }, { TEST_TURN: '1' }].map(patternsOf)
  const left = halves.map((files) => files.filter((file) => !all.includes(file)))
  t.true(left.every(({ length }) => length > 50))
  t.true((left[0] ?? []).every((file) => !left[1]?.includes(file)))
  t.true((left[0] ?? []).concat(left[1] ?? []).includes('!test/e2e/ledger.test.ts'))
})
