import type { UpstreamFetch, UpstreamReply } from '../../net/upstream-fetch.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { OfficialCredentials } from '../../ports/official-platform.ts'
import { isRetryable, markOf, outcomeOf } from './error-map.ts'
import type { NumberMark } from './error-map.ts'
import { readGraphError } from './graph-error.ts'
import type { GraphFailure } from './graph-error.ts'
import { Lanes } from './lanes.ts'
import { fieldsOf } from './loose.ts'
import { TokenBook } from './token-book.ts'
import { readUsage, usageMetrics } from './usage.ts'

export interface GraphRequest {
  /** A word of a closed set, for metrics and logs. */
  readonly op: string
  readonly method: 'GET' | 'POST'
  /** Segments behind the version; each is escaped. */
  readonly path: readonly string[]
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** Doing it twice does no harm: it is tried again while upstream throttles or fails. */
  readonly isRepeatable: boolean
}

export type GraphAnswer =
  | { readonly ok: true, readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false, readonly failure: GraphFailure }

/** Requests of the Graph API. Never throws. */
export interface Graph {
  ask(credentials: OfficialCredentials, request: GraphRequest): Promise<GraphAnswer>
  readonly tokens: TokenBook
}

export interface GraphTuning {
  /** Requests of one number under way at once. Default 8: our choice, well below upstream's 80 messages a second. */
  readonly inFlight: number
  /** Our choice: requests of one number that wait for a place; more are refused BUSY. */
  readonly waiting: number
  /** Our choice: waits before the second, third, ... try, each with jitter over its upper half. */
  readonly backoffMs: readonly number[]
  /** Our choice: no try begins later than this after the first, so that with a last try of 10 s every asker still hears in its 20 s. */
  readonly retryUntilMs: number
  /** 0 to 1. */
  readonly random: () => number
}

export interface GraphOptions {
  /** With the version segment (contract 1, OFFICIAL_API_URL). */
  readonly apiUrl: string
  readonly fetch: UpstreamFetch
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** An answer said something of the number itself, such as an invalid token. */
  readonly onMark?: (phoneId: string, mark: NumberMark) => void
  readonly tuning?: Partial<GraphTuning>
}

const TUNING: GraphTuning = { inFlight: 8, waiting: 200, backoffMs: [500, 1_500, 4_500], retryUntilMs: 8_000, random: Math.random }
/** Seconds. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Makes the client of the official platform. Throws when the URL is none. */
export function createGraph(options: GraphOptions): Graph {
  return new GraphClient(options)
}

class GraphClient implements Graph {
  readonly tokens = new TokenBook()
  readonly #options: GraphOptions
  readonly #tuning: GraphTuning
  readonly #base: string
  readonly #lanes: Lanes
  readonly #reportUsage: ReturnType<typeof usageMetrics>
  readonly #requests
  readonly #seconds

  constructor(options: GraphOptions) {
    this.#options = options
    this.#tuning = { ...TUNING, ...options.tuning }
    this.#base = new URL(options.apiUrl).href.replace(/\/+$/, '')
    this.#lanes = new Lanes(this.#tuning.inFlight, this.#tuning.waiting)
    this.#reportUsage = usageMetrics(options.metrics)
    this.#requests = options.metrics.counter('official_requests_total', 'Requests to the official platform.', ['op', 'outcome'])
    this.#seconds = options.metrics.histogram('official_request_seconds', 'Time the official platform took to answer.', BUCKETS, ['op'])
  }

  async ask(credentials: OfficialCredentials, request: GraphRequest): Promise<GraphAnswer> {
    const { clock } = this.#options
    const startMs = clock.monotonicMs()
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#lanes.run(credentials.phoneId, () => this.#try(credentials, request))
        ?? { ok: false, failure: { kind: 'crowded' } } satisfies GraphAnswer
      if (answer.ok || !request.isRepeatable || !isRetryable(answer.failure)) return answer
      // An account that is served again in minutes is not asked again within seconds.
      if (answer.failure.kind === 'error' && answer.failure.regainMinutes !== null) return answer
      const backoffMs = this.#tuning.backoffMs[attempt]
      if (backoffMs === undefined) return answer
      const delayMs = backoffMs * (0.5 + this.#tuning.random() / 2)
      if (clock.monotonicMs() - startMs + delayMs > this.#tuning.retryUntilMs) return answer
      await new Promise<void>((wake) => clock.after(delayMs, wake))
    }
  }

  async #try(credentials: OfficialCredentials, request: GraphRequest): Promise<GraphAnswer> {
    const { clock, fetch } = this.#options
    const startMs = clock.monotonicMs()
    const reply = await fetch.request({
      method: request.method,
      url: this.#urlOf(request),
      headers: {
        authorization: `Bearer ${credentials.accessToken}`,
        accept: 'application/json',
        ...(request.body ? { 'content-type': 'application/json' } : {}),
      },
      ...(request.body ? { body: JSON.stringify(request.body) } : {}),
    })
    const answer = this.#read(reply, credentials.accessToken)
    this.#seconds.observe((clock.monotonicMs() - startMs) / 1000, { op: request.op })
    this.#requests.add({ op: request.op, outcome: answer.ok ? 'ok' : outcomeOf(answer.failure) })
    this.#note(credentials, request.op, answer)
    return answer
  }

  #urlOf({ path, query }: GraphRequest): string {
    const search = query ? `?${new URLSearchParams(query).toString()}` : ''
    return `${this.#base}/${path.map(encodeSegment).join('/')}${search}`
  }

  #read(reply: UpstreamReply, accessToken: string): GraphAnswer {
    if (reply.kind === 'unanswered') return { ok: false, failure: reply }
    const usage = readUsage(reply.headers)
    this.#reportUsage(usage)
    const body = objectIn(reply.text)
    const failure = readGraphError(reply.status, body, accessToken, usage.regainMinutes)
    if (failure) return { ok: false, failure }
    if (body && reply.status >= 200 && reply.status < 300) return { ok: true, body }
    return { ok: false, failure: { kind: 'unreadable', status: reply.status } }
  }

  /** Upstream's texts are of people and secrets: only codes are logged. */
  #note(credentials: OfficialCredentials, op: string, answer: GraphAnswer): void {
    if (answer.ok) {
      this.tokens.note(credentials.accessToken, true)
      return
    }
    const { failure } = answer
    const upstreamCode = failure.kind === 'error' ? failure.code : null
    this.#options.log.warn({ op, outcome: outcomeOf(failure), upstreamCode }, 'official platform request failed')
    const mark = markOf(failure)
    if (mark === 'TOKEN_INVALID') this.tokens.note(credentials.accessToken, false)
    if (mark) this.#options.onMark?.(credentials.phoneId, mark)
  }
}

/** Ids come from tenants: `..` must not climb out of the version segment. */
function encodeSegment(segment: string): string {
  return /^\.{0,2}$/.test(segment) ? '%20' : encodeURIComponent(segment)
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return null
  }
}
