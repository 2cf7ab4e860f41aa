import { userInfo } from 'node:os'

/**
 * A URL of PostgreSQL with its user: where it names none, `user`, else whoever runs this program, as PostgreSQL's own
 * commands read it. Null for none.
 */
export function withUser(given: string | undefined, user: string | undefined): string | null {
  if (given === undefined) return null
  const url = new URL(given)
  if (url.username !== '') return given
  url.username = encodeURIComponent(user ?? userInfo().username)
  return url.href
}
