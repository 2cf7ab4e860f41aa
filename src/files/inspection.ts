import { refuse } from '../domain/errors.ts'
import type { Refusal } from '../domain/errors.ts'
import { kindOf } from '../domain/kinds/kinds.ts'
import { readBeginning } from '../net/guarded-body.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { MediaOrder } from '../ports/message-media.ts'
import { REDIRECTS } from './download.ts'
import { HEAD_BYTES, factsOf, typeOf } from './file-type.ts'
import { endsOf, isSourceOf } from './preparation.ts'
import type { Shelf } from './shelf.ts'

/**
 * Refuses what can be told of a media before its message is queued; null when nothing speaks against it. Never rejects.
 */
export async function inspectMedia(
  fetch: GuardedFetch,
  shelf: Shelf,
  order: MediaOrder,
  waitMs: number,
): Promise<Refusal | null> {
  const { source } = order
  if ('url' in source) {
    const failure = await fetch.check(source.url)
    if (failure?.kind === 'invalid-url')
      return refuse('VALIDATION', failure.message, [{ path: 'media', message: failure.message }])
    if (failure?.kind === 'forbidden') return refuse('MEDIA_URL_FORBIDDEN', failure.message)
    // A name without an address now may have one when the message is sent.
    if (failure) return null
  }
  if (order.kind !== 'document' || kindOf(order).media.takesVideoDocuments) return null
  const head = 'url' in source ? await headOf(fetch, source.url, waitMs) : await keptHead(shelf, order)
  if (head === null || factsOf(typeOf(head)).family !== 'video') return null
  return refuse(
    'OFFICIAL_VIDEO_AS_DOCUMENT_NOT_SUPPORTED',
    `A video cannot be sent as document on an ${order.provider} number. Send it with mediaType video.`,
  )
}

/** Reads the first bytes behind an address; null when they did not come in time. */
async function headOf(fetch: GuardedFetch, url: string, waitMs: number): Promise<Uint8Array | null> {
  const outcome = await fetch.request({
    url,
    redirects: REDIRECTS,
    maxBytes: Infinity,
    totalMs: waitMs,
    headers: { range: `bytes=0-${HEAD_BYTES - 1}` },
  })
  if (!outcome.ok) return null
  const { status, body } = outcome.response
  const { bytes } = await readBeginning(body, HEAD_BYTES)
  body.cancel()
  return status === 200 || status === 206 ? bytes : null
}

async function keptHead(shelf: Shelf, order: MediaOrder): Promise<Uint8Array | null> {
  try {
    const found = 'fileId' in order.source ? await shelf.find(order.source.fileId) : null
    if (!found || !isSourceOf(found.row, order)) return null
    return (await endsOf(found.path)).head
  } catch {
    return null
  }
}
