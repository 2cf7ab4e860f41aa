import type { NumberMark } from '../../../domain/official.ts'
import { KeyedTurns } from '../../../domain/turns.ts'
import type { FileBody, FormPart, UpstreamBytes, UpstreamFetch, UpstreamReply } from '../../../net/upstream-fetch.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { Metrics } from '../../../ports/metrics.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import { isRetryable, markOf, outcomeOf } from '../errors/error-map.ts'
import { parseWhole } from '../values/whole-json.ts'
import { readGraphError, waitMsOf } from '../errors/graph-error.ts'
import type { GraphFailure } from '../errors/graph-error.ts'
import { TokenBook } from './token-book.ts'
import { readUsage, readWaitMs, usageMetrics } from './usage.ts'

export interface GraphRequest {
  /** A word of a closed set, for metrics and logs. */
  readonly op: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /**
   * Segments behind the version; each is escaped. A text is what upstream named to go on at: it leaves as it is, its
   * own query included, unless that would lead out of the version. Then nothing is asked, and the answer counts as
   * unreadable.
   */
  readonly path: readonly string[] | string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** Instead of `body`: a form with files. */
  readonly form?: readonly FormPart[]
  /** Instead of `body`: a form of texts, `application/x-www-form-urlencoded`. */
  readonly fields?: Readonly<Record<string, string>>
  /** Instead of `body`: a file's bytes as they are, from `file_offset` 0. */
  readonly file?: FileBody
  /** How the token is told; default `Bearer`. */
  readonly scheme?: 'Bearer' | 'OAuth'
  /** The longest answer; default 2 MB. */
  readonly answerBytes?: number
  /**
   * Which of the number's queues it waits in; default `control`: neither a campaign nor a large file keeps a call
   * waiting.
   */
  readonly lane?: Lane
  /** Doing it twice does no harm: it is tried again while upstream throttles or fails. */
  readonly isRepeatable: boolean
}

export type Lane = 'control' | 'messages' | 'media'

export type GraphAnswer =
  /** Integers in `body` that a number cannot hold exactly are texts of their digits. */
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly failure: GraphFailure }

export type GraphBytes =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly failure: GraphFailure }

/**
 * Who asks: a number, of which marks are told and whose token is watched, or something else, such as a Page, by the
 * name of its queue. What upstream says of the token of that one says nothing of a number.
 */
export type Asker =
  | Pick<OfficialCredentials, 'phoneId' | 'accessToken'>
  | { readonly queue: string; readonly accessToken: string }

/** Requests of the Graph API. Never throws. */
export interface Graph {
  ask(asker: Asker, request: GraphRequest): Promise<GraphAnswer>
  /**
   * Downloads from an address that upstream named: over https, or from the API's own origin. More than `maxBytes` count
   * as unanswered, any other address as unreadable. The bearer token goes along, unless the address is `signed`: that
   * opens by itself.
   */
  download(asker: Asker, url: string, maxBytes: number, address?: 'signed'): Promise<GraphBytes>
  readonly tokens: TokenBook
}

export interface GraphTuning {
  /** Requests of one number under way at once, beside messages. Default 8: our choice. */
  readonly inFlight: number
  /**
   * Messages of one number under way at once. Default 24: our choice, upstream's 80 messages a second at 300 ms each.
   */
  readonly messagesInFlight: number
  /** Our choice: requests of one number that wait for a place; more are refused BUSY. */
  readonly waiting: number
  /** Our choice: waits before the second, third, ... try, each with jitter over its upper half. */
  readonly backoffMs: readonly number[]
  /**
   * Our choice: no try begins later than this after the first, so that with a last try of 10 s every asker still hears
   * in its 20 s.
   */
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
  readonly onMark?: (phoneId: string, mark: NumberMark, accessToken: string) => void
  readonly tuning?: Partial<GraphTuning>
}

const TUNING: GraphTuning = {
  inFlight: 8,
  messagesInFlight: 24,
  waiting: 200,
  backoffMs: [500, 1_500, 4_500],
  retryUntilMs: 8_000,
  random: Math.random,
}
/**
 * Our choice: files of one number under way at once, and the time for one: 100 MB (spec: Limits) at about 14 Mbit/s.
 */
