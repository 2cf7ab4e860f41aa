import { z } from 'zod'
import type { BuiltAssets } from '../../pages/built-assets.ts'
import { languageFor } from '../../pages/language.ts'
import { pageDocument } from '../../pages/page-document.ts'
import { pageHeaders } from '../../pages/policies.ts'
import { route } from '../../request/route.ts'
import type { Route } from '../../request/route.ts'

export interface PeoplePageDeps {
  /** Null when the pages were not built. */
  readonly builtAssets: BuiltAssets | null
  /** The value of SERVICE_NAME. */
  readonly serviceName: string
  readonly baseUrl: string
  /** The address of the sandbox's page, null when the visitor cannot reach it. */
  readonly sandboxUrl: string | null
}

/** Takes any value, also a repeated one, because the document always comes ([pages.addresses.7]). */
const query = z.object({ lang: z.unknown() }).partial()

/** Where a signed-in person can go on: the dashboard, the parts of the API in its reference, and the sandbox. */
function linksOf({ sandboxUrl }: PeoplePageDeps) {
  const sandbox = sandboxUrl === null ? [] : [{ what: 'sandbox', href: sandboxUrl }]
  return [
    { what: 'dashboard', href: '/dashboard' },
    { what: 'docs', href: '/docs' },
    { what: 'inbox', href: '/docs#tag/embed-sessions' },
    ...sandbox,
    { what: 'people', href: '/dashboard/people' },
  ]
}

/**
 * The documents of login, invitation and consent ([sessions.hooks.1], [people.users.10], [oauth.consent.1]). All three
 * are one document: the page reads from its path and fragment what it is about, and reading it changes nothing.
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
