import { userInfo } from 'node:os'

/**
 * A PostgreSQL URL with a user. Where it names none, that is `user`, else the user who runs this program, as in
 * PostgreSQL's own commands. Null without a URL.
 */
export function withUser(given: string | undefined, user: string | undefined): string | null {
  if (given === undefined) return null
  const url = new URL(given)
  if (url.username !== '') return given
  url.username = encodeURIComponent(user ?? userInfo().username)
  return url.href
}
