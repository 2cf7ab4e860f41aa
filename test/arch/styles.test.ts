import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { readSourceFiles, ROOT } from './source-files.ts'

/*
 * A style sheet of a part of the dashboard stays in the document once its part was shown, so its rules reach the pages
 * that are shown after it.
 */

/** What every page of the dashboard loads. */
const SHELL = ['web/dashboard/dashboard.css', 'web/ui/base.css', 'web/ui/pairing/pairing.css']

interface Sheet {
  readonly path: string
  readonly selectors: readonly string[]
  /** The classes that it names itself: what stands behind one of them in a selector may be of another sheet. */
  readonly classes: ReadonlySet<string>
}

function selectorsOf(path: string): string[] {
  const css = readFileSync(join(ROOT, path), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '')
  return (
    [...css.matchAll(/([^{};]+)\{/g)]
      .map(([, prelude = '']) => prelude.trim())
      .filter((prelude) => !/^(@|to$|from$|\d)/.test(prelude))
      // A comma inside of parentheses parts no selectors.
      .flatMap((prelude) => prelude.split(/,(?![^(]*\))/))
      .map((selector) => selector.trim().replaceAll(/\s+/g, ' '))
  )
}

function classesOf(selector: string): string[] {
  return [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)
}

const SHELL_CLASSES = new Set(SHELL.flatMap(selectorsOf).flatMap(classesOf))

function sheetOf(path: string): Sheet {
  const selectors = selectorsOf(path)
  const named = selectors.flatMap((selector) => classesOf(selector).find((name) => !SHELL_CLASSES.has(name)) ?? [])
  return { path, selectors, classes: new Set(named) }
}

const PARTS = readdirSync(join(ROOT, 'web/dashboard'), { recursive: true, encoding: 'utf8' })
  .map((name) => `web/dashboard/${name.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.css') && !SHELL.includes(path))
  .map(sheetOf)
const FILES = readSourceFiles(['web/dashboard'])

test('each rule of a part of the dashboard names a class or an attribute that no other style sheet names', (t) => {
  t.true(PARTS.length > 10)
  const wrong = PARTS.flatMap((sheet) => {
    const others = PARTS.filter((other) => other !== sheet)
    const isOwn = (name: string): boolean => sheet.classes.has(name) && !others.some(({ classes }) => classes.has(name))
    return sheet.selectors
      .filter((selector) => !selector.includes('[data-') && !classesOf(selector).some(isOwn))
      .map((selector) => `${sheet.path}: ${selector}`)
  })
  t.deepEqual(wrong, [])
})

test('what is drawn with a class of a part of the dashboard loads the style sheet of that class', (t) => {
  const wrong = PARTS.flatMap((sheet) => {
    const loaders = FILES.filter(({ imports }) => imports.some(({ target }) => target === sheet.path))
    const loads = (path: string): boolean => loaders.some((loader) => loader.path === path)
    t.true(loaders.length > 0, sheet.path)
    return FILES.flatMap(({ path, text, imports }) => {
      if (path.startsWith(`${dirname(sheet.path)}/`) || loads(path)) return []
      if (imports.some(({ target }) => loads(target))) return []
      const drawn = [...text.matchAll(/\bclass=(?:"([^"]*)"|\{([^}]*)\})/g)]
      const names = new Set(drawn.flatMap(([, plain, made]) => (plain ?? made ?? '').split(/[^\w-]+/)))
      return [...sheet.classes]
        .filter((name) => names.has(name))
        .map((name) => `${path} draws .${name} of ${sheet.path}`)
    })
  })
  t.deepEqual(wrong, [])
})
