import type { Permission } from './permissions.ts'

/** A page of the dashboard ([dashboard.pages.1]). */
export interface DashboardPage {
  /** What `main[data-page]` says ([dashboard.hooks.1]); the page's folder has the same name. */
  readonly name: string
  /** The path in OpenAPI form: `/dashboard/numbers/{id}`. */
  readonly path: string
  /** What a session needs to see it. */
  readonly permission: Permission
}

/** Every page, the first one of each section before its detail page: in this order they stand in the navigation. */
export const DASHBOARD_PAGES: readonly DashboardPage[] = [
  { name: 'overview', path: '/dashboard', permission: 'numbers:read' },
  { name: 'inbox', path: '/dashboard/inbox', permission: 'chat:send' },
  { name: 'replies', path: '/dashboard/inbox/replies', permission: 'chat:send' },
  { name: 'calls', path: '/dashboard/calls', permission: 'calls:read' },
  { name: 'call', path: '/dashboard/calls/{id}', permission: 'calls:read' },
  { name: 'numbers', path: '/dashboard/numbers', permission: 'numbers:read' },
  { name: 'number', path: '/dashboard/numbers/{id}', permission: 'numbers:read' },
  { name: 'webhooks', path: '/dashboard/webhooks', permission: 'webhooks:read' },
  { name: 'webhook', path: '/dashboard/webhooks/{id}', permission: 'webhooks:read' },
  { name: 'templates', path: '/dashboard/templates', permission: 'templates:read' },
  { name: 'template', path: '/dashboard/templates/{id}', permission: 'templates:read' },
  { name: 'flows', path: '/dashboard/flows', permission: 'flows:read' },
  { name: 'flow', path: '/dashboard/flows/{id}', permission: 'flows:read' },
  { name: 'leads', path: '/dashboard/leads', permission: 'chat:read' },
  { name: 'lead-pages', path: '/dashboard/leads/pages', permission: 'leads:manage' },
  { name: 'lead-page', path: '/dashboard/leads/pages/{id}', permission: 'leads:manage' },
  { name: 'lead', path: '/dashboard/leads/{id}', permission: 'chat:read' },
  { name: 'ads', path: '/dashboard/ads', permission: 'ads:read' },
  { name: 'usage', path: '/dashboard/usage', permission: 'numbers:read' },
  { name: 'events', path: '/dashboard/events', permission: 'webhooks:read' },
  { name: 'keys', path: '/dashboard/keys', permission: 'account:manage' },
  { name: 'people', path: '/dashboard/people', permission: 'account:manage' },
  { name: 'branding', path: '/dashboard/branding', permission: 'numbers:manage' },
  { name: 'embeds', path: '/dashboard/embeds', permission: 'chat:send' },
]

/** The page that a path is of, with the id in the path; null when there is none. */
export function dashboardPageAt(pathname: string): { readonly page: DashboardPage; readonly id: string | null } | null {
  const [, ...parts] = pathname.replace(/\/$/, '').split('/')
  for (const page of DASHBOARD_PAGES) {
    const [, ...wanted] = page.path.split('/')
    if (wanted.length !== parts.length) continue
    if (!wanted.every((part, at) => part === parts[at] || (part === '{id}' && parts[at] !== ''))) continue
    const at = wanted.indexOf('{id}')
    return { page, id: at < 0 ? null : (parts[at] ?? null) }
  }
  return null
}
