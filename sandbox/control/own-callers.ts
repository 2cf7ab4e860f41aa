import type { IncomingMessage } from 'node:http'
import { ControlRefusal } from './refusal.ts'

/** Names by which a program of this machine addresses the sandbox, with or without a port. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** Path of the page for people. */
export const START_PATH = '/control'

/**
 * True for a visit to the start page, the only page that another page of this machine may link to: looking at it
 * changes nothing, and no page can read it.
 */
function isVisit({ url, method, headers }: IncomingMessage): boolean {
  return (
    url === START_PATH
    && method === 'GET'
    && headers['sec-fetch-mode'] === 'navigate'
    && headers['sec-fetch-dest'] === 'document'
  )
}

/**
 * Admits programs of this machine, pages of the sandbox itself, and those of `pageOrigin`. Any other web page that is
 * open in a browser of this machine can send requests here too, by the sandbox's address (seen in `Origin`) or by a
 * name of its own that leads here (seen in `Host`). Throws ControlRefusal.
 */
export function requireOwnCaller(request: IncomingMessage, pageOrigin: string | null): void {
  const { host = '', origin, 'sec-fetch-site': site } = request.headers
  const isOwnPage =
    origin === undefined
      ? (site !== 'cross-site' && site !== 'same-site') || isVisit(request)
      : origin === `http://${host}` || origin === pageOrigin
  if (!LOOPBACK.test(host) || !isOwnPage)
    throw new ControlRefusal(
      403,
      'FORBIDDEN',
      'The control API answers to programs of this machine alone: call it as localhost or 127.0.0.1, and from no page of another address',
    )
}
