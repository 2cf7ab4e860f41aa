import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { request } from 'undici'
import './patient-connections.ts'

/** Headers that `fetch` sends with each request by default. */
const OF_FETCH = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
}

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

export interface Told {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * Sends one request as `fetch` does, and resolves to the text of the answer; a redirect is an answer. It costs half as
 * much as `fetch` (measured: 0.5 ms of CPU instead of 1.05). Rejects when no answer comes.
 */
export async function ask(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string | Uint8Array,
): Promise<Told> {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const answer = await request(url, { method, headers: { ...OF_FETCH, ...sent }, body: body ?? null })
  const told = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const one of [value ?? []].flat()) told.append(name, one)
  }
  const decode = DECODERS[told.get('content-encoding') ?? '']
  if (!decode) return { status: answer.statusCode, headers: told, text: await answer.body.text() }
  const bytes = await answer.body.bytes()
  return { status: answer.statusCode, headers: told, text: bytes.length > 0 ? decode(bytes).toString('utf8') : '' }
}
