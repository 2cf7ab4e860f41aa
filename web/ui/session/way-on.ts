/** The dashboard's own path ([dashboard.pages.1]). */
const DASHBOARD = '/dashboard'

/**
 * Where a person goes after signing in: the page that `next` names when it is one of the dashboard of this origin
 * ([dashboard.pages.3]), else the dashboard's first page. Everything else in `next` is ignored, so that no link to the
 * login leads elsewhere.
 */
export function wayOn(next: string | null, origin: string): string {
  return (next === null ? null : pathOf(next, origin)) ?? DASHBOARD
}

/** The address of the login that leads back to a page of the dashboard; `lang` is the language of its address. */
export function loginAddress(path: string, lang: string | null): string {
  const query = new URLSearchParams({ next: path, ...(lang === null ? {} : { lang }) })
  return `/login?${query}`
}

function pathOf(next: string, origin: string): string | null {
  if (!next.startsWith('/') || !URL.canParse(next, origin)) return null
  const { origin: leadsTo, pathname, search, hash } = new URL(next, origin)
  const isOfDashboard = pathname === DASHBOARD || pathname.startsWith(`${DASHBOARD}/`)
  return leadsTo === origin && isOfDashboard ? pathname + search + hash : null
}
