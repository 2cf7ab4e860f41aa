import type { NumberId } from '../../domain/ids.ts'

/** The address of a number's session below the base of an engine: `<base>/sessions/<numberId>` ([bridge.socket.2]). */
export function sessionUrl(base: URL, numberId: NumberId): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/sessions/${encodeURIComponent(numberId)}`
  return url.href
}
