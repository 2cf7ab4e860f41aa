import { createHash } from 'node:crypto'
import { request as requestHttp, type IncomingMessage } from 'node:http'

/**
 * our choice: 110 MB, above every ceiling of a gateway ([media.ceilings.4]), so that it is the gateway that refuses.
 */
const MAX_MEDIA_BYTES = 110 * 1024 * 1024
/** our choice: a download that takes longer, ms, counts as failed. */
const TIMEOUT_MS = 30_000
/** The sandbox connects only to its own machine. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

export interface FetchedMedia {
  /** Hex. */
  readonly sha256: string
  readonly sizeBytes: number
  /** Type of the answer's `content-type`, without parameters. */
  readonly mimeType: string
  readonly bytes: Buffer
}

/** SHA-256 in hex. */
export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A content type without its parameters. */
export function plainType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

async function readBytes(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_MEDIA_BYTES) throw new Error('The media is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Downloads a file from a loopback address, without following redirects. Throws when it fails. */
export async function fetchMedia(url: string): Promise<FetchedMedia> {
  const target = new URL(url)
  if (target.protocol !== 'http:' || !LOOPBACK.has(target.hostname)) throw new Error('The media is not on this machine')
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = requestHttp(target, { signal: AbortSignal.timeout(TIMEOUT_MS), agent: false }, resolve)
    asked.on('error', reject)
    asked.end()
  })
  if (response.statusCode !== 200) {
    response.destroy()
    throw new Error('The media cannot be read')
  }
  const bytes = await readBytes(response)
  return {
    sha256: hashOf(bytes),
    sizeBytes: bytes.length,
    mimeType: plainType(response.headers['content-type']),
    bytes,
  }
}
