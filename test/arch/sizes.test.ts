import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { namedFunctions, wideComments } from './syntax.ts'
import { readSourceFiles, ROOT } from './source-files.ts'

const FILES = readSourceFiles([
  'src',
  'tools',
  'actors',
  'media-host',
  'sandbox',
  'migrations',
  'web',
  'examples',
  'engines/media',
  'engines/baileys',
]).filter(({ path }) => !/^engines\/baileys\/(test|bench)\//.test(path))
const FUNCTION_LINES = 40
const COLUMNS = 120

interface LintOverride {
  readonly files: readonly string[]
  readonly rules: Readonly<Record<string, unknown>>
}

/**
 * Files that lint allows any number of imports, named one by one: they contain only imports, types and one list, and
 * each import is a row of it.
 */
const PURE_LISTS = (
  JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as { readonly overrides: readonly LintOverride[] }
).overrides
  .filter(({ files, rules }) => rules['import/max-dependencies'] === 'off' && !files.some((name) => name.includes('*')))
  .flatMap(({ files }) => files)

test(`no function has more than ${FUNCTION_LINES} lines of its own`, (t) => {
  const long = FILES.flatMap(({ path, text }) =>
    namedFunctions(path, text)
      .filter(({ own }) => own > FUNCTION_LINES)
      .map(({ from, name, own }) => `${path}:${from} ${name}: ${own}`),
  )
  t.deepEqual(long, [])
})

test(`no comment is wider than ${COLUMNS} columns, which the formatter leaves alone`, (t) => {
  const wide = readSourceFiles().flatMap(({ path, text }) =>
    wideComments(path, text, COLUMNS).map((line) => `${path}:${line}`),
  )
  t.deepEqual(wide, [])
})

test('a pure list decides nothing: it has no branch, no loop, and at most the function that is the list', (t) => {
  t.true(PURE_LISTS.length > 0)
  for (const path of PURE_LISTS) {
    const file = FILES.find((one) => one.path === path)
    const code =
      file?.text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^(export )?(type|interface) [\s\S]*?\n(?=\n|$)/gm, '')
      ?? ''
    t.not(code, '', path)
    t.notRegex(code, /\b(if|for|while|switch|try)\b|\bclass \w| \? |&&|\|\||\?\?/, path)
    t.true((code.match(/\bfunction\b/g) ?? []).length <= 1, path)
  }
})

/** The entry of a package, which re-exports what the package offers; importers name the package, not this file. */
const PACKAGE_ENTRY = 'web/sdk/src/index.ts'

test('no source folder is called utils, helpers or common, and no file re-exports a folder', (t) => {
  t.deepEqual(
    FILES.filter(
      (file) => /(^|\/)(utils?|helpers?|common|index)(\/|\.tsx?$)/.test(file.path) && file.path !== PACKAGE_ENTRY,
    ).map((file) => file.path),
    [],
  )
})

test('no source file speaks of how it is made', (t) => {
  const words = /\b(TODO|FIXME|XXX)\b|\/work\/|reference\/|shared\/spec/
  t.deepEqual(
    FILES.filter((file) => words.test(file.text)).map((file) => file.path),
    [],
  )
})
