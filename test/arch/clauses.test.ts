import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { astray, citationsIn, doubled } from '../../tools/clauses/citations.ts'
import { report } from '../../tools/clauses/report.ts'
import { readPages, readSources, readUntested } from '../../tools/clauses/tree.ts'
import { readSourceFiles, ROOT } from './source-files.ts'

const PAGES = readPages(ROOT)

test('every cited mark is that of a rule of the contract', (t) => {
  const strays = astray(PAGES, readSources(ROOT).flatMap(citationsIn))
  t.deepEqual(
    strays.map(({ mark, place }) => `${place} ${mark}`),
    [],
  )
})

test('every rule that is served is cited by a test, or the contract says why it has none', (t) => {
  const { lines } = report(PAGES, readSources(ROOT).flatMap(citationsIn), readUntested(ROOT))
  t.deepEqual(lines.slice(0, -1), [])
})

test('a rule is cited by its mark, not by the number of a section', (t) => {
  const bySection = readSourceFiles().flatMap(({ path, lines }) =>
    lines.flatMap((line, at) =>
      /\b(?:contract|architecture|specification) \d/i.test(line) ? [`${path}:${at + 1}`] : [],
    ),
  )
  t.deepEqual(bySection, [])
})

test('each rule of the contract has a mark of its own, which its topic and heading begin', (t) => {
  t.true(PAGES.length > 30)
  t.true(PAGES.every(({ clauses }) => clauses.length > 0))
  t.deepEqual(
    PAGES.flatMap(({ faults }) => faults),
    [],
  )
  t.deepEqual(doubled(PAGES), [])
})

test('the list of the contract has every topic, under what it is: served or planned', (t) => {
  const list = readFileSync(join(ROOT, 'docs/contract/README.md'), 'utf8')
  const topicsBelow = (heading: string): string[] => {
    const part = list.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
    return [...part.matchAll(/^\| \[[\w-]+\]\(([\w-]+\.md)\)/gm)].map(([, name = '']) => `docs/contract/${name}`)
  }
  for (const [heading, isServed] of [
    ['Served', true],
    ['Planned', false],
  ] as const)
    t.deepEqual(
      topicsBelow(heading).toSorted(),
      PAGES.filter((page) => page.isServed === isServed).map(({ path }) => path),
    )
})
