import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { Agent, FormData } from 'undici'
import type { Dispatcher } from 'undici'
import type { Clock } from '../ports/clock.ts'
import { FetchFault } from './fetch-failure.ts'
import type { FetchFailure } from './fetch-failure.ts'
import { failureOf, guardBody, readBeginning, tooLarge } from './guarded-body.ts'

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The operator gave its base, so the address guard does not check it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /**
   * A text, a file as it is, or the parts of a `multipart/form-data` body (RFC 7578), whose type and boundary the
   * client sets.
   */
  readonly body?: string | FileBody | readonly FormPart[]
  /** Ms until the last byte of the answer; default the client's. */
  readonly totalMs?: number
  /** Bytes of the longest answer of `request`; a longer one counts as unanswered, `too-large`. Default the client's. */
  readonly answerBytes?: number
}

/** A file on the disk. It is read while it is sent, never whole. */
export interface FileBody {
  readonly path: string
  readonly mimeType: string
}

/** A part of a form. A file is read while it is sent, never whole; `bytes` are sent unchanged. */
export type FormPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly path: string; readonly mimeType: string; readonly fileName: string }
  | {
      readonly name: string
      readonly bytes: Uint8Array<ArrayBuffer>
      readonly mimeType: string
      readonly fileName: string
    }

/** No full answer: whether the request took effect is unknown, unless `isUnsent` says that no byte of it left. */
export interface Unanswered {
  readonly kind: 'unanswered'
  readonly failure: FetchFailure
  readonly isUnsent?: true
}

interface Answered {
  readonly kind: 'answered'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

export type UpstreamReply = (Answered & { readonly text: string }) | Unanswered
export type UpstreamBytes = (Answered & { readonly bytes: Uint8Array }) | Unanswered

/** Requests to a provider's API, whose address the operator gave. Its methods never throw. */
export interface UpstreamFetch {
  request(request: UpstreamRequest): Promise<UpstreamReply>
  /** Reads an answer that is no text, up to `maxBytes`; a longer one counts as unanswered, `too-large`. */
  download(request: UpstreamRequest, maxBytes: number): Promise<UpstreamBytes>
  /** Ends all requests and connections. Idempotent. */
  close(): Promise<void>
}

export interface UpstreamFetchOptions {
  readonly clock: Clock
  /** Ms for name look-up, TCP and TLS together. Default 5 s. */
  readonly connectMs?: number
  /** Ms until the last byte of the answer. Default 10 s. */
  readonly totalMs?: number
}

const CONNECT_MS = 5_000
const TOTAL_MS = 10_000
/**
 * Our choice: all numbers of an installation share one origin; 256 requests in flight carry about 800 a second at 300
 * ms each.
 */
const CONNECTIONS = 256
/** Our choice: answers of such APIs are a few kilobytes; more is a fault. */
const ANSWER_BYTES = 2_000_000
/**
 * Our choice: an idle connection is kept 4 s, and up to 30 s when the host asks for it. A request that meets a closed
 * connection is lost, and most requests must not be repeated.
 */
const KEEP_ALIVE_MS = 4_000
const KEEP_ALIVE_MAX_MS = 30_000
const USER_AGENT = 'channel-messaging-service/1.0'

/**
 * Makes a client with connections of its own, kept alive: no proxy settings, no cookies, HTTP/1.1. Redirects are not
 * followed, so that a bearer token never leaves for another host.
 */
export function createUpstreamFetch(options: UpstreamFetchOptions): UpstreamFetch {
  const agent = new Agent({
    connect: { timeout: options.connectMs ?? CONNECT_MS },
    connections: CONNECTIONS,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    // The timer of each request covers both, so that it follows the clock of the program.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const marked = agent.compose(markBeginning)
  const totalMs = options.totalMs ?? TOTAL_MS
  const send = (request: UpstreamRequest, maxBytes: number) =>
    exchange(marked, options.clock, { totalMs, ...request }, maxBytes)
  let closing: Promise<void> | null = null
  return {
    async request(request) {
      const reply = await send(request, request.answerBytes ?? ANSWER_BYTES)
      if (reply.kind === 'unanswered') return reply
      const { bytes, ...answered } = reply
      return { ...answered, text: Buffer.from(bytes).toString('utf8') }
    },
    download: (request, maxBytes) => send(request, maxBytes),
    close: () => (closing ??= agent.destroy()),
  }
}

/** Travels with a request, and is set when its first byte is about to be written. */
interface Mark {
  isBegun: boolean
}

/**
 * Sets the mark of each request. A request without it still waits for a connection, so giving it up means that it never
 * left.
 */
function markBeginning(dispatch: Dispatcher.Dispatch): Dispatcher.Dispatch {
  return (options, handler) => {
    const { opaque } = options as { opaque?: Mark }
    const start = handler.onRequestStart?.bind(handler)
    handler.onRequestStart = (controller, context: unknown) => {
      if (opaque) opaque.isBegun = true
      start?.(controller, context)
    }
    return dispatch(options, handler)
  }
}

type TimedRequest = UpstreamRequest & { readonly totalMs: number }

async function exchange(
  dispatcher: Dispatcher,
  clock: Clock,
  request: TimedRequest,
  maxBytes: number,
): Promise<UpstreamBytes> {
  const mark: Mark = { isBegun: false }
  const abort = new AbortController()
  const timer = clock.after(request.totalMs, () =>
    abort.abort(new FetchFault({ kind: 'timeout', message: 'The upstream did not answer in time.' })),
  )
  const faultOf = (error: unknown) => upstreamFailure(abort.signal.aborted ? abort.signal.reason : error)
  try {
    const url = new URL(request.url)
    const sent = await bodyOf(request.body)
    const answer = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { ...request.headers, ...sent.headers, 'user-agent': USER_AGENT, 'accept-encoding': 'identity' },
      body: sent.body,
      signal: abort.signal,
      opaque: mark,
    })
    const body = guardBody(answer.body, maxBytes, faultOf, () => {})
    const { bytes, isCut, failure } = await readBeginning(body, maxBytes)
    if (failure || isCut) return { kind: 'unanswered', failure: failure ?? tooLarge(maxBytes) }
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')]),
    )
    return { kind: 'answered', status: answer.statusCode, headers, bytes }
  } catch (error) {
    return { kind: 'unanswered', failure: faultOf(error), ...(mark.isBegun ? {} : { isUnsent: true }) }
  } finally {
    timer.cancel()
  }
}

