import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { deadLinksOf } from './links.ts'
import { ROOT } from './source-files.ts'

/** Paths from the root that a document writes in backticks; `<...>` stands for any name. */
function pathsIn(text: string): string[] {
  return [
    ...text.matchAll(/`((?:src|tools|actors|engines|media-host|sandbox|web|test|migrations|bench|docs)\/[\w./-]*)`/g),
  ].map(([, path = '']) => path)
}

test('every path that the architecture and the README name is there', (t) => {
  const named = ['docs/architecture.md', 'README.md'].flatMap((name) => pathsIn(readFileSync(join(ROOT, name), 'utf8')))
  t.true(named.length > 30)
  t.deepEqual(
    named.filter((path) => !existsSync(join(ROOT, path))),
    [],
  )
})

const GUIDES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md') && name !== 'THIRD_PARTY.md'),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'engines/baileys/README.md',
  'engines/media/README.md',
]

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

function inGuides(what: RegExp): string[] {
  return GUIDES.flatMap((guide) =>
    [...readFileSync(join(ROOT, guide), 'utf8').matchAll(what)].map(([found, name = found]) => `${guide} ${name}`),
  )
}

function scriptOf(named: string): string | undefined {
  return scripts[named.split(' ')[1] ?? '']
}

test('every command of the project that a document names is there', (t) => {
  const named = inGuides(/npm run (?:-s )?([a-z][\w:-]*)/g)
  t.true(named.length > 30)
  t.deepEqual(
    named.filter((one) => scriptOf(one) === undefined),
    [],
  )
})

test('a command that is given a key or a token does not let npm print it', (t) => {
  t.deepEqual(inGuides(/^npm run (?!-s )\S+ .*--(?:key|token) \$.*$/gm), [])
})

test('what a document starts in the background ends when npm is told to', (t) => {
  const started = inGuides(/^[^#\n]*npm (?:run )?([a-z][\w:-]*) &(?!&)/gm)
  t.true(started.length > 2)
  // This script takes arguments, which npm appends to the end of a script.
  const own = started.filter((one) => !one.endsWith(' engine'))
  t.deepEqual(
    own.filter((one) => !scriptOf(one)?.startsWith('exec ')),
    [],
  )
})

test('a document starts programs by scripts, which find the Node that can run them', (t) => {
  t.deepEqual(inGuides(/^node [\w/-]+\.ts.*$/gm), [])
})

test('no document counts the tools, which change with the routes', (t) => {
  t.deepEqual(
    GUIDES.filter((guide) => /\b\d+ tools\b/.test(readFileSync(join(ROOT, guide), 'utf8'))),
    [],
  )
})

test('the changelog begins with the version of the package', (t) => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const [newest] = /^## .*$/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? []
  t.regex(newest ?? '', new RegExp(`^## ${version.replaceAll('.', '\\.')}\\b`))
})

test('each link from one document to another leads to a file, and to a heading of it', (t) => {
  t.deepEqual(
    GUIDES.flatMap((guide) => deadLinksOf(guide)),
    [],
  )
})

test('no line of a document has more than 120 columns, but those of tables, and addresses', (t) => {
  const wide = GUIDES.flatMap((guide) =>
    readFileSync(join(ROOT, guide), 'utf8')
      .split('\n')
      .filter((line) => line.length > 120 && !/^\s*\|/.test(line) && !/(?:https?|data):\S{60}/.test(line))
      .map((line) => `${guide}: ${line.slice(0, 80)}`),
  )
  t.deepEqual(wide, [])
})

const DECISIONS = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name))

function textOfDecision(name: string): string {
  return readFileSync(join(ROOT, 'docs/decisions', name), 'utf8')
}

test('the index of decisions names each of them by its title, its status and its date', (t) => {
  const index = readFileSync(join(ROOT, 'docs/decisions/README.md'), 'utf8')
  t.true(DECISIONS.length > 50)
  for (const name of DECISIONS) {
    const [, number = '', title = '', status = '', date = ''] =
      /^# (\d{4}) (.*)\n\n- Status: (.*)\n- Date: (.*)$/m.exec(textOfDecision(name)) ?? []
    t.true(index.includes(`| [${number}](${name}) | ${title} | ${status} | ${date} |`), name)
  }
})

test('each decision says its status and its date, then context, options, decision and consequences', (t) => {
  const numbers = DECISIONS.map((name) => name.slice(0, 4))
  for (const name of DECISIONS) {
    const text = textOfDecision(name)
    const [status, successor] = /^- Status: (?:accepted|superseded by (\d{4}))$/m.exec(text) ?? []
    t.not(status, undefined, `${name}: no status`)
    t.true(successor === undefined || numbers.includes(successor), `${name}: ${successor} is no decision`)
    t.true(/^- Date: 20\d\d-[01]\d-[0-3]\d$/m.test(text), `${name}: no date`)
    const parts = text.split(/^## /m).slice(1)
    t.deepEqual(
      parts.map((part) => part.split('\n', 1)[0]),
      ['Context', 'Options', 'Decision', 'Consequences'],
      name,
    )
    t.true(
      parts.every((part) => part.split('\n').slice(1).join('').trim() !== ''),
      `${name}: a heading without text`,
    )
    t.true(/^- [^]*^- /m.test(parts[1] ?? ''), `${name}: a decision weighs two options at least`)
  }
})

test('decisions are numbered from 0001 without a gap, and none is longer than 60 lines', (t) => {
  t.deepEqual(
    DECISIONS.toSorted().map((name) => Number(name.slice(0, 4))),
    DECISIONS.map((_, at) => at + 1),
  )
  t.deepEqual(
    DECISIONS.filter((name) => textOfDecision(name).trimEnd().split('\n').length > 60),
    [],
  )
})

test('the glossary has at most 40 words, in their order', (t) => {
  const words = [...readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8').matchAll(/^\| ([a-z ]+) \| [A-Z]/gm)].map(
    ([, word = '']) => word,
  )
  t.true(words.length > 20 && words.length <= 40, String(words.length))
  t.deepEqual(words, words.toSorted())
})