const MEDIA_IN_FLIGHT = 4
const MEDIA_MS = 60_000
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
  readonly #lanes: Readonly<Record<Lane, KeyedTurns>>
  readonly #reportUsage: ReturnType<typeof usageMetrics>
  readonly #requests
  readonly #seconds

  constructor(options: GraphOptions) {
    this.#options = options
    this.#tuning = { ...TUNING, ...options.tuning }
    this.#base = new URL(options.apiUrl).href.replace(/\/+$/, '')
    const { inFlight, messagesInFlight, waiting: mostWaiting } = this.#tuning
    this.#lanes = {
      control: new KeyedTurns({ ofKey: inFlight, mostWaiting }),
      messages: new KeyedTurns({ ofKey: messagesInFlight, mostWaiting }),
      media: new KeyedTurns({ ofKey: MEDIA_IN_FLIGHT, mostWaiting }),
    }
    this.#reportUsage = usageMetrics(options.metrics)
    this.#requests = options.metrics.counter('official_requests_total', 'Requests to the official platform.', [
      'op',
      'outcome',
    ])
    this.#seconds = options.metrics.histogram(
      'official_request_seconds',
      'Time the official platform took to answer.',
      BUCKETS,
      ['op'],
    )
  }

  async ask(asker: Asker, request: GraphRequest): Promise<GraphAnswer> {
    const { clock } = this.#options
    const startMs = clock.monotonicMs()
    for (let attempt = 0; ; attempt++) {
      const answer =
        (await this.#lanes[request.lane ?? 'control'].runIfRoom(queueOf(asker), () => this.#try(asker, request)))
        ?? CROWDED
      if (answer.ok || !request.isRepeatable || !isRetryable(answer.failure)) return answer
      const backoffMs = this.#tuning.backoffMs[attempt]
      if (backoffMs === undefined) return answer
      // What upstream asks for is waited out where the asker's time allows: an account that is served again in minutes
      // is not asked again within seconds.
      const delayMs = Math.max(backoffMs * (0.5 + this.#tuning.random() / 2), waitMsOf(answer.failure) ?? 0)
      if (clock.monotonicMs() - startMs + delayMs > this.#tuning.retryUntilMs) return answer
      await new Promise<void>((wake) => clock.after(delayMs, wake))
    }
  }

  async download(asker: Asker, url: string, maxBytes: number, address?: 'signed'): Promise<GraphBytes> {
    if (!this.#isTrusted(url)) return { ok: false, failure: { kind: 'unreadable', status: 200, waitMs: null } }
    return (
      (await this.#lanes.media.runIfRoom(queueOf(asker), async () => {
        const startMs = this.#options.clock.monotonicMs()
        const reply = await this.#options.fetch.download(
          {
            method: 'GET',
            url,
            headers: {
              ...(address === 'signed' ? {} : { authorization: `Bearer ${asker.accessToken}` }),
              accept: '*/*',
            },
            totalMs: MEDIA_MS,
          },
          maxBytes,
        )
        const answer = readBytes(reply, asker.accessToken)
        this.#count(asker, 'media.download', startMs, answer)
        return answer
      })) ?? CROWDED
    )
  }

  /**
   * The token leaves in the open for the API itself at most, which is the operator's choice (a sandbox on this
   * machine).
   */
  #isTrusted(url: string): boolean {
    const target = URL.parse(url)
    return target?.protocol === 'https:' || target?.origin === new URL(this.#base).origin
  }

  async #try(asker: Asker, request: GraphRequest): Promise<GraphAnswer> {
    const url = urlOf(this.#base, request)
    if (url === null) return { ok: false, failure: { kind: 'unreadable', status: 200, waitMs: null } }
    const startMs = this.#options.clock.monotonicMs()
    const { form, body, fields, file, answerBytes } = request
    const reply = await this.#options.fetch.request({
      method: request.method,
      url,
      headers: {
        authorization: `${request.scheme ?? 'Bearer'} ${asker.accessToken}`,
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(file ? { file_offset: '0' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(fields ? { body: new URLSearchParams(fields).toString() } : {}),
      ...(form ? { body: form, totalMs: MEDIA_MS } : {}),
      ...(file ? { body: file, totalMs: MEDIA_MS } : {}),
      ...(answerBytes === undefined ? {} : { answerBytes }),
    })
    const answer = this.#read(reply, asker.accessToken)
    this.#count(asker, request.op, startMs, answer)
    return answer
  }

  #count(asker: Asker, op: string, startMs: number, answer: GraphAnswer | GraphBytes): void {
    this.#seconds.observe((this.#options.clock.monotonicMs() - startMs) / 1000, { op })
    this.#requests.add({ op, outcome: answer.ok ? 'ok' : outcomeOf(answer.failure) })
    this.#note(asker, op, answer)
  }

  #read(reply: UpstreamReply, accessToken: string): GraphAnswer {
    if (reply.kind === 'unanswered') return { ok: false, failure: reply }
    const usage = readUsage(reply.headers)
    this.#reportUsage(usage)
    const body = parseWhole(reply.text)
    const waitMs = readWaitMs(reply.headers, usage, this.#options.clock.now())
    const failure = readGraphError(reply.status, body, accessToken, waitMs)
    if (failure) return { ok: false, failure }
    if (body && reply.status >= 200 && reply.status < 300) return { ok: true, body }
    return { ok: false, failure: { kind: 'unreadable', status: reply.status, waitMs } }
  }

  /** Upstream's texts are of people and secrets: only codes are logged. */
  #note(asker: Asker, op: string, answer: GraphAnswer | GraphBytes): void {
    const failure = answer.ok ? null : answer.failure
    if (failure) {
      const upstreamCode = failure.kind === 'error' ? failure.code : null
      this.#options.log.warn({ op, outcome: outcomeOf(failure), upstreamCode }, 'official platform request failed')
    }
    if ('queue' in asker) return
    const mark = failure && markOf(failure)
    if (!failure || mark === 'TOKEN_INVALID') this.tokens.note(asker.accessToken, !failure)
    if (mark) this.#options.onMark?.(asker.phoneId, mark, asker.accessToken)
  }
}

