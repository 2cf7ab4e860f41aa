import { MARK, type Page } from './page.ts'

/** A source or test file. */
export interface SourceText {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** One citation of a mark. */
export interface Citation {
  readonly mark: string
  /** `path:line` */
  readonly place: string
  readonly isOfTest: boolean
}

/** Whether a path is in `test/` of the root or of an engine. */
function isTest(path: string): boolean {
  return /^(?:engines\/[^/]+\/)?test\//.test(path)
}

/** Every mark that a file cites, in line order. */
export function citationsIn({ path, text }: SourceText): Citation[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(MARK)].map(([, mark = '']) => ({
      mark,
      place: `${path}:${index + 1}`,
      isOfTest: isTest(path),
    })),
  )
}

/** Marks that several rules have, with the places of all of them. */
export function doubled(pages: readonly Page[]): string[] {
  const places = Map.groupBy(
    pages.flatMap(({ path, clauses }) => clauses.map(({ mark, line }) => ({ mark, place: `${path}:${line}` }))),
    ({ mark }) => mark,
  )
  return [...places]
    .filter(([, found]) => found.length > 1)
    .map(([mark, found]) => `[${mark}] ${found.map(({ place }) => place).join(', ')}`)
}

/** Citations of marks that no page has. */
export function astray(pages: readonly Page[], citations: readonly Citation[]): Citation[] {
  const known = new Set(pages.flatMap(({ clauses }) => clauses.map(({ mark }) => mark)))
  return citations.filter(({ mark }) => !known.has(mark))
}
