import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import { parseLong, rawDigits } from '../../src/domain/long-integers.ts'
import type { Log } from '../../src/ports/log.ts'
import { requireOwnCaller } from './own-callers.ts'
import { answeredPreflight, letPage } from './page-origin.ts'
import { ControlRefusal } from './refusal.ts'
import { startPage } from './start-page.ts'

/** our choice, bytes: room for a file of 24 MB in base64. */
const MAX_BODY_BYTES = 32 * 1024 * 1024

export interface ControlRequest {
  /** The named segments of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Parsed JSON; null when there was no body. */
  readonly body: unknown
  /** Scheme, host and port by which the caller reached the sandbox. */
  readonly origin: string
}

export type ControlAnswer =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: number; readonly bytes: Buffer; readonly contentType: string }

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Segments that begin with a colon are named. */
  readonly path: string
  readonly answer: (request: ControlRequest) => ControlAnswer | Promise<ControlAnswer>
}

/** Shorthand for a JSON answer. */
export function json(status: number, value: unknown): ControlAnswer {
  return { status, json: value }
}

/** Reads the body by a schema; an absent body counts as an empty object. */
export function readBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  throw new ControlRefusal(400, 'VALIDATION', 'The body is not valid', details)
}

function matchPath(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    if (segment.startsWith(':') && value !== '') params[segment.slice(1)] = value
    else if (segment !== value) return null
  }
  return params
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new ControlRefusal(400, 'VALIDATION', 'The path is not valid')
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  if (bytes > MAX_BODY_BYTES) throw new ControlRefusal(413, 'PAYLOAD_TOO_LARGE', 'The body is over 32 MB')
  const text = Buffer.concat(chunks).toString()
  if (text.trim() === '') return null
  try {
    // Numbers beyond 2^53 are passed on digit by digit.
    return parseLong(text, rawDigits)
  } catch {
    throw new ControlRefusal(400, 'INVALID_JSON', 'The body is no JSON')
  }
}

async function route(
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
  pageOrigin: string | null,
): Promise<ControlAnswer> {
  const url = URL.parse(request.url ?? '/', 'http://sandbox')
  if (!url) throw new ControlRefusal(400, 'VALIDATION', 'The path is not valid')
  if (url.pathname.startsWith('/control')) requireOwnCaller(request, pageOrigin)
  const path = decodePath(url.pathname)
  const found = routes.flatMap((candidate) => {
    const params = matchPath(candidate.path, path)
    return params ? [{ candidate, params }] : []
  })
  if (found.length === 0) throw new ControlRefusal(404, 'ROUTE_NOT_FOUND', 'There is no such route')
  const match = found.find(({ candidate }) => candidate.method === request.method)
  if (!match) {
    response.setHeader('allow', found.map(({ candidate }) => candidate.method).join(', '))
    throw new ControlRefusal(405, 'METHOD_NOT_ALLOWED', 'This route takes another method')
  }
  const body = request.method === 'POST' || request.method === 'PATCH' ? await readJson(request) : null
  return await match.candidate.answer({
    params: match.params,
    query: url.searchParams,
    body,
    origin: `http://${request.headers.host ?? '127.0.0.1'}`,
  })
}

function write(response: ServerResponse, answer: ControlAnswer): void {
  const isJson = 'json' in answer
  const bytes = isJson ? Buffer.from(JSON.stringify(answer.json)) : answer.bytes
  response.writeHead(answer.status, {
    'content-type': isJson ? 'application/json; charset=utf-8' : answer.contentType,
    'content-length': bytes.length,
  })
  response.end(bytes)
}

/**
 * Makes the listener of the control API from its routes, and a page that lists them. Pages of `pageOrigin` may use it,
 * too; null lets none. It never throws.
 */
export function createRouter(
  routes: readonly Route[],
  pageOrigin: string | null,
  log: Log,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const all = [...routes, startPage(routes)]
  return async (request, response) => {
    try {
      if (letPage(request, response, pageOrigin) && answeredPreflight(request, response)) return
      write(response, await route(all, request, response, pageOrigin))
    } catch (error) {
      if (error instanceof ControlRefusal) {
        const { status, code, message, details } = error
        write(response, json(status, { error: message, code, ...(details === undefined ? {} : { details }) }))
        return
      }
      log.error({ method: request.method, error: String(error) }, 'control request failed')
      write(response, json(500, { error: 'The sandbox failed', code: 'INTERNAL' }))
    }
  }
}
