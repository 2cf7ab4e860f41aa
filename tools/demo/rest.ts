import { request } from 'undici'

/** An answer other than 2xx. */
export class Refused extends Error {
  /** The JSON body of the answer; null when it is no JSON. */
  readonly body: unknown

  constructor(message: string, text: string) {
    super(`${message}: ${text}`)
    this.body = jsonOf(text)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A small JSON client for the demo. It throws Refused, with the error text of the answer, for any status but 2xx. */
export class Rest {
  readonly #base: string
  readonly #key: string | null

  constructor(base: string, key: string | null = null) {
    this.#base = base
    this.#key = key
  }

  async get<T>(path: string): Promise<T> {
    return await this.#send<T>('GET', path)
  }

  async post<T>(path: string, body?: object): Promise<T> {
    return await this.#send<T>('POST', path, body)
  }

  async patch<T>(path: string, body: object): Promise<T> {
    return await this.#send<T>('PATCH', path, body)
  }

  async put<T>(path: string, body: object): Promise<T> {
    return await this.#send<T>('PUT', path, body)
  }

  async delete<T>(path: string): Promise<T> {
    return await this.#send<T>('DELETE', path)
  }

  async #send<T>(method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T> {
    const answer = await request(this.#base + path, {
      method,
      headers: {
        ...(this.#key === null ? {} : { 'x-api-key': this.#key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Refused(`${method} ${path} answered ${answer.statusCode}`, text)
    return JSON.parse(text) as T
  }
}
