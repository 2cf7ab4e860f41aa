import { isBelow } from './below.ts'

/**
 * Whether a path belongs to the dashboard's own interface, which reads the cookie and no keys ([sessions.csrf.3]):
 * below `/api`, but not `/api/public`.
 */
export function isOfDashboard(path: string): boolean {
  return isBelow(path, '/api') && !isBelow(path, '/api/public')
}

/**
 * Paths of the dashboard's pages and of OAuth, which sends people to them ([configuration.variables.24],
 * [sessions.https.2]).
 */
const PAGES = [
  '/dashboard',
  '/login',
  '/invite',
  '/consent',
  '/oauth',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
]

/** Whether a path exists for the dashboard alone: its interface, its pages, `/`, which leads to it, and OAuth. */
export function isThereForDashboard(path: string): boolean {
  return path === '/' || isOfDashboard(path) || PAGES.some((page) => isBelow(path, page))
}
