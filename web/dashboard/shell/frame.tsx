import BookOpen from 'lucide/dist/esm/icons/book-open.mjs'
import Menu from 'lucide/dist/esm/icons/menu.mjs'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { DASHBOARD_PAGES } from '../../../src/domain/dashboard-pages.ts'
import { Icon } from '../../ui/icon.tsx'
import type { DashboardWords } from '../../words/dashboard/words.ts'
import type { App } from './app.ts'
import { NAV_ICONS } from './nav-icons.ts'
import type { NavName } from './nav-icons.ts'
import { hasPage } from './page-files.ts'

/** What stands around every page: the way past it, the navigation, who is signed in, and the state of the stream. */
export function Frame({ app, children }: { readonly app: App; readonly children: ComponentChildren }) {
  const { words } = app
  const [isOpen, open] = useState(false)
  const { pathname } = app.router.place.value
  useEffect(() => open(false), [pathname])
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={skip}>
        {words.skip}
      </a>
      <Bar app={app} isOpen={isOpen} open={open} />
      <Pages app={app} isOpen={isOpen} />
      <div class="content">
        {app.news.state.value === 'lost' && (
          <p class="line" role="status" data-live="lost">
            {words.live.lost}
          </p>
        )}
        {/* It is there from the start, because screen readers ignore live regions that are added later. */}
        <div role="status">{app.said.value !== '' && <p class="line said">{app.said.value}</p>}</div>
        {children}
      </div>
    </div>
  )
}

interface BarProps {
  readonly app: App
  /** Whether the navigation is open, which matters on narrow screens alone. */
  readonly isOpen: boolean
  open(isOpen: boolean): void
}

function Bar({ app, isOpen, open }: BarProps) {
  const { words, session } = app
  return (
    <header class="bar">
      <button
        type="button"
        class="button quiet small menu"
        data-action="menu"
        aria-expanded={isOpen}
        aria-controls="pages"
        onClick={() => open(!isOpen)}
      >
        <Icon of={Menu} />
        <span class="menu-word">{words.menu}</span>
      </button>
      <p class="tenant" dir="auto" data-tenant>
        {session.tenant.name}
      </p>
      <Who app={app} />
    </header>
  )
}

/** The navigation. */
function Pages({ app, isOpen }: Pick<BarProps, 'app' | 'isOpen'>) {
  const { words, data, router } = app
  const { pathname } = router.place.value
  return (
    <nav id="pages" class={isOpen ? 'pages open' : 'pages'} aria-label={words.pages}>
      <p class="service" dir="auto">
        {data.serviceName}
      </p>
      <ul>
        {pagesOf(app).map(({ name, path }) => (
          <li key={name}>
            <a href={path} {...(isOfSection(pathname, path) ? { 'aria-current': 'page' } : {})}>
              <Icon of={NAV_ICONS[name]} size={18} />
              {words.nav[name]}
            </a>
          </li>
        ))}
      </ul>
      <a class="outward" href="/docs/guides">
        <Icon of={BookOpen} size={18} />
        {words.docs}
      </a>
    </nav>
  )
}

/** Who is signed in, with the ways to the account and out. */
function Who({ app: { words, session, signOut } }: { readonly app: App }) {
  const { user } = session
  return (
    <div class="who">
      <a class="link" href="/login" title={words.account} data-user>
        <span class="unseen">{words.account}: </span>
        <bdi>{user === null ? words.byKey : (user.name ?? user.email)}</bdi>
      </a>
      <button type="button" class="button quiet small" data-action="sign-out" onClick={signOut}>
        {words.signOut}
      </button>
    </div>
  )
}

/** The pages of the navigation: those that the build has and the session may see. */
function pagesOf({ can, words }: App): { readonly name: NavName; readonly path: string }[] {
  return DASHBOARD_PAGES.flatMap(({ name, path, permission }) =>
    isOfNav(name, words) && hasPage(name) && can(permission) ? [{ name, path }] : [],
  )
}

function isOfNav(name: string, words: DashboardWords): name is NavName {
  return name in words.nav
}

/** Whether a page is the one of the navigation, or below it; everything is below the overview, which has no pages. */
function isOfSection(pathname: string, path: string): boolean {
  return pathname === path || (path !== '/dashboard' && pathname.startsWith(`${path}/`))
}

/** Moves the focus to the page: its address stays, because a fragment would be a step in the history. */
function skip(event: MouseEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main h1')?.focus()
}
