import type { Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { bareHost, changingGuard, createAddressGuard } from './address-guard.ts'
import { FetchFault } from './fetch-failure.ts'
import { failureOf, guardBody, tooLarge } from './guarded-body.ts'
import { guardedLookup, resolveGuarded, systemResolve } from './guarded-lookup.ts'
import { checkUrl } from './url-guard.ts'
import type { Clock } from '../ports/clock.ts'
import type { AddressGuard } from './address-guard.ts'
import type { FetchFailure } from './fetch-failure.ts'
import type { GuardedBody } from './guarded-body.ts'
import type { Resolve } from './guarded-lookup.ts'

export interface GuardedRequest {
  readonly url: string
  /** Default GET. */
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Redirects followed, each checked in full; GET only. Default 0: a redirect is then an ordinary answer. */
  readonly redirects?: number
  /**
   * Bytes of body let through, counted as they arrive. An honest content-length beyond them fails at once. `Infinity`
   * for a caller that reads beginnings.
   */
  readonly maxBytes: number
  /** Ms until the headers of an answer, redirects included. Default `totalMs`. */
  readonly firstByteMs?: number
  /** Ms until the last byte of the body. */
  readonly totalMs: number
  readonly signal?: AbortSignal
}

export interface GuardedResponse {
  readonly status: number
  /** Lower-case names; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as sent: never decompressed, so that the cap counts the bytes that came. `identity` is asked for. */
  readonly body: GuardedBody
}

export type FetchOutcome =
  | { readonly ok: true; readonly response: GuardedResponse }
  | { readonly ok: false; readonly failure: FetchFailure }

/** The only way out to an address given by a caller. Its methods never throw. */
export interface GuardedFetch {
  /** Sends a request. The caller reads the body to its end or cancels it; an unread one is given up after `totalMs`. */
  request(request: GuardedRequest): Promise<FetchOutcome>
  /** Checks an address at the moment it is stored, without connecting. Null when it may be used. */
  check(url: string): Promise<FetchFailure | null>
  /** Ends all requests and connections. Idempotent. */
  close(): Promise<void>
}

export interface GuardedFetchOptions {
  /**
   * Entries of EGRESS_ALLOW ([configuration.variables.17]): hosts, addresses and CIDRs let through although not public;
   * or what gives them at each connection, the same array while they are the same.
   */
  readonly egressAllow: readonly string[] | (() => readonly string[])
  readonly clock: Clock
  /** Ms for name look-up, TCP and TLS together. Default 5 s ([webhooks.delivery.6]). */
  readonly connectMs?: number
  /** Requests under way to one host and port; more wait. Default 16. */
  readonly connectionsPerOrigin?: number
  readonly resolve?: Resolve
  /** Asked on each hop; nobody is shown a token without it. */
  readonly bearer?: BearerOf
}

/** The bearer token for an origin as URLs name it: `https://host`, with a port that is not the default one; or null. */
export type BearerOf = (origin: string) => string | null

const CONNECT_MS = 5_000
/** Our choice: enough for one busy webhook endpoint, few enough that one host cannot take all sockets. */
const CONNECTIONS_PER_ORIGIN = 16
/** Our choice: origins with an open connection at a time; idle ones close after 4 s. */
const MAX_ORIGINS = 4_096
/** Our choice: hosts may ask to keep an idle connection longer, but not for longer than this. */
const KEEP_ALIVE_MAX_MS = 30_000
const USER_AGENT = 'channel-messaging-service/1.0'
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

interface Guarded {
  readonly agent: Agent
  readonly guard: AddressGuard
  readonly clock: Clock
  readonly bearer: BearerOf
}

/**
 * Makes the guarded client with connections of its own: no proxy settings, no cookies, a fixed user agent, HTTP/1.1.
 * Every connection resolves its name, is refused if any address is not allowed, goes only to a checked address, and is
 * checked again at the address where it ended.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { egressAllow, bearer = () => null } = options
  const guard = typeof egressAllow === 'function' ? changingGuard(egressAllow) : createAddressGuard(egressAllow)
  const resolve = options.resolve ?? systemResolve
  const agent = new Agent({
    connect: createConnector(guard, resolve, options),
    connections: options.connectionsPerOrigin ?? CONNECTIONS_PER_ORIGIN,
    maxOrigins: MAX_ORIGINS,
    pipelining: 1,
    allowH2: false,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    // The deadline of each request covers both, so that they follow the clock of the program.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  let closing: Promise<void> | null = null
  return {
    request: (request) => send({ agent, guard, clock: options.clock, bearer }, request),
    async check(text) {
      const checked = checkUrl(text, guard)
      if (!checked.ok) return checked.failure
      if (checked.value.isLiteral) return null
      const resolved = await resolveGuarded(checked.value.host, resolve, guard)
      return resolved.ok ? null : resolved.failure
    },
    close: () => (closing ??= agent.destroy()),
  }
}

function createConnector(
  guard: AddressGuard,
  resolve: Resolve,
  options: GuardedFetchOptions,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: options.connectMs ?? CONNECT_MS,
    lookup: guardedLookup(resolve, guard),
    allowH2: false,
    // Our choice: 250 ms, the default, gives up on a distant first address too early.
    autoSelectFamilyAttemptTimeout: 1_000,
  })
  return (target, answer) => {
    connect(target, (error, socket) => {
      if (error) return answer(new FetchFault(connectFailure(error)), null)
      const host = bareHost(target)
      if (guard.isAllowed((socket as Socket).remoteAddress ?? '', host)) return answer(null, socket)
      socket.destroy()
      return answer(
        new FetchFault({ kind: 'forbidden', message: 'The connection led to an address that is not public.' }),
        null,
      )
    })
  }
}

function connectFailure(error: Error): FetchFailure {
  const found = failureOf(error)
  if (found.kind !== 'protocol') return found
  const { code } = error as NodeJS.ErrnoException
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return { kind: 'timeout', message: 'The host did not accept a connection in time.' }
  return { kind: 'connect', message: 'No connection could be made to the host.' }
}

/** The timers and signals of one request, joined into one abort whose reason is the failure. */
class Deadline {
  readonly #abort = new AbortController()
  readonly #release: (() => void)[] = []

  constructor(clock: Clock, request: GuardedRequest) {
    const stop = (failure: FetchFailure) => this.#abort.abort(new FetchFault(failure))
    const total = clock.after(request.totalMs, () =>
      stop({ kind: 'timeout', message: 'The host took too long to answer in full.' }),
    )
    const firstByte = clock.after(request.firstByteMs ?? request.totalMs, () =>
      stop({ kind: 'timeout', message: 'The host took too long to begin its answer.' }),
    )
    const onAbort = () => stop({ kind: 'aborted', message: 'The transfer was given up.' })
    request.signal?.addEventListener('abort', onAbort, { once: true })
    if (request.signal?.aborted === true) onAbort()
    this.answered = () => firstByte.cancel()
    this.#release.push(
      () => total.cancel(),
      this.answered,
      () => request.signal?.removeEventListener('abort', onAbort),
    )
  }

  /** To be called when the headers came. */
  readonly answered: () => void

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Prefers the reason of an abort to the error that it caused. */
  failureOf(error: unknown): FetchFailure {
    return failureOf(this.#abort.signal.aborted ? this.#abort.signal.reason : error)
  }

  release(): void {
    for (const release of this.#release) release()
  }
}

async function send(guarded: Guarded, request: GuardedRequest): Promise<FetchOutcome> {
  const deadline = new Deadline(guarded.clock, request)
  try {
    const outcome = await follow(guarded, request, deadline)
    if (!outcome.ok) deadline.release()
    return outcome
  } catch (error) {
    deadline.release()
    return { ok: false, failure: deadline.failureOf(error) }
  }
}

async function follow(guarded: Guarded, request: GuardedRequest, deadline: Deadline): Promise<FetchOutcome> {
  const hops = request.method === 'POST' ? 0 : (request.redirects ?? 0)
  let text = request.url
  for (let hop = 0; ; hop++) {
    const checked = checkUrl(text, guarded.guard)
    if (!checked.ok) return checked
    const { url } = checked.value
    const answer = await dispatch(guarded, url, request, deadline.signal)
    const location = headerText(answer.headers['location'])
    if (hops === 0 || location === '' || !REDIRECTS.has(answer.statusCode)) return accept(answer, request, deadline)
    answer.body.on('error', () => {}).destroy()
    if (hop === hops)
      return { ok: false, failure: { kind: 'protocol', message: `The host redirects more than ${hops} times.` } }
    text = URL.canParse(location, url.href) ? new URL(location, url.href).href : location
  }
}

function dispatch({ agent, bearer }: Guarded, url: URL, request: GuardedRequest, signal: AbortSignal) {
  const token = bearer(url.origin)
  return agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method ?? 'GET',
    headers: {
      ...request.headers,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      'user-agent': USER_AGENT,
      'accept-encoding': 'identity',
    },
    body: request.body ?? null,
    signal,
  })
}

type Answer = Awaited<ReturnType<typeof dispatch>>

function accept(answer: Answer, request: GuardedRequest, deadline: Deadline): FetchOutcome {
  deadline.answered()
  const body = guardBody(
    answer.body,
    request.maxBytes,
    (error) => deadline.failureOf(error),
    () => deadline.release(),
  )
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, headerText(value)]))
  // An honest content-length saves the transfer; a false one meets the count of the body.
  if (Number(headers['content-length']) > request.maxBytes) {
    body.cancel()
    return { ok: false, failure: tooLarge(request.maxBytes) }
  }
  return { ok: true, response: { status: answer.statusCode, headers, body } }
}

function headerText(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}
