import { existsSync, readFileSync } from 'node:fs'
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
