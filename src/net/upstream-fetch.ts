import { Agent } from 'undici'
import type { Clock } from '../ports/clock.ts'
import { FetchFault } from './fetch-failure.ts'
import type { FetchFailure } from './fetch-failure.ts'
import { failureOf, guardBody, readBeginning, tooLarge } from './guarded-body.ts'

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Base given by the operator: not checked by the address guard. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type UpstreamReply =
  | { readonly kind: 'answered', readonly status: number, readonly headers: Readonly<Record<string, string>>, readonly text: string }
  /** No answer in full: unless it failed to connect, whether it took effect is unknown. */
  | { readonly kind: 'unanswered', readonly failure: FetchFailure }

/** Requests to a provider's API, whose address the operator gave. Its methods never throw. */
export interface UpstreamFetch {
  request(request: UpstreamRequest): Promise<UpstreamReply>
  /** Ends all requests and connections. Idempotent. */
  close(): Promise<void>
}

export interface UpstreamFetchOptions {
  readonly clock: Clock
  /** Name look-up, TCP and TLS together. Default 5 s. */
  readonly connectMs?: number
  /** Until the last byte of the answer. Default 10 s. */
  readonly totalMs?: number
}

const CONNECT_MS = 5_000
const TOTAL_MS = 10_000
/** Our choice: every number of an installation shares one origin; 64 in flight carry about 200 requests a second at 300 ms each. */
const CONNECTIONS = 64
/** Our choice: answers of such APIs are a few kilobytes; more is a fault. */
const ANSWER_BYTES = 2_000_000
/**
 * Our choice: without a hint of the host an idle connection is kept 4 s, with one up to 30 s. A request that meets a
 * connection closed meanwhile is lost, and most requests must not be repeated.
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
    // Our own timer covers both, so that it follows the clock of the program.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const totalMs = options.totalMs ?? TOTAL_MS
  let closing: Promise<void> | null = null
  return {
    request: (request) => send(agent, options.clock, totalMs, request),
    close: () => (closing ??= agent.destroy()),
  }
}

async function send(agent: Agent, clock: Clock, totalMs: number, request: UpstreamRequest): Promise<UpstreamReply> {
  const abort = new AbortController()
  const timer = clock.after(totalMs, () => abort.abort(new FetchFault({ kind: 'timeout', message: 'The upstream did not answer in time.' })))
  const faultOf = (error: unknown) => upstreamFailure(abort.signal.aborted ? abort.signal.reason : error)
  try {
    const url = new URL(request.url)
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { ...request.headers, 'user-agent': USER_AGENT, 'accept-encoding': 'identity' },
      body: request.body ?? null,
      signal: abort.signal,
    })
    const body = guardBody(answer.body, ANSWER_BYTES, faultOf, () => {})
    const { bytes, isCut, failure } = await readBeginning(body, ANSWER_BYTES)
    if (failure || isCut) return { kind: 'unanswered', failure: failure ?? tooLarge(ANSWER_BYTES) }
    const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value ?? '')]))
    return { kind: 'answered', status: answer.statusCode, headers, text: Buffer.from(bytes).toString('utf8') }
  } catch (error) {
    return { kind: 'unanswered', failure: faultOf(error) }
  } finally {
    timer.cancel()
  }
}

const CONNECT_CODES: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])

function upstreamFailure(error: unknown): FetchFailure {
  const found = failureOf(error)
  if (found.kind !== 'protocol') return found
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return { kind: 'timeout', message: 'The upstream did not accept a connection in time.' }
  if (CONNECT_CODES.has(code)) return { kind: 'connect', message: 'No connection could be made to the upstream.' }
  return { kind: 'protocol', message: 'The upstream broke the connection or did not speak HTTP.' }
}
