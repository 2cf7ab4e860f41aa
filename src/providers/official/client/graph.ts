import { chance } from '../../../domain/randomness.ts'
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
   * Segments after the version; each is escaped. A text is a path that upstream named for the next step: it is sent
   * unchanged, its own query included, unless that would lead out of the version. Then nothing is asked, and the answer
   * counts as unreadable.
   */
  readonly path: readonly string[] | string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** A form with files, instead of `body`. */
  readonly form?: readonly FormPart[]
  /** A form of texts, instead of `body`: `application/x-www-form-urlencoded`. */
  readonly fields?: Readonly<Record<string, string>>
  /** The bytes of a file, instead of `body`, from `file_offset` 0. */
  readonly file?: FileBody
  /** Scheme of the authorization header; default `Bearer`. */
  readonly scheme?: 'Bearer' | 'OAuth'
  /** Longest answer, bytes; default 2 MB. */
  readonly answerBytes?: number
  /**
   * The queue of the number that the request waits in; default `control`. With queues apart, neither a campaign nor a
   * large file keeps a call waiting.
   */
  readonly lane?: Lane
  /** True when doing it twice does no harm: it is tried again while upstream throttles or fails. */
  readonly isRepeatable: boolean
}

export type Lane = 'control' | 'messages' | 'media'

export type GraphAnswer =
  /** Integers in `body` beyond 2^53 are texts of their digits. */
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly failure: GraphFailure }

export type GraphBytes =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly failure: GraphFailure }

/**
 * Who asks. A number's marks are told and its token is watched. Any other asker, such as a Page, is named by its queue:
 * what upstream says of its token says nothing of a number.
 */
export type Asker =
  | Pick<OfficialCredentials, 'phoneId' | 'accessToken'>
  | { readonly queue: string; readonly accessToken: string }

/** Requests of the Graph API. Never throws. */
export interface Graph {
  ask(asker: Asker, request: GraphRequest): Promise<GraphAnswer>
  /**
   * Downloads from an address that upstream named: over https, or from the API's own origin. More than `maxBytes` count
   * as unanswered, any other address as unreadable. The bearer token goes along, unless the address is `signed` and so
   * opens by itself.
   */
  download(asker: Asker, url: string, maxBytes: number, address?: 'signed'): Promise<GraphBytes>
  readonly tokens: TokenBook
}

export interface GraphTuning {
  /** Requests of one number under way at once, besides messages. Default 8: our choice. */
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
   * Our choice: no try begins later than this after the first, ms, so that with a last try of 10 s every asker hears
   * within its 20 s.
   */
  readonly retryUntilMs: number
  /** A random number from 0 to 1. */
  readonly random: () => number
}

export interface GraphOptions {
  /** Base URL with the version segment (OFFICIAL_API_URL, [configuration.variables.14]). */
  readonly apiUrl: string
  readonly fetch: UpstreamFetch
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Called when an answer said something of the number itself, such as that its token is invalid. */
  readonly onMark?: (phoneId: string, mark: NumberMark, accessToken: string) => void
  readonly tuning?: Partial<GraphTuning>
}

const TUNING: GraphTuning = {
  inFlight: 8,
  messagesInFlight: 24,
  waiting: 200,
  backoffMs: [500, 1_500, 4_500],
  retryUntilMs: 8_000,
  random: chance,
}
/**
 * Our choice: files of one number under way at once, and the time for one, ms: 100 MB ([media.ceilings.4]) at about 14
 * Mbit/s.
 */
const MEDIA_IN_FLIGHT = 4
const MEDIA_MS = 60_000
/** Buckets of the histogram, seconds. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Makes the client of the official platform. Throws when `apiUrl` is no URL. */
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
      // A wait that upstream asks for is kept when the asker has time for it: an account that is served again in
      // minutes is not asked again within seconds.
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

  /** The token leaves unencrypted only for the API itself, whose URL the operator chose (a sandbox on this machine). */
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

  /** Logs codes only, because upstream's texts hold personal data and secrets. */
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

/** Our choice: bytes that are read of an error in place of a file. */
const ERROR_BYTES = 65_536

/** Reads a file's answer. Hosts of files answer errors as the API does, or with a bare status. */
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

/** Our choice, in characters: paths named by upstream have a few hundred. */
const NAMED_PATH = 4_096

/**
 * The URL of a request; null when a path that upstream named would change on its way, because dots, backslashes, line
 * breaks or fragments are read differently.
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
