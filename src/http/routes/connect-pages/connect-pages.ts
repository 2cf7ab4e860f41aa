import { z } from 'zod'
import type { EmbedCommands } from '../../../commands/embeds/embeds.ts'
import type { PageCommands } from '../../../commands/pages/pages.ts'
import type { ResolvedBranding } from '../../../domain/branding.ts'
import type { FoundLink, PairingStore } from '../../../ports/stores/pairing-store.ts'
import type { BuiltAssets } from '../../pages/built-assets.ts'
import { languageFor } from '../../pages/language.ts'
import { pageDocument } from '../../pages/page-document.ts'
import type { PageMeta } from '../../pages/page-document.ts'
import { pageHeaders } from '../../pages/policies.ts'
import type { PageKind } from '../../pages/policies.ts'
import { qrDataUri } from '../numbers/qr-png.ts'
import { route } from '../../request/route.ts'
import type { Answer, Client, Route } from '../../request/route.ts'

interface ConnectPageDeps {
  readonly pageCommands: PageCommands
  readonly embedCommands: EmbedCommands
  readonly pairing: Pick<PairingStore, 'find' | 'findByHandle'>
  /** Null when the pages were not built. */
  readonly builtAssets: BuiltAssets | null
  /** The value of SERVICE_NAME. */
  readonly serviceName: string
  /** Public base URL of REST, without a trailing slash. */
  readonly baseUrl: string
}

/** Takes any value, also a repeated one, because the document always comes ([pages.addresses.7]). */
const query = z.object({ h: z.unknown(), s: z.unknown(), lang: z.unknown() }).partial()
const params = z.object({ token: z.string() })
/** What differs from one document to the next. */
interface Page {
  readonly name: 'connect' | 'chat'
  readonly kind: PageKind
  readonly title: string
  readonly meta?: readonly PageMeta[]
  readonly framers: readonly string[]
  /** Data for this page beside that of every page. */
  readonly data?: object
}

/**
 * The documents of the connect page and of the frames of embeds (docs/contract/pages.md, [inbox.frame.1]). They need no
 * key, are 200 whatever is asked for, and reading them changes nothing ([pages.addresses.7], [pages.addresses.8]).
 */
export function connectPageRoutes(deps: ConnectPageDeps): Route[] {
  return [
    previewPage(deps),
    linkPage(deps, '/connect/{token}', 'getConnectPage'),
    linkPage(deps, '/connect/{token}/qr', 'getConnectQrPage'),
    linkPage(deps, '/connect/{token}/code', 'getConnectCodePage'),
    connectFrame(deps),
    chatFrame(deps),
  ]
}

const SHARED = {
  method: 'get',
  group: 'Operations',
  access: { by: ['nobody'], of: 'service' },
  bucket: 'pages',
  isHidden: true,
  query,
  answer: { status: 200, description: 'The document', type: 'text/html' },
} as const

function linkPage(deps: ConnectPageDeps, path: string, name: string): Route {
  return route({
    ...SHARED,
    path,
    name,
    summary: 'Show the page of a connect link',
    params,
    async handle({ params: { token }, query: { lang }, client }) {
      const link = /^rp_[0-9a-z]{26}$/.test(token) ? await deps.pairing.find(token) : null
      return documentOf(deps, await pageOfLink(deps, link, 'link'), lang, client)
    },
  })
}

function connectFrame(deps: ConnectPageDeps): Route {
  return route({
    ...SHARED,
    path: '/connect',
    name: 'getConnectFrame',
    summary: 'Show the page of a connect link in an embed',
    async handle({ query: { h, lang }, client }) {
      const link = await deps.pairing.findByHandle(textOf(h))
      return documentOf(deps, await pageOfLink(deps, link, 'frame'), lang, client)
    },
  })
}

/** The text in the preview's code. */
const EXAMPLE = 'A preview: this code connects nothing'

/** An example of a link's page. The branding editor frames it, and tells it how to look ([pages.addresses.5]). */
function previewPage(deps: ConnectPageDeps): Route {
  // The code is drawn when a preview is first opened, because that takes longer than all else of making a route.
  let data: { readonly exampleQr: string } | null = null
  return route({
    ...SHARED,
    path: '/connect/preview',
    name: 'getConnectPreview',
    summary: 'Show the connect page without a link',
    async handle({ query: { lang }, client }) {
      data ??= { exampleQr: qrDataUri(EXAMPLE) }
      const page: Page = {
        name: 'connect',
        kind: 'link',
        title: deps.serviceName,
        framers: [new URL(deps.baseUrl).origin],
        data,
      }
      return documentOf(deps, page, lang, client)
    },
  })
}

function chatFrame(deps: ConnectPageDeps): Route {
  return route({
    ...SHARED,
    path: '/chat',
    name: 'getChatFrame',
    summary: 'Show the inbox of an embed session',
    async handle({ query: { s, lang }, client }) {
      const page: Page = {
        name: 'chat',
        kind: 'frame',
        title: deps.serviceName,
        framers: await deps.embedCommands.framersOfSession(textOf(s)),
      }
      return documentOf(deps, page, lang, client)
    },
  })
}

/**
 * The page of a link, which looks as link and tenant say. The query, which anybody may write, has no part in the
 * document.
 */
async function pageOfLink(deps: ConnectPageDeps, link: FoundLink | null, kind: PageKind): Promise<Page> {
  const [{ branding }, framers] = await Promise.all([
    deps.pageCommands.brandOf(link, {}),
    deps.embedCommands.framersOfLink(link),
  ])
  const title = branding.companyName ?? deps.serviceName
  return { name: 'connect', kind, title, framers, meta: openGraph(deps.serviceName, title, branding) }
}

function openGraph(serviceName: string, title: string, { subtitle, logoUrl }: ResolvedBranding): PageMeta[] {
  const tags = {
    'og:type': 'website',
    'og:site_name': serviceName,
    'og:title': title,
    'og:description': subtitle,
    'og:image': logoUrl,
  }
  return Object.entries(tags).flatMap(([property, content]) => (content === null ? [] : [{ property, content }]))
}

function documentOf(
  { builtAssets, serviceName, baseUrl }: ConnectPageDeps,
  page: Page,
  wanted: unknown,
  client: Client,
): Answer {
  const lang = languageFor(wanted, client)
  const { name, kind, title, framers, meta = [], data: more = {} } = page
  const data = { serviceName, baseUrl, lang, ...(kind === 'frame' ? { allowedOrigins: framers } : {}), ...more }
  const body = pageDocument(builtAssets, name, {
    title,
    lang,
    meta,
    data,
    runs: kind === 'frame' ? ['connect/frame.ts'] : [],
  })
  return { status: 200, type: 'text/html; charset=utf-8', headers: pageHeaders(kind, { framers, baseUrl }), body }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
