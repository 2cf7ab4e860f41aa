import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')

export interface Import {
  /** Path from the root of the repository, or the name of the package. */
  readonly target: string
  readonly isPackage: boolean
  readonly isTypeOnly: boolean
}

export interface SourceFile {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  readonly imports: readonly Import[]
}

const FOLDERS = [
  'src',
  'tools',
  'actors',
  'media-host',
  'sandbox',
  'migrations',
  'bench',
  'simulation',
  'web',
  'engines',
  'examples',
  'clients',
  'test',
]

/** Matches `import ... from 'x'`, `export ... from 'x'`, `import 'x'` and `import('x')`. */
const FROM = /^\s*(import|export)\s+(type\s)?([^'";]*?)\bfrom\s+'([^']+)'/gm
const BARE = /^\s*import\s+'([^']+)'/gm
const DYNAMIC = /\bimport\(\s*'([^']+)'\s*\)/g

function packageName(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}

function toImport(path: string, specifier: string, isTypeOnly: boolean): Import {
  if (!specifier.startsWith('.')) return { target: packageName(specifier), isPackage: true, isTypeOnly }
  return { target: normalize(join(dirname(path), specifier)), isPackage: false, isTypeOnly }
}

function readImports(path: string, text: string): Import[] {
  const found: Import[] = []
  for (const [, , typeWord, , specifier] of text.matchAll(FROM))
    found.push(toImport(path, specifier ?? '', typeWord !== undefined))
  for (const [, specifier] of text.matchAll(BARE)) found.push(toImport(path, specifier ?? '', false))
  for (const [, specifier] of text.matchAll(DYNAMIC)) found.push(toImport(path, specifier ?? '', false))
  return found
}

/** Every TypeScript file of the programs, the clients and their tests that somebody wrote, with what it imports. */
export function readSourceFiles(folders: readonly string[] = FOLDERS): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (name) => /(?<!\.gen|next-env\.d)\.tsx?$/.test(name) && !/(^|[\\/])(node_modules|dist|\.next)[\\/]/.test(name),
      )
      .map((name) => {
        const path = relative(ROOT, join(ROOT, folder, name)).replaceAll('\\', '/')
        const text = readFileSync(join(ROOT, path), 'utf8')
        return { path, text, lines: text.split('\n'), imports: readImports(path, text) }
      }),
  )
}
