import { request } from 'undici'

/** A small JSON client for the demo: throws with the answer's error text on anything but 2xx. */
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

  async #send<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const answer = await request(this.#base + path, {
      method,
      headers: {
        ...(this.#key === null ? {} : { 'x-api-key': this.#key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`)
    return JSON.parse(text) as T
  }
}
