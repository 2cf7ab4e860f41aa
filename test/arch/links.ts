import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './source-files.ts'

/** The text without code blocks and inline code, whose brackets are no links. */
function proseOf(document: string): string {
  return readFileSync(document, 'utf8')
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
}

/** The anchor that the repository's web page gives a heading. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '')
  return words.trim().replaceAll(' ', '-')
}

function anchorsOf(document: string): Set<string> {
  const text = readFileSync(document, 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading)))
}

/** Links of a document that lead to no file or heading of the repository; the document is a path from the root. */
export function deadLinksOf(document: string): string[] {
  const links = [...proseOf(join(ROOT, document)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links
    .filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(document, link))
    .map((link) => `${document} ${link}`)
}

function leadsSomewhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(ROOT, document) : join(ROOT, dirname(document), path)
  if (!existsSync(target)) return false
  return anchor === undefined || anchorsOf(target).has(anchor)
}