function queueOf(asker: Asker): string {
  return 'queue' in asker ? asker.queue : asker.phoneId
}

const CROWDED = { ok: false, failure: { kind: 'crowded' } } as const satisfies GraphAnswer

/** Our choice: what is read of an error in the place of a file. */
const ERROR_BYTES = 65_536

/** Whoever gives files answers errors as the API does, or with a bare status. */
function readBytes(reply: UpstreamBytes, accessToken: string): GraphBytes {
  if (reply.kind === 'unanswered') return { ok: false, failure: reply }
  const { status, bytes, headers } = reply
  if (status >= 200 && status < 300) return { ok: true, bytes, headers }
  const failure = readGraphError(
    status,
    parseWhole(Buffer.from(bytes.subarray(0, ERROR_BYTES)).toString('utf8')),
    accessToken,
    null,
  )
  return { ok: false, failure: failure ?? { kind: 'unreadable', status, waitMs: null } }
}

/** Our choice, in characters: such ids of upstream's are a few hundred. */
const NAMED_PATH = 4_096

/**
 * Null when a path that upstream named would not arrive as it is: a URL of dots, backslashes, line breaks or fragments
 * is read as another.
 */
function urlOf(base: string, { path, query }: GraphRequest): string | null {
  if (typeof path === 'string') {
    const url = `${base}/${path}`
    return path !== '' && path.length <= NAMED_PATH && !path.includes('#') && URL.parse(url)?.href === url ? url : null
  }
  const search = query ? `?${new URLSearchParams(query).toString()}` : ''
  return `${base}/${path.map(encodeSegment).join('/')}${search}`
}

/** Ids come from tenants: `..` must not climb out of the version segment. */
function encodeSegment(segment: string): string {
  return /^\.{0,2}$/.test(segment) ? '%20' : encodeURIComponent(segment)
}
