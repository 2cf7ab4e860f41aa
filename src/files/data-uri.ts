/** RFC 2397, base64 alone. What it says about its type is the sender's word and is not read. */
const HEAD = /^data:[a-z0-9!#$&^_.+/-]{0,255}(?:;[a-z0-9!#$&^_.+-]{1,64}=[a-z0-9!#$&^_.+"/-]{0,128}){0,8};base64,/i
const MOST_HEAD_CHARACTERS = 1_024

/** How long the head of a data URI is; 0 when the text does not begin like one. */
export function dataUriHead(text: string): number {
  return HEAD.exec(text.slice(0, MOST_HEAD_CHARACTERS))?.[0].length ?? 0
}

export type DataUri = { readonly ok: true, readonly bytes: Buffer } | { readonly ok: false, readonly reason: 'malformed' | 'empty' | 'too-large', /** Of the bytes it stands for. */ readonly sizeBytes: number }

/** Reads the bytes of a data URI: strict base64 (RFC 4648 4) with its padding, without line breaks. */
export function parseDataUri(text: string, maxBytes: number): DataUri {
  const head = dataUriHead(text)
  const length = text.length - head
  if (head === 0 || length % 4 !== 0) return { ok: false, reason: 'malformed', sizeBytes: 0 }
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const sizeBytes = (length / 4) * 3 - padding
  if (sizeBytes <= 0) return { ok: false, reason: 'empty', sizeBytes: 0 }
  if (sizeBytes > maxBytes) return { ok: false, reason: 'too-large', sizeBytes }
  const body = text.slice(head)
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(body)) return { ok: false, reason: 'malformed', sizeBytes }
  return { ok: true, bytes: Buffer.from(body, 'base64') }
}
