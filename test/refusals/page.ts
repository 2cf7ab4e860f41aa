import { REFUSALS, type RefusalCode } from '../../src/domain/errors.ts'
import { readSourceFiles } from '../arch/source-files.ts'
import { parse, textsOf, type Text } from './texts.ts'

/** The page with every text that clients may be refused with, from the root of the repository. */
export const PAGE = 'test/refusals/refusals.md'

const HEAD = `# Texts of refusals

What clients read when something is refused, as the code has it: each says what happened and what to do about it. What
stands in braces is filled in. \`npm run refusals\` writes this page of the sources.

| status | code | text |
|---|---|---|
`

/** The texts of refusals in the sources of every program that answers clients. */
export function refusalTexts(): Text[] {
  const files = readSourceFiles(['src', 'actors', 'media-host']).map(({ path, text }) => parse(path, text))
  return textsOf(files, new Set(Object.keys(REFUSALS)))
}

/** Writes the page: a row a text, by status and code. A code that clients do not see is in parentheses. */
export function pageOf(texts: readonly Text[]): string {
  const rows = texts.map(({ code, text }) => {
    const facts: { readonly status: number; readonly hidden?: true; readonly shownAs?: string } =
      REFUSALS[code as RefusalCode]
    return `| ${facts.status} | ${facts.hidden ? `(${code})` : (facts.shownAs ?? code)} | ${text.replaceAll('|', '\\|')} |`
  })
  return `${HEAD}${[...new Set(rows)].toSorted().join('\n')}\n`
}
