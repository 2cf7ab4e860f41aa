import { dataUriHead, unfolded } from '../domain/media-text.ts'

export type DataUri =
  | { readonly ok: true; readonly bytes: Buffer }
  | {
      readonly ok: false
      readonly reason: 'malformed' | 'empty' | 'too-large'
      /** The size of the bytes that it encodes; 0 when unknown. */ readonly sizeBytes: number
    }

/** Reads the bytes of a data URI: base64 (RFC 4648 4) with its padding. Line breaks and spaces are ignored. */
export function parseDataUri(text: string, maxBytes: number): DataUri {
  const head = dataUriHead(text)
  const body = unfolded(text.slice(head))
  const { length } = body
  if (head === 0 || length % 4 !== 0) return { ok: false, reason: 'malformed', sizeBytes: 0 }
  const padding = body.endsWith('==') ? 2 : body.endsWith('=') ? 1 : 0
  const sizeBytes = (length / 4) * 3 - padding
  if (sizeBytes <= 0) return { ok: false, reason: 'empty', sizeBytes: 0 }
  if (sizeBytes > maxBytes) return { ok: false, reason: 'too-large', sizeBytes }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(body)) return { ok: false, reason: 'malformed', sizeBytes }
  return { ok: true, bytes: Buffer.from(body, 'base64') }
}
