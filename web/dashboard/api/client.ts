import { newKey } from '../../ui/key.ts'
import { answerTo, type Method } from '../../ui/session/ask.ts'
import type { Answer } from '../../ui/session/answers.ts'

/** What a request names beside its path. */
export interface Options {
  /** The number that a number route is of ([sessions.second-door.1]). */
  readonly number?: string
  /** Query fields; those that are null are left out. */
  readonly query?: Readonly<Record<string, string | number | null>>
  /** The idempotency key of a POST ([rest.idempotency.1]): the same for each try of one act. A new one when absent. */
  readonly key?: string
  readonly signal?: AbortSignal
  /** Goes out even when the page closes meanwhile. */
  readonly isLast?: boolean
}

/** The service as this session may use it. Paths begin with `/api/`; no method ever rejects. */
export interface Api {
  get<T>(path: string, options?: Options): Promise<Answer<T>>
  post<T>(path: string, body?: object, options?: Options): Promise<Answer<T>>
  put<T>(path: string, body: object, options?: Options): Promise<Answer<T>>
  patch<T>(path: string, body: object, options?: Options): Promise<Answer<T>>
  delete<T>(path: string, options?: Options): Promise<Answer<T>>
}

/** Makes the interface of a session; `signedOut` is called when an answer says that the session is over. */
export function createApi(csrfToken: string, signedOut: () => void): Api {
  async function ask<T>(method: Method, path: string, body: object | undefined, options: Options = {}) {
    const answer = await answerTo<T>({
      method,
      path: path + queryOf(options.query),
      csrfToken,
      headers: headersOf(method, options),
      ...(body === undefined ? {} : { body }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      isLast: options.isLast ?? false,
    })
    if (answer.fault?.kind === 'SIGNED_OUT') signedOut()
    return answer
  }
  return {
    get: (path, options) => ask('GET', path, undefined, options),
    post: (path, body, options) => ask('POST', path, body ?? {}, options),
    put: (path, body, options) => ask('PUT', path, body, options),
    patch: (path, body, options) => ask('PATCH', path, body, options),
    delete: (path, options) => ask('DELETE', path, undefined, options),
  }
}

function headersOf(method: Method, { number, key }: Options): Record<string, string> {
  return {
    ...(number === undefined ? {} : { 'x-channel-number-id': number }),
    ...(method === 'POST' ? { 'idempotency-key': key ?? newKey() } : {}),
  }
}

function queryOf(fields: Options['query'] = {}): string {
  const given = Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
