import type { IncomingMessage } from 'node:http'
import { ControlRefusal } from './refusal.ts'

/** How a program of this machine names the sandbox, with or without a port. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** Of the page for people. */
export const START_PATH = '/control'

/** The one page that a link of another page here leads to: looking at it changes nothing, and no page reads it. */
function isVisit({ url, method, headers }: IncomingMessage): boolean {
  return (
    url === START_PATH
    && method === 'GET'
    && headers['sec-fetch-mode'] === 'navigate'
    && headers['sec-fetch-dest'] === 'document'
  )
}

/**
 * Lets programs of this machine and pages of the sandbox itself in. A page of anybody's that is open in a browser of
 * this machine can send requests here too, by the sandbox's address (its `Origin` tells) or by a name of its own that
 * leads here (its `Host` does). Throws ControlRefusal.
 */
export function requireOwnCaller(request: IncomingMessage): void {
  const { host = '', origin, 'sec-fetch-site': site } = request.headers
  const isOwnPage =
    origin === undefined
      ? (site !== 'cross-site' && site !== 'same-site') || isVisit(request)
      : origin === `http://${host}`
  if (!LOOPBACK.test(host) || !isOwnPage)
    throw new ControlRefusal(
      403,
      'FORBIDDEN',
      'The control API answers to programs of this machine alone: call it as localhost or 127.0.0.1, and from no page of another address',
    )
}
