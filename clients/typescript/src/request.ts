import { ChannelError } from './error.ts'

/** Settings of a client. */
export interface ClientOptions {
  /** Where the service is, such as `https://channel.example.com`. */
  readonly baseUrl: string
  /** Key of a tenant or of a number: `cms_...`. */
  readonly apiKey?: string
  /** Access token of a grant, in place of a key. */
  readonly accessToken?: string
  /** Id of the number that requests are about, where key or token is of several. */
  readonly channelNumberId?: string
  /** How often a request is sent again after 429, 503 or a lost connection; 2. */
  readonly maxRetries?: number
  /** In place of the platform's `fetch`. */
  readonly fetch?: typeof fetch
}

/** Settings of one request. */
export interface RequestOptions {
  /** Sent again, it answers the first answer for 24 h. One is made where the route takes one. */
  readonly idempotencyKey?: string
  readonly channelNumberId?: string
  readonly requestId?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A request as the methods of resources say it. */
export interface Asked {
  readonly verb: string
  readonly path: string
  readonly body?: unknown
  readonly query?: object | undefined
  /** The route takes an `Idempotency-Key`. */
  readonly isIdempotent?: boolean
  /** The answer is no JSON, and handed over as it comes. */
  readonly isFile?: boolean
}

export type Send = <T>(asked: Asked, options?: RequestOptions) => Promise<T>

const MAX_RETRIES = 2
/** The longest wait that an answer may ask for, in s; a longer one is left to the caller. */
const MAX_WAIT_SECONDS = 60
/** The first wait where the answer names none, in ms; each further one is twice as long. */
const FIRST_WAIT_MS = 500
/** May come again without harm: 429 and 503 were not worked off. */
const RETRIED = new Set([429, 503])
/** Sent twice, they do no more than once. */
const REPEATABLE = new Set(['GET', 'PUT', 'DELETE'])

/** Makes the function that sends the requests of a client. */
export function senderOf(client: ClientOptions): Send {
  const ask = client.fetch ?? fetch.bind(globalThis)
  return async <T>(asked: Asked, options: RequestOptions = {}): Promise<T> => {
    const idempotencyKey = options.idempotencyKey ?? (asked.isIdempotent ? crypto.randomUUID() : undefined)
    const request = {
      method: asked.verb,
      headers: headersOf(client, asked, { ...options, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }),
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    }
    const mayRepeat = REPEATABLE.has(asked.verb) || idempotencyKey !== undefined
    for (let tries = 0; ; tries++) {
      const isLast = tries >= (client.maxRetries ?? MAX_RETRIES)
      const answer = await ask(addressOf(client.baseUrl, asked), request).catch((error: unknown) => {
        if (isLast || !mayRepeat || options.signal?.aborted) throw error
        return null
      })
      if (answer?.ok) return (asked.isFile ? answer : await answer.json()) as T
      const error = answer && (await ChannelError.of(answer))
      const waitSeconds = error?.retryAfter ?? (FIRST_WAIT_MS * 2 ** tries) / 1_000
      if (error && (isLast || !RETRIED.has(error.status) || waitSeconds > MAX_WAIT_SECONDS)) throw error
      await pause(waitSeconds * 1_000, options.signal)
    }
  }
}

function addressOf(baseUrl: string, { path, query }: Asked): string {
  const texts = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]): [string, string] => [name, String(value)])
  const search = texts.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`
  return `${baseUrl.replace(/\/+$/, '')}${path}${search}`
}

function headersOf(client: ClientOptions, { body }: Asked, options: RequestOptions): Record<string, string> {
  const number = options.channelNumberId ?? client.channelNumberId
  return {
    accept: 'application/json',
    ...(client.apiKey === undefined ? {} : { 'x-api-key': client.apiKey }),
    ...(client.accessToken === undefined ? {} : { authorization: `Bearer ${client.accessToken}` }),
    ...(number === undefined ? {} : { 'x-channel-number-id': number }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(options.idempotencyKey === undefined ? {} : { 'idempotency-key': options.idempotencyKey }),
    ...(options.requestId === undefined ? {} : { 'x-request-id': options.requestId }),
    ...options.headers,
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
  })
}
