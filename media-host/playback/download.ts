import { open } from 'node:fs/promises'
import type { DecodeFormat } from '../../engines/media/protocol/decoding.ts'
import { PLAYBACK_BYTES } from '../../src/domain/limits.ts'
import { refuse } from '../../src/domain/errors.ts'
import { isMpegBehindJunk, SNIFF_BYTES, sniff } from '../../src/net/sniff.ts'
import type { Refusal } from '../../src/domain/errors.ts'
import type { FetchFailure } from '../../src/net/fetch-failure.ts'
import type { GuardedBody } from '../../src/net/guarded-body.ts'
import type { GuardedFetch, GuardedResponse } from '../../src/net/guarded-fetch.ts'
import type { SniffedType } from '../../src/net/sniff.ts'
import type { CachedFile } from './cache.ts'

/** Our choice: a file that takes longer than a minute never arrives in time for a caller on the line. */
const DOWNLOAD_MS = 60_000
/** Our choice: files are often behind a redirect or two of a CDN; each hop is fully checked. */
const REDIRECTS = 3

const FORMATS: Readonly<Record<SniffedType, DecodeFormat>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg',
}

/** A transfer whose first bytes are audio. */
export interface Arrival {
  readonly format: DecodeFormat
  readonly etag: string
  readonly lastModified: string
  /** True when the file host forbids storing it (RFC 9111 section 5.2.2.5). */
  readonly isPrivate: boolean
  readonly first: Uint8Array
  readonly rest: GuardedBody
}

export type Beginning =
  | { readonly kind: 'arriving'; readonly arrival: Arrival }
  /** The version in the cache is still current. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Requests a file through the guard and looks at its first bytes. `known` makes the request conditional. */
export async function beginDownload(
  guardedFetch: GuardedFetch,
  url: string,
  known: CachedFile | null,
  signal: AbortSignal,
): Promise<Beginning> {
  const outcome = await guardedFetch.request({
    url,
    headers: conditions(known),
    redirects: REDIRECTS,
    maxBytes: PLAYBACK_BYTES,
    totalMs: DOWNLOAD_MS,
    signal,
  })
  if (!outcome.ok) return refused(refusalOf(outcome.failure))
  const { response } = outcome
  if (response.status === 304 && known !== null) {
    response.body.cancel()
    return { kind: 'unchanged' }
  }
  const fault = faultOf(response)
  if (fault === null) return look(response)
  response.body.cancel()
  return refused(refuse('MEDIA_DOWNLOAD_FAILED', fault))
}

async function look(response: GuardedResponse): Promise<Beginning> {
  const { headers, body } = response
  const parts: Uint8Array[] = []
  for (let size = 0; size < SNIFF_BYTES;) {
    const part = await body.read()
    if (part.kind === 'failed') return refused(refusalOf(part.failure))
    if (part.kind === 'end') break
    parts.push(part.bytes)
    size += part.bytes.byteLength
  }
  const first = Buffer.concat(parts)
  const type = sniff(first) ?? (isMpegBehindJunk(first) ? 'audio/mpeg' : null)
  if (type === null) {
    body.cancel()
    return refused(
      refuse(
        'MEDIA_UNSUPPORTED',
        'The file is not audio that can be played. Give the address of an MP3, WAV or Ogg Opus file.',
      ),
    )
  }
  const { etag = '', 'last-modified': lastModified = '', 'cache-control': cacheControl = '' } = headers
  const isPrivate = /\bno-store\b/i.test(cacheControl)
  return { kind: 'arriving', arrival: { format: FORMATS[type], etag, lastModified, isPrivate, first, rest: body } }
}

/** Writes a transfer to a new file that only this process can read. Null when it arrived completely. */
export async function saveDownload(arrival: Arrival, path: string): Promise<Refusal | null> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(arrival.first)
    for (;;) {
      const part = await arrival.rest.read()
      if (part.kind === 'end') return null
      if (part.kind === 'failed') return refusalOf(part.failure)
      await file.writeFile(part.bytes)
    }
  } finally {
    arrival.rest.cancel()
    await file.close()
  }
}

function conditions(known: CachedFile | null): Record<string, string> {
  return {
    accept: 'audio/*, application/ogg, */*;q=0.1',
    ...(known === null || known.etag === '' ? {} : { 'if-none-match': known.etag }),
    ...(known === null || known.lastModified === '' ? {} : { 'if-modified-since': known.lastModified }),
  }
}

function faultOf({ status, headers }: GuardedResponse): string | null {
  if (status !== 200)
    return `The file host answered with status ${status}. Check that the address can be opened without signing in.`
  const encoding = headers['content-encoding'] ?? ''
  // Our choice: audio gains nothing from compression, and a small compressed body can hide a huge one.
  return ['', 'identity'].includes(encoding.toLowerCase())
    ? null
    : 'The file host sends the file compressed although that was not asked for. Serve it as it is.'
}

function refused(refusal: Refusal): Beginning {
  return { kind: 'refused', refusal }
}

/** The refusal of `play` for a failure of the guarded fetch ([calls.play.7] [calls.play.8]). */
function refusalOf(failure: FetchFailure): Refusal {
  if (failure.kind === 'invalid-url')
    return refuse('VALIDATION', failure.message, [{ path: 'mediaUrl', message: failure.message }])
  if (failure.kind === 'forbidden')
    return refuse('MEDIA_URL_FORBIDDEN', failure.message, [{ path: 'mediaUrl', message: failure.message }])
  if (failure.kind === 'too-large')
    return refuse(
      'MEDIA_TOO_LARGE',
      `The file is larger than ${PLAYBACK_BYTES / 1_000_000} MB. Give a shorter or more compressed one.`,
    )
  return refuse('MEDIA_DOWNLOAD_FAILED', `The file could not be downloaded. ${failure.message}`)
}
