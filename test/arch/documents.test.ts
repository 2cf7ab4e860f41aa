import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { ROOT } from './source-files.ts'

/** Paths from the root, as a document writes them in backticks; `<...>` stands for any name. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:src|tools|actors|engines|media-host|sandbox|web|test|migrations|bench|docs)\/[\w./-]*)`/g)].map(([, path = '']) => path)
}

test('every path that the architecture and the README name is there', (t) => {
  const named = ['docs/architecture.md', 'README.md'].flatMap((name) => pathsIn(readFileSync(join(ROOT, name), 'utf8')))
  t.true(named.length > 30)
  t.deepEqual(named.filter((path) => !existsSync(join(ROOT, path))), [])
})

const GUIDES = ['README.md', ...readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`), 'engines/baileys/README.md', 'engines/media/README.md']

test('every command of the project that a document names is there', (t) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const named = GUIDES.flatMap((guide) => [...readFileSync(join(ROOT, guide), 'utf8').matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name = '']) => `${guide} ${name}`))
  t.true(named.length > 30)
  t.deepEqual(named.filter((one) => scripts[one.split(' ')[1] ?? ''] === undefined), [])
})

test('no document counts the tools, which change with the routes', (t) => {
  t.deepEqual(GUIDES.filter((guide) => /\b\d+ tools\b/.test(readFileSync(join(ROOT, guide), 'utf8'))), [])
})
