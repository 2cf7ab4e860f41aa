import { z } from 'zod'
import type { BuiltAssets } from '../../pages/built-assets.ts'
import { languageFor } from '../../pages/language.ts'
import { pageDocument } from '../../pages/page-document.ts'
import { pageHeaders } from '../../pages/policies.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'

export interface PeoplePageDeps {
  /** Null where the pages were not built. */
  readonly builtAssets: BuiltAssets | null
  /** SERVICE_NAME. */
  readonly serviceName: string
  readonly baseUrl: string
  /** What the sandbox can do, as a page; null where whoever comes here cannot reach it. */
  readonly sandboxUrl: string | null
}

/** Whatever else stands there, and however often, the document comes. */
const query = z.object({ lang: z.unknown() }).partial()

/** What there is for whoever signed in: but for the sandbox all of it is by the API, of which these are the parts. */
function linksOf({ sandboxUrl }: PeoplePageDeps) {
  const sandbox = sandboxUrl === null ? [] : [{ what: 'sandbox', href: sandboxUrl }]
  return [
    { what: 'docs', href: '/docs' },
    { what: 'inbox', href: '/docs#tag/embed-sessions' },
    ...sandbox,
    { what: 'people', href: '/docs#tag/people' },
  ]
}

/**
 * The documents of signing in, of taking up an invitation and of letting a client in (contract 14, 19). One for all
 * three: what they are about is read by the page, from its path and its fragment, and nothing changes by reading them.
 */
export function peoplePageRoutes(deps: PeoplePageDeps): Route[] {
  return [
    peoplePage(deps, '/login', 'getLoginPage', 'Sign in'),
    peoplePage(deps, '/invite', 'getInvitePage', 'Take up an invitation'),
    peoplePage(deps, '/consent/{id}', 'getConsentPage', 'Let a client in, or not'),
  ]
}

function peoplePage(deps: PeoplePageDeps, path: string, name: string, summary: string): Route {
  const { builtAssets, serviceName, baseUrl } = deps
  return route({
    method: 'get',
    path,
    name,
    summary,
    group: 'Operations',
    access: { by: ['nobody'], of: 'service' },
    bucket: 'pages',
    isHidden: true,
    query,
    answer: { status: 200, description: 'The document', type: 'text/html' },
    async handle({ query: { lang: wanted }, client }) {
      const lang = languageFor(wanted, client)
      const body = pageDocument(builtAssets, 'people', {
        title: serviceName,
        lang,
        data: { serviceName, lang, links: linksOf(deps) },
      })
      return {
        status: 200,
        type: 'text/html; charset=utf-8',
        headers: pageHeaders('dashboard', { framers: [], baseUrl }),
        body,
      }
    },
  })
}
