import { bodyOf, networkFailure } from './answer-body.ts'
import { RequestFailure } from './failure.ts'
import type { ServerClock } from './server-clock.ts'

/** The base path of all routes of an embed ([embeds.inbox-routes.1] and following). */
export const EMBED_API = '/api/public/embed'

/** Where a request takes its token from; it is read anew for each request. */
export interface TokenSource {
  readonly current: () => string
  /** Called when an answer says that the session of a token is over. */
  readonly refused: (code: string, token: string) => void
}

export interface Upload {
  readonly done: Promise<unknown>
  cancel(): void
}

/** Codes that mean, for every request, that the session is over. */
const SESSION_CODES: ReadonlySet<string> = new Set(['INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'])

/** The HTTP interface of the inbox: JSON with a bearer token, which is never in an address. */
export class Client {
  readonly #token: TokenSource
  readonly #clock: ServerClock

  constructor(token: TokenSource, clock: ServerClock) {
    this.#token = token
    this.#clock = clock
  }

  /** Reads JSON. Throws RequestFailure. */
  get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return bodyOf(this.#send('GET', path, null, {}, signal), (response) => response.json() as Promise<T>)
  }

  /** Posts JSON. `key` is the idempotency key, the same for each try of one send. Throws RequestFailure. */
  post<T>(path: string, body: unknown, key?: string): Promise<T> {
    return this.ask('POST', path, body, key)
  }

  /** Asks by any method; without a body, none is sent. Throws RequestFailure. */
  ask<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
    const isEmpty = body === undefined
    const headers = {
      ...(isEmpty ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    const sent = this.#send(method, path, isEmpty ? null : JSON.stringify(body), headers)
    return bodyOf(sent, (response) => response.json() as Promise<T>)
  }

  /** Reads the bytes of a media file. Throws RequestFailure. */
  bytes(path: string, signal?: AbortSignal): Promise<Blob> {
    return bodyOf(this.#send('GET', path, null, {}, signal), (response) => response.blob())
  }

  /** Opens a stream of events; `lastId` is the event to resume after. Throws RequestFailure. */
  async stream(path: string, lastId: string | null, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#send(
      'GET',
      path,
      null,
      { accept: 'text/event-stream', ...(lastId === null ? {} : { 'last-event-id': lastId }) },
      signal,
    )
    if (!body) throw new RequestFailure('network', 'the stream has no body')
    return body
  }

  /**
   * Sends a form and reports which part of it is sent, 0 to 1. It uses XMLHttpRequest because fetch reports no
   * progress.
   */
  upload(path: string, form: FormData, key: string, onProgress: (part: number) => void): Upload {
    const request = new XMLHttpRequest()
    const token = this.#token.current()
    const done = new Promise<unknown>((resolve, reject) => {
      request.open('POST', `${EMBED_API}${path}`)
      request.setRequestHeader('authorization', `Bearer ${token}`)
      request.setRequestHeader('idempotency-key', key)
      request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
      request.addEventListener('load', () => {
        if (request.status < 300) resolve(jsonOf(request.responseText))
        else reject(this.#refusedUpload(token, request))
      })
      for (const event of ['error', 'abort', 'timeout'])
        request.addEventListener(event, () => reject(new RequestFailure('network', event)))
      request.send(form)
    })
    return { done, cancel: () => request.abort() }
  }

  async #send(
    method: string,
    path: string,
    body: string | null,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> {
    const token = this.#token.current()
    const response = await this.#fetch(method, path, body, { ...headers, authorization: `Bearer ${token}` }, signal)
    this.#clock.told(response.headers.get('date'))
    if (response.ok) return response
    const refusal = this.#refused(
      token,
      response.status,
      await response.text().catch(() => ''),
      response.headers.get('retry-after'),
    )
    // The token was replaced while the request was under way: the new token may be allowed what the old one was
    // refused.
    if (refusal.kind === 'session' && this.#token.current() !== token)
      return await this.#send(method, path, body, headers, signal)
    throw refusal
  }

  async #fetch(
    method: string,
    path: string,
    body: string | null,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Response> {
    try {
      return await fetch(`${EMBED_API}${path}`, {
        method,
        body,
        headers,
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        ...(signal ? { signal } : {}),
      })
    } catch (error) {
      throw networkFailure(error)
    }
  }

  /**
   * When the token was replaced meanwhile, the refusal counts as a network failure: another try under the same key may
   * be taken.
   */
  #refusedUpload(token: string, request: XMLHttpRequest): RequestFailure {
    const refusal = this.#refused(token, request.status, request.responseText, request.getResponseHeader('retry-after'))
    return refusal.kind === 'session' && this.#token.current() !== token
      ? new RequestFailure('network', refusal.message)
      : refusal
  }

  #refused(token: string, status: number, text: string, retryAfter: string | null): RequestFailure {
    const {
      error = '',
      code = null,
      details,
    } = jsonOf(text) as { error?: string; code?: string | null; details?: unknown }
    const isOver = status === 401 && code !== null && SESSION_CODES.has(code)
    if (isOver) this.#token.refused(code, token)
    return new RequestFailure(isOver ? 'session' : 'refused', error, {
      code,
      status,
      details,
      retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1_000,
    })
  }
}

function jsonOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
