import { isBelow } from './below.ts'

/**
 * Whether a path is of the dashboard's own interface, which reads the cookie and no keys: below `/api`, but
 * `/api/public` (contract 19).
 */
export function isOfDashboard(path: string): boolean {
  return isBelow(path, '/api') && !isBelow(path, '/api/public')
}

/** Pages that lead into the dashboard or are of it, and the protocol that sends people to them (contract 14, 19). */
const PAGES = [
  '/login',
  '/invite',
  '/consent',
  '/oauth',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
]

/**
 * Whether a path is there for the dashboard alone: its own interface, pages that ask there, and what leads to those.
 */
export function isThereForDashboard(path: string): boolean {
  return isOfDashboard(path) || PAGES.some((page) => isBelow(path, page))
}
