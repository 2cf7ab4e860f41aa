import { htmlText } from '../../pages/html-text.ts'
import type { Guide } from './library.ts'

/** The style of the pages. */
export const GUIDE_STYLE = `
:root{color-scheme:light dark;--text:light-dark(#1b1b1f,#ececf1);--muted:light-dark(#4c4c55,#b9b9c4);--line:light-dark(#d5d5dc,#3c3c45);
--back:light-dark(#fff,#16161a);--tint:light-dark(#f3f3f6,#222228);--link:light-dark(#0f5dc4,#7ab4ff)}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
.sheet{display:grid;grid-template-areas:'nav main';grid-template-columns:14rem minmax(0,46rem);gap:2rem;max-width:64rem;margin:0 auto;padding:1.5rem 1rem 4rem}
main{grid-area:main}.sheet>nav{grid-area:nav}nav ul{margin:0;padding:0;list-style:none}nav a{display:block;padding:.25rem 0}
a{color:var(--link)}a[aria-current]{color:var(--text);font-weight:650;text-decoration:none}
h1,h2,h3{line-height:1.25;scroll-margin-top:1rem}h1{margin-top:0}
code{font:.9em/1.5 ui-monospace,monospace;background:var(--tint);padding:.1em .3em;border-radius:4px}
pre{overflow-x:auto;padding:.75rem 1rem;background:var(--tint);border-radius:8px}pre code{padding:0;background:none}
.table{overflow-x:auto}table{border-collapse:collapse;font-size:.9375rem}th,td{padding:.375rem .625rem;border:1px solid var(--line);
text-align:start;vertical-align:top}.table td,.table th{min-width:6rem;overflow-wrap:normal}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
@media(max-width:52rem){.sheet{grid-template:'main' 'nav'/minmax(0,1fr);gap:1rem}nav ul{display:flex;flex-wrap:wrap;gap:0 1rem}}
`

/** What the pages of guides may do: show text in the style that is served beside them. */
export const GUIDE_POLICY = [
  "default-src 'none'",
  'img-src data:',
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Titled = Pick<Guide, 'name' | 'title'>

/**
 * The page of a guide, or the list of them when `guide` is null. Links are relative, so the page works below any path;
 * `up` leads from it to where the guides are.
 */
export function guidePage(guides: readonly Titled[], guide: Guide | null, up: string): string {
  const entries = guides.map(
    ({ name, title }) =>
      `<li><a href="${up}${name}"${name === guide?.name ? ' aria-current="page"' : ''}>${htmlText(title)}</a></li>`,
  )
  const reference = `<li><a href="${up}../../docs">Reference of the API</a></li>`
  const nav = `<nav aria-label="Guides"><ul>${entries.join('')}${reference}</ul></nav>`
  const main = guide === null ? `<main><h1>Guides</h1>${nav}</main>` : `<main>${guide.html}</main>${nav}`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${htmlText(guide?.title ?? 'Guides')}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${up}../guides.css"></head>
<body><div class="sheet">${main}</div></body></html>`
}
