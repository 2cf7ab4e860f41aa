import { fail, refuse, succeed } from '../../../domain/errors.ts'
import type { Outcome, Refusal } from '../../../domain/errors.ts'
import { DOCUMENT_BYTES } from '../../../domain/limits.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { MediaPort, OfficialMedia } from '../../../ports/official/media.ts'
import type { GraphFailure } from '../errors/graph-error.ts'
import type { Graph } from '../client/graph.ts'
import { refusalOf } from '../errors/error-map.ts'
import { numberIn, textIn } from '../values/loose.ts'

/**
 * Upstream's codes for an id that it does not know or that is of another phone, and for a file that it no longer has.
 */
const GONE_CODES: ReadonlySet<number | null> = new Set([100, 131052])
const HTTP_NOT_FOUND = 404
const NOT_FOUND: Refusal = refuse('NOT_FOUND', 'No such media of this phone number, or it has expired.')

/** Media that users sent to a number. */
export function mediaOps(graph: Graph, credentials: OfficialCredentials): MediaPort {
  return { read: (mediaId) => readMedia(graph, credentials, mediaId) }
}

/**
 * Downloads a file in upstream's two steps, its address, then its bytes ([media.inbound.3]): at most 100 MB, the
 * largest that upstream has ([media.ceilings.4]).
 */
async function readMedia(
  graph: Graph,
  credentials: OfficialCredentials,
  mediaId: string,
): Promise<Outcome<OfficialMedia>> {
  const found = await graph.ask(credentials, {
    op: 'media.read',
    method: 'GET',
    path: [mediaId],
    query: { phone_number_id: credentials.phoneId },
    isRepeatable: true,
  })
  if (!found.ok) return refused(found.failure)
  const url = textIn(found.body, 'url')
  // The id is that of something else, such as an account.
  if (url === null) return fail(NOT_FOUND)
  if ((numberIn(found.body, 'file_size') ?? 0) > DOCUMENT_BYTES)
    return fail(refuse('MEDIA_READ_FAILED', 'The media is larger than 100 MB.'))
  const file = await graph.download(credentials, url, DOCUMENT_BYTES)
  if (!file.ok) return refused(file.failure)
  return succeed({
    bytes: file.bytes,
    mimeType: textIn(found.body, 'mime_type') ?? file.headers['content-type'] ?? 'application/octet-stream',
    fileName: fileNameIn(file.headers['content-disposition']),
  })
}

function refused(failure: GraphFailure): Outcome<never> {
  const isGone =
    failure.kind === 'error'
      ? GONE_CODES.has(failure.code) || failure.status === HTTP_NOT_FOUND
      : failure.kind === 'unreadable' && failure.status === HTTP_NOT_FOUND
  return fail(
    isGone
      ? NOT_FOUND
      : refuse(
          'MEDIA_READ_FAILED',
          'The media could not be downloaded from the official platform.',
          refusalOf(failure).details,
        ),
  )
}

/** The name in `content-disposition` (RFC 6266), when it is a plain one. */
function fileNameIn(disposition: string | undefined): string | null {
  const match = /;\s*filename="?([^";]+)"?/i.exec(disposition ?? '')
  return match?.[1]?.trim() || null
}
