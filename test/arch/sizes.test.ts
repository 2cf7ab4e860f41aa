import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { readSourceFiles, ROOT, type SourceFile } from './source-files.ts'

const FILES = readSourceFiles(['src', 'tools', 'actors', 'media-host', 'sandbox', 'migrations', 'web', 'engines/media', 'engines/baileys'])
  .filter(({ path }) => !/^engines\/baileys\/(test|bench)\//.test(path))
const FUNCTION_LINES = 40

interface LintOverride {
  readonly files: readonly string[]
  readonly rules: Readonly<Record<string, unknown>>
}

/**
 * Files that lint lets import as much as they like, named one by one: nothing but imports, types and one list, so that each import is a row of it. The list is
 * as long as what it lists.
 */
const PURE_LISTS = (JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as { readonly overrides: readonly LintOverride[] }).overrides
  .filter(({ files, rules }) => rules['import/max-dependencies'] === 'off' && !files.some((name) => name.includes('*'))).flatMap(({ files }) => files)

/** Starts of functions by indentation: a function ends at the first line that closes at the same depth. */
const FUNCTION_START = /^(\s*)(?:export\s+)?(?:default\s+)?(?:(?:async\s+)?function\*?\s+(\w+)|(?:static\s+|override\s+|async\s+|get\s+|set\s+|#)*(#?\w+)\s*(?:<[^>]*>)?\((?:[^()]|\([^()]*\))*\)(?::\s*[^{]+)?\s*\{$|(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)(?::[^=]+)?\s*=>\s*\{$)/
const CONTROL = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'constructor'])

interface Span {
  readonly name: string
  readonly from: number
  readonly lines: number
  /** Lines of functions declared inside: a maker that returns closures counts its own lines only. */
  own: number
}

function functionsOf(file: SourceFile): Span[] {
  const spans: Span[] = []
  file.lines.forEach((line, index) => {
    const match = FUNCTION_START.exec(line)
    const name = match?.[2] ?? match?.[3] ?? match?.[4]
    if (!match || name === undefined || CONTROL.has(name)) return
    const indent = match[1] ?? ''
    const length = file.lines.slice(index + 1).findIndex((next) => next.startsWith(`${indent}}`) && !next.startsWith(`${indent}} `) || next.startsWith(`${indent}}) `))
    if (length >= 0) spans.push({ name, from: index, lines: length + 2, own: length + 2 })
  })
  for (const outer of spans) {
    const inner = spans.filter((span) => span !== outer && span.from > outer.from && span.from + span.lines <= outer.from + outer.lines)
    const direct = inner.filter((span) => !inner.some((other) => other !== span && other.from < span.from && other.from + other.lines >= span.from + span.lines))
    outer.own = outer.lines - direct.reduce((sum, span) => sum + span.lines, 0)
  }
  return spans
}

test(`no function has more than ${FUNCTION_LINES} lines of its own`, (t) => {
  const long = FILES.flatMap((file) => functionsOf(file)
    .filter((span) => span.own > FUNCTION_LINES)
    .map((span) => `${file.path}:${span.from + 1} ${span.name}: ${span.own}`))
  t.deepEqual(long, [])
})

test('a pure list decides nothing: it has no branch, no loop, and at most the function that is the list', (t) => {
  t.true(PURE_LISTS.length > 0)
  for (const path of PURE_LISTS) {
    const file = FILES.find((one) => one.path === path)
    const code = file?.text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^(export )?(type|interface) [\s\S]*?\n(?=\n|$)/gm, '') ?? ''
    t.not(code, '', path)
    t.notRegex(code, /\b(if|for|while|switch|try)\b|\bclass \w| \? |&&|\|\||\?\?/, path)
    t.true((code.match(/\bfunction\b/g) ?? []).length <= 1, path)
  }
})

/** A package has one file that says what it gives: whoever imports it names the package. */
const PACKAGE_ENTRY = 'web/sdk/src/index.ts'

test('no source folder is called utils, helpers or common, and no file re-exports a folder', (t) => {
  t.deepEqual(FILES.filter((file) => /(^|\/)(utils?|helpers?|common|index)(\/|\.tsx?$)/.test(file.path) && file.path !== PACKAGE_ENTRY).map((file) => file.path), [])
})

test('no source file speaks of how it is made', (t) => {
  const words = /\b(TODO|FIXME|XXX)\b|\/work\/|reference\/|shared\/spec/
  t.deepEqual(FILES.filter((file) => words.test(file.text)).map((file) => file.path), [])
})
