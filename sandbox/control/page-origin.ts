import type { IncomingMessage, ServerResponse } from 'node:http'
import { START_PATH } from './own-callers.ts'

/** Our choice: how long a browser keeps the answer to a preflight, seconds. */
const KEPT_SECONDS = 600

/** Lets a page of `pageOrigin` read the answer ([dashboard.routes.5]); false for any other page, and for programs. */
export function letPage(
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
  pageOrigin: string | null,
): boolean {
  if (pageOrigin === null || !url.startsWith(START_PATH)) return false
  response.setHeader('vary', 'origin')
  if (headers.origin !== pageOrigin) return false
  response.setHeader('access-control-allow-origin', pageOrigin)
  return true
}

/**
 * Answers what a browser asks before a request of a page that is let; false when the request itself is to be answered.
 */
export function answeredPreflight({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': String(KEPT_SECONDS),
  })
  response.end()
  return true
}