/** Makes the body that leaves, and the headers of it that the client does not set by itself. */
async function bodyOf(body: UpstreamRequest['body']): Promise<{
  readonly body: string | Readable | FormData | null
  readonly headers?: Readonly<Record<string, string>>
}> {
  if (typeof body !== 'object') return { body: body ?? null }
  if (!('path' in body)) return { body: await formOf(body) }
  const file = await fileOf(body.path, body.mimeType)
  return {
    body: Readable.fromWeb(file.stream()),
    headers: { 'content-type': body.mimeType, 'content-length': String(file.size) },
  }
}

async function formOf(parts: readonly FormPart[]): Promise<FormData> {
  const form = new FormData()
  for (const part of parts) {
    if ('value' in part) form.append(part.name, part.value)
    else if ('bytes' in part) form.append(part.name, new Blob([part.bytes], { type: part.mimeType }), part.fileName)
    else form.append(part.name, await fileOf(part.path, part.mimeType), part.fileName)
  }
  return form
}

async function fileOf(path: string, mimeType: string): Promise<Blob> {
  try {
    return await openAsBlob(path, { type: mimeType })
  } catch {
    throw new FetchFault({ kind: 'protocol', message: 'The file to be sent cannot be read.' })
  }
}

const CONNECT_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])

function upstreamFailure(error: unknown): FetchFailure {
  const found = failureOf(error)
  if (found.kind !== 'protocol') return found
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return { kind: 'timeout', message: 'The upstream did not accept a connection in time.' }
  if (CONNECT_CODES.has(code)) return { kind: 'connect', message: 'No connection could be made to the upstream.' }
  return { kind: 'protocol', message: 'The upstream broke the connection or did not speak HTTP.' }
}
