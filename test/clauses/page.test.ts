import test from 'ava'
import { readPage } from '../../tools/clauses/page.ts'

/** A mark in brackets. Spelled out in this file, it would count as a citation. */
function marked(mark: string): string {
  return `[${mark}]`
}

function page(body: readonly string[], front = ['topic: doors', 'status: served']): string {
  return ['---', ...front, '---', '', '# Doors', '', ...body, ''].join('\n')
}

test('items of lists and rows of tables are rules, each with its line', (t) => {
  const text = page([
    '## Hinges and locks',
    '',
    `- ${marked('doors.hinges-and-locks.1')} A door has hinges.`,
    '  It may have a lock.',
    '',
    '| mark | lock | keys |',
    '|---|---|---|',
    `| ${marked('doors.hinges-and-locks.2')} | one | two |`,
    '',
    'Words beside them are none.',
  ])
  t.deepEqual(readPage('docs/contract/doors.md', text), {
    path: 'docs/contract/doors.md',
    isServed: true,
    clauses: [
      { mark: 'doors.hinges-and-locks.1', line: 10, isServed: true },
      { mark: 'doors.hinges-and-locks.2', line: 15, isServed: true },
    ],
    faults: [],
  })
})

test('a page of planned rules says so at its head, and its rules are not served', (t) => {
  const front = ['topic: doors', 'status: planned']
  const { isServed, faults } = readPage('docs/contract/doors.md', page(['Planned: not yet served.'], front))
  t.deepEqual([isServed, faults], [false, []])
  t.deepEqual(readPage('docs/contract/doors.md', page([], front)).faults, [
    'docs/contract/doors.md: "Planned: not yet served." does not fit its status',
  ])
})

test('a served page can plan the rest of a subject: rules below the line that says so, up to the next heading', (t) => {
  const { isServed, clauses, faults } = readPage(
    'docs/contract/doors.md',
    page([
      '## Hinges',
      '',
      `- ${marked('doors.hinges.1')} A door has hinges.`,
      '',
      'Planned: not yet served.',
      '',
      `- ${marked('doors.hinges.2')} A hinge is oiled.`,
      '',
      '## Locks',
      '',
      `- ${marked('doors.locks.1')} A door has a lock.`,
    ]),
  )
  t.deepEqual(faults, [])
  t.true(isServed)
  t.deepEqual(
    clauses.map((clause) => [clause.mark, clause.isServed]),
    [
      ['doors.hinges.1', true],
      ['doors.hinges.2', false],
      ['doors.locks.1', true],
    ],
  )
})

test('a served page does not say at its head that it is planned', (t) => {
  t.deepEqual(readPage('docs/contract/doors.md', page(['Planned: not yet served.', '', '## Hinges'])).faults, [
    'docs/contract/doors.md: "Planned: not yet served." does not fit its status',
  ])
})

for (const [what, line, fault] of [
  ['a rule without a mark', '- A door opens.', 'is a rule without a mark'],
  ['a row without a mark', '| one | two |', 'is a rule without a mark'],
  [
    'a mark of another heading',
    `- ${marked('doors.locks.1')} A lock locks.`,
    `${marked('doors.locks.1')} does not begin with doors.hinges. as its topic and heading do`,
  ],
  [
    'a mark of another topic',
    `- ${marked('gates.hinges.1')} A gate opens.`,
    `${marked('gates.hinges.1')} does not begin with doors.hinges. as its topic and heading do`,
  ],
  [
    'a mark without a number',
    `- ${marked('doors.hinges.x')} A door opens.`,
    `${marked('doors.hinges.x')} does not end in a number`,
  ],
  ['a line that is too wide', 'wide '.repeat(25), 'is wider than 120 columns'],
] as const) {
  test(`${what} is a fault of its page`, (t) => {
    const { clauses, faults } = readPage('docs/contract/doors.md', page(['## Hinges', '', line]))
    t.deepEqual([clauses, faults], [[], [`docs/contract/doors.md:10 ${fault}`]])
  })
}

test('a page that is not named as its topic, or has no status, is told of', (t) => {
  t.deepEqual(readPage('docs/contract/gates.md', page([], ['topic: doors'])).faults, [
    'docs/contract/gates.md: its topic is not the name of the file',
    'docs/contract/gates.md: its status is neither served nor planned',
  ])
})
