import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { MediaOffers } from './offers.ts'
import { openReceived } from './received.ts'
import type { MediaNetwork } from './received.ts'
import { AnswerFault } from './request.ts'
import type { OfferedMedia } from './sealed-token.ts'

/** `/media/<token>` */
const MEDIA_PATH = '/media/'

export interface MediaServerParts {
  readonly offers: MediaOffers
  /** The network that a number's media are in. */
  readonly networkAt: (numberId: string) => Promise<MediaNetwork>
  /** Ends all transfers when it aborts. */
  readonly signal: AbortSignal
  /** Called after each fetch with its outcome. */
  readonly onFetch: (outcome: 'ok' | 'gone' | 'failed') => void
  readonly isAuthorized: (authorization: string | undefined) => boolean
}

const REFUSALS = { busy: 409, unknown: 404, unauthorized: 401 } as const

/** The address of media below the engine's own (`http://127.0.0.1:3005`). */
export function mediaUrl(base: string, token: string): string {
  return `${base}${MEDIA_PATH}${token}`
}

/**
 * Answers requests below MEDIA_PATH; false for others. The bytes are decrypted in passing and never reach the disk.
 * Never rejects.
 */
export async function serveMedia(
  parts: MediaServerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const path = request.url ?? ''
  if (!path.startsWith(MEDIA_PATH)) return false
  if (request.method !== 'GET') {
    end(response, 405)
    return true
  }
  const taken = parts.offers.take(path.slice(MEDIA_PATH.length), parts.isAuthorized(request.headers.authorization))
  if (taken.kind !== 'open') {
    end(response, REFUSALS[taken.kind])
    return true
  }
  const outcome = await stream(parts, taken.media, response)
  parts.onFetch(outcome)
  if (outcome === 'ok') taken.finish()
  else taken.release()
  return true
}

async function stream(
  { signal, networkAt }: Pick<MediaServerParts, 'signal' | 'networkAt'>,
  { reference, numberId }: OfferedMedia,
  response: ServerResponse,
): Promise<'ok' | 'gone' | 'failed'> {
  const abort = new AbortController()
  // A gateway that hangs up also ends the transfer from the network.
  response.once('close', () => abort.abort())
  try {
    const body = await openReceived(reference, await networkAt(numberId), AbortSignal.any([abort.signal, signal]))
    // The answer has no length, so only its last chunk says that all of it came.
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    await pipeline(body, response)
    return 'ok'
  } catch (error) {
    // The network keeps files for a limited time only.
    const isGone = error instanceof AnswerFault && (error.status === 404 || error.status === 410)
    if (response.headersSent) response.destroy()
    else end(response, isGone ? 410 : 502)
    return isGone ? 'gone' : 'failed'
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 0 }).end()
}
