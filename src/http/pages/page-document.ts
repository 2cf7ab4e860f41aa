import { builtAssetsOf } from './built-assets.ts'
import type { BuiltAssets } from './built-assets.ts'
import { htmlText } from './html-text.ts'

/** What the server says in the document of a page. */
export interface PageContent {
  readonly title: string
  /** Language of the words, as `lang` of the document names it. */
  readonly lang: string
  /** Sources below `web` that this page runs at once, beside its words. */
  readonly runs?: readonly string[]
  /** Open Graph and others: `{property: 'og:title', content}` or `{name: 'description', content}`. */
  readonly meta?: readonly PageMeta[]
  /** Data that the page reads from `#page-data`, as JSON, which is no script. */
  readonly data: object
}

/** Goes into every page, because no page is for search engines ([pages.addresses.7]). */
const NOINDEX: PageMeta = { name: 'robots', content: 'noindex' }

export type PageMeta = { readonly content: string } & ({ readonly property: string } | { readonly name: string })

/**
 * The HTML of a page of the build, by the name of its folder in `web/`, with title, language, Open Graph tags and data
 * of its own. Throws the refusal WEB_ASSETS_MISSING where there is no build.
 */
export function pageDocument(
  assets: BuiltAssets | null,
  page: string,
  { title, lang, runs = [], meta = [], data }: PageContent,
): string {
  const { files, later } = builtAssetsOf(assets)
  const built = files.get(`pages/${page}.html`)
  if (!built) throw new Error(`the build has no page ${page}`)
  const html = built.bytes.toString('utf8')
  const loaded = [`words/${page}/${lang}.ts`, ...runs]
    .flatMap((source) => later[source] ?? [])
    .filter((path) => !html.includes(path))
  const head = [
    ...loaded.map(preloadTag),
    ...[NOINDEX, ...meta].map(metaTag),
    `<script type="application/json" id="page-data">${jsonText(data)}</script>`,
  ].join('\n')
  return html
    .replace(/<html lang="[^"]*"/, () => `<html lang="${htmlText(lang)}"`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${htmlText(title)}</title>`)
    .replace('</head>', () => `${head}\n</head>`)
}

/** Loads a module or a style sheet that the page would ask for once it runs: one round trip less. */
function preloadTag(path: string): string {
  return `<link rel="${path.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/${path}">`
}

function metaTag(meta: PageMeta): string {
  const [key, name] = 'property' in meta ? ['property', meta.property] : ['name', meta.name]
  return `<meta ${key}="${htmlText(name)}" content="${htmlText(meta.content)}">`
}

/** JSON without `<`, so that no value ends the data block or begins a comment. */
function jsonText(data: object): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
}
