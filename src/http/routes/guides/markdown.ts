import { Marked } from 'marked'
import { htmlText } from '../../pages/html-text.ts'

/** Where a link of a guide leads; null when that is served nowhere, and the link becomes its text. */
export type HrefOf = (href: string) => string | null

/**
 * Writes Markdown (GitHub's, with tables) as HTML. Markup in it is text. Headings get the ids that links to them name,
 * tables and code can be scrolled by keyboard, and of pictures there is the text that stands for them (our choice).
 */
export function htmlOf(markdown: string, hrefOf: HrefOf): string {
  const ids = new Map<string, number>()
  const marked = new Marked({
    renderer: {
      heading({ depth, text, tokens }) {
        return `<h${depth} id="${idOf(text, ids)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const [to, shown] = [hrefOf(href), this.parser.parseInline(tokens)]
        return to === null ? shown : `<a href="${htmlText(to)}">${shown}</a>`
      },
      table({ header, rows }) {
        // An empty head names nothing.
        const head = header.map(({ tokens, text }) =>
          text === '' ? '<td></td>' : `<th>${this.parser.parseInline(tokens)}</th>`,
        )
        const body = rows.map(
          (row) => `<tr>${row.map(({ tokens }) => `<td>${this.parser.parseInline(tokens)}</td>`).join('')}</tr>`,
        )
        const table = `<thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody>`
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${table}</table></div>\n`
      },
      code: ({ text }) => `<pre tabindex="0"><code>${htmlText(text)}</code></pre>\n`,
      image: ({ text }) => htmlText(text),
      html: ({ text }) => htmlText(text),
    },
  })
  return marked.parse(markdown, { async: false })
}

/** The id of a heading, as links within and between guides name it: those of equal headings are numbered. */
function idOf(heading: string, seen: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
  const before = seen.get(id) ?? 0
  seen.set(id, before + 1)
  return before === 0 ? id : `${id}-${before}`
}
