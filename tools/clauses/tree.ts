import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceText } from './citations.ts'
import { readPage, type Page } from './page.ts'

const CONTRACT = 'docs/contract'
const FOLDERS = ['src', 'tools', 'actors', 'media-host', 'sandbox', 'migrations', 'bench', 'web', 'engines', 'test']

/** The pages of the contract below the root of a repository, without README.md. */
export function readPages(root: string): Page[] {
  return readdirSync(join(root, CONTRACT))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted()
    .map((name) => readPage(`${CONTRACT}/${name}`, readFileSync(join(root, CONTRACT, name), 'utf8')))
}

/** Marks of the rules that README.md lists as without a test, each with the reason. */
export function readUntested(root: string): string[] {
  const text = readFileSync(join(root, CONTRACT, 'README.md'), 'utf8')
  const [, part = ''] = text.split('\n## Rules without a test\n')
  return part.split('\n').flatMap((row) => {
    const [, mark] = /^\| \[([^\]]+)\] \|/.exec(row) ?? []
    return mark === undefined ? [] : [mark]
  })
}

/** Every source and test file below the root of a repository. */
export function readSources(root: string): SourceText[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => /\.(?:[cm]?[jt]s|tsx|sql)$/.test(path) && !/\/(?:node_modules|dist)\//.test(path))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  )
}
