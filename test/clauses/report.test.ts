import test from 'ava'
import { citationsIn } from '../../tools/clauses/citations.ts'
import type { Page } from '../../tools/clauses/page.ts'
import { report } from '../../tools/clauses/report.ts'

const DOORS: Page = {
  path: 'docs/contract/doors.md',
  isServed: true,
  clauses: [
    { mark: 'doors.hinges.1', line: 9, isServed: true },
    { mark: 'doors.hinges.2', line: 10, isServed: true },
  ],
  faults: [],
}
const GATES: Page = {
  path: 'docs/contract/gates.md',
  isServed: false,
  clauses: [{ mark: 'gates.bars.1', line: 11, isServed: false }],
  faults: [],
}

/** A mark in brackets. Spelled out in this file, it would count as a citation. */
function marked(mark: string): string {
  return `[${mark}]`
}

function citing(path: string, ...marks: readonly string[]) {
  return citationsIn({ path, text: marks.map((mark) => `// it opens (${marked(mark)})`).join('\n') })
}

test('a mark is cited in brackets, wherever it stands in a line, more than one of a line too', (t) => {
  const text = `one\nsee ${marked('doors.hinges.1')} and ${marked('gates.bars.12')}: x[1.5], y[a.b.c], doors.hinges.2`
  t.deepEqual(citationsIn({ path: 'src/door.ts', text }), [
    { mark: 'doors.hinges.1', place: 'src/door.ts:2', isOfTest: false },
    { mark: 'gates.bars.12', place: 'src/door.ts:2', isOfTest: false },
  ])
})

test('rules that are served and that no test cites are listed; source does not count, planned ones are not asked for', (t) => {
  const cited = [
    ...citing('test/door.test.ts', 'doors.hinges.1'),
    ...citing('src/door.ts', 'doors.hinges.2', 'gates.bars.1'),
  ]
  t.deepEqual(report([DOORS, GATES], cited), {
    lines: [
      'docs/contract/doors.md: 1 of 2 cited by no test',
      `  ${marked('doors.hinges.2')} line 10`,
      '1 of 2 rules that are served are cited by tests, 0 faults',
    ],
    isSound: false,
  })
})

test('planned rules of a served page are not asked for either', (t) => {
  const half = { ...DOORS, clauses: DOORS.clauses.map((clause, at) => ({ ...clause, isServed: at === 0 })) }
  t.deepEqual(report([half], citing('test/door.test.ts', 'doors.hinges.1')).lines, [
    '1 of 1 rules that are served are cited by tests, 0 faults',
  ])
})

test('a rule without a test is no fault where the list says why; the list has no rule that is cited, or not served', (t) => {
  const cited = citing('test/door.test.ts', 'doors.hinges.1')
  t.deepEqual(report([DOORS, GATES], cited, ['doors.hinges.2']), {
    lines: ['1 of 2 rules that are served are cited by tests, 0 faults'],
    isSound: true,
  })
  const { lines, isSound } = report([DOORS, GATES], cited, ['doors.hinges.1', 'doors.hinges.2', 'gates.bars.1'])
  t.false(isSound)
  t.deepEqual(lines.slice(0, -1), [
    `the list of rules without a test has ${marked('doors.hinges.1')}, which a test cites`,
    `the list of rules without a test has ${marked('gates.bars.1')}, which is no rule that is served`,
  ])
})

test('tests of an engine are tests', (t) => {
  const cited = citing('engines/baileys/test/door.test.ts', 'doors.hinges.1', 'doors.hinges.2')
  t.deepEqual(report([DOORS], cited).lines, ['2 of 2 rules that are served are cited by tests, 0 faults'])
})

test('a citation of an unknown rule, a mark with two rules, and a faulty page each fail the report', (t) => {
  const twice = {
    ...GATES,
    clauses: [...GATES.clauses, { mark: 'gates.bars.1', line: 12, isServed: false }],
    faults: ['a fault'],
  }
  const { lines, isSound } = report([twice], citing('test/door.test.ts', 'gates.bars.1', 'gates.bars.2'))
  t.false(isSound)
  t.deepEqual(lines, [
    `test/door.test.ts:2 cites ${marked('gates.bars.2')}, which no page has`,
    `two rules have one mark: ${marked('gates.bars.1')} docs/contract/gates.md:11, docs/contract/gates.md:12`,
    'a fault',
    '0 of 0 rules that are served are cited by tests, 3 faults',
  ])
})
