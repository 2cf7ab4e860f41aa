import { createHash } from 'node:crypto'
import { htmlText } from './html-text.ts'
import { REFUSAL_WORDS, type RefusalKind } from './refusal-words.ts'

/** The look of the built pages (web/ui/base.css), written out so that this page works without a build. */
const STYLE = `:root{color-scheme:light dark;font:400 1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif}
body{box-sizing:border-box;display:grid;align-content:center;min-height:100vh;max-width:34rem;margin:0 auto;padding:1.25rem;background:#fff;color:#000}
main{display:grid;gap:1.25rem}h1,p{margin:0;overflow-wrap:anywhere}h1{font-size:clamp(1.5rem,1.25rem + 1.2vw,2rem);font-weight:650;line-height:1.2;text-wrap:balance}
.service{font-weight:650}.detail{color:#595959;font-size:.9375rem}a{color:#0a7f5a;text-underline-offset:.2em}
@media(prefers-color-scheme:dark){body{background:#0f1513;color:#fff}.detail{color:#a6a9a8}a{color:#2dd4a0}}`

/** Headers of a drawn refusal: nothing is loaded, and its one style is allowed by its hash. */
export const REFUSAL_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
} as const

export interface ShownRefusal {
  readonly kind: RefusalKind
  /** The value of SERVICE_NAME. */
  readonly serviceName: string
  readonly lang: keyof typeof REFUSAL_WORDS
  /** The refusal as programs get it, in English: `CODE: message`. */
  readonly detail: string
  /** Address of the documentation, null when this host does not serve it. */
  readonly docsUrl: string | null
}

/** A refusal as a page in words, for a person who was led to an address that refuses. */
export function refusalPage({ kind, serviceName, lang, detail, docsUrl }: ShownRefusal): string {
  const words = REFUSAL_WORDS[lang]
  const { heading, text } = words[kind]
  const docs = docsUrl === null ? '' : `\n<p><a href="${htmlText(docsUrl)}">${words.docs}</a></p>`
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${htmlText(`${heading} · ${serviceName}`)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head>
<body><main><p class="service" dir="auto">${htmlText(serviceName)}</p><h1>${heading}</h1>
<p>${text}</p>
<p class="detail">${words.detail} <code lang="en">${htmlText(detail)}</code></p>${docs}</main></body></html>
`
}
