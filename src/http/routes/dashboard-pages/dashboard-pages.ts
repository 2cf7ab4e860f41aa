import { z } from 'zod'
import { DASHBOARD_PAGES } from '../../../domain/dashboard-pages.ts'
import type { DashboardPage } from '../../../domain/dashboard-pages.ts'
import type { BuiltAssets } from '../../pages/built-assets.ts'
import { languageFor } from '../../pages/language.ts'
import { pageDocument } from '../../pages/page-document.ts'
import { pageHeaders } from '../../pages/policies.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'

interface DashboardPageDeps {
  /** Null when the pages were not built. */
  readonly builtAssets: BuiltAssets | null
  /** The value of SERVICE_NAME. */
  readonly serviceName: string
  readonly baseUrl: string
  /** Beginnings of the realtime URLs of the media hosts that are known now. */
  readonly realtimeUrls: () => readonly string[]
  /** Origins to which links to recordings lead. */
  readonly linkedOrigins: readonly string[]
  /** The address of the sandbox's control API, null when the visitor cannot reach it. */
  readonly sandboxUrl: string | null
  /** Public base URLs of the pages that embeds show; the dashboard frames them too. */
  readonly chatEmbedUrl: string
  readonly connectEmbedUrl: string
}

/** Takes any value, also a repeated one, because the document always comes. */
const query = z.object({ lang: z.unknown() }).partial()

/**
 * The documents of the dashboard ([dashboard.pages.1]). All are one document but for the files that it loads at once:
 * the page reads from its path what it is about. They need no session, so that a deep link survives the login
 * ([dashboard.pages.3]).
 */
export function dashboardPageRoutes(deps: DashboardPageDeps): Route[] {
  return DASHBOARD_PAGES.map((page) => documentOf(deps, page))
}

function documentOf(deps: DashboardPageDeps, { name, path }: DashboardPage): Route {
  const { builtAssets, serviceName, baseUrl, realtimeUrls, linkedOrigins, sandboxUrl, chatEmbedUrl, connectEmbedUrl } =
    deps
  return route({
    method: 'get',
    path,
    name: `getDashboardPage_${name}`,
    summary: `Show the page ${name} of the dashboard`,
    group: 'Operations',
    access: { by: ['nobody'], of: 'service' },
    bucket: 'pages',
    isHidden: true,
    query,
    answer: { status: 200, description: 'The document', type: 'text/html' },
    async handle({ query: { lang: wanted }, client }) {
      const lang = languageFor(wanted, client)
      const body = pageDocument(builtAssets, 'dashboard', {
        title: serviceName,
        lang,
        runs: [`dashboard/pages/${name}/page.tsx`, `words/dashboard/${name}/${lang}.ts`],
        data: { serviceName, baseUrl, lang },
      })
      return {
        status: 200,
        type: 'text/html; charset=utf-8',
        headers: pageHeaders('dashboard', {
          framers: [],
          baseUrl,
          connects: originsOf([...realtimeUrls(), ...(sandboxUrl === null ? [] : [sandboxUrl])]),
          plays: linkedOrigins,
          // With BASE_URL's own, because the page may be open at another address of the service.
          frames: originsOf([chatEmbedUrl, connectEmbedUrl]),
        }),
        body,
      }
    },
  })
}

/** The origins of URLs, each once; what is no URL has none. */
function originsOf(urls: readonly string[]): string[] {
  return [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))]
}
