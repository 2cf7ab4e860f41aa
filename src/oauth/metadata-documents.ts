import { BoundedMemory } from '../domain/bounded-memory.ts'
import type { FetchFailure } from '../net/fetch-failure.ts'
import { readBeginning } from '../net/guarded-body.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { Clock } from '../ports/clock.ts'

/** [oauth.clients.2]: bounds of a metadata document. */
const DOCUMENT_BYTES = 5 * 1024
const DOCUMENT_MS = 5_000
/**
 * our choice: an address that gave no document is not fetched again for this long, so that nobody uses the service to
 * flood it. At most MOST_REFUSED such addresses are remembered.
 */
const REFUSED_MS = 30_000
const MOST_REFUSED = 1_000

/**
 * Fetches metadata documents of clients through the guard, because whoever asks for authorization names the address.
 */
export class MetadataDocuments {
  #fetch: Pick<GuardedFetch, 'request'>
  /** Addresses that are not fetched again for now. */
  #refused: BoundedMemory<true>

  constructor(fetch: Pick<GuardedFetch, 'request'>, clock: Clock) {
    this.#fetch = fetch
    this.#refused = new BoundedMemory({ most: MOST_REFUSED }, { ms: REFUSED_MS, clock })
  }

  /**
   * Whether the address of a document may be fetched at all: it is https with a path ([oauth.clients.2]), and did not
   * just fail.
   */
  isAskable(url: string): boolean {
    const parsed = URL.parse(url)
    return parsed?.protocol === 'https:' && parsed.pathname !== '/' && !this.#refused.has(url)
  }

  /** Notes that an address gave no valid document, so that the next request for it is refused without a fetch. */
  refuse(url: string): void {
    this.#refused.set(url, true)
  }

  /** The document as an answer with status 200, as JSON with its cache headers. Throws when there is none. */
  async fetch(url: string): Promise<Response> {
    const outcome = await this.#fetch.request({
      url,
      headers: { accept: 'application/json' },
      maxBytes: DOCUMENT_BYTES,
      totalMs: DOCUMENT_MS,
    })
    if (!outcome.ok) throw new DocumentFault(outcome.failure)
    const { status, headers, body } = outcome.response
    if (status !== 200 || !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
      body.cancel()
      throw new DocumentFault({ kind: 'protocol', message: 'The address answers no JSON document.' })
    }
    const { bytes, isCut, failure } = await readBeginning(body, DOCUMENT_BYTES)
    if (failure || isCut)
      throw new DocumentFault(failure ?? { kind: 'too-large', message: 'The document is too large.' })
    return new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: Object.fromEntries(
        ['cache-control', 'expires'].flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
      ),
    })
  }
}

/** Why there is no document; the message names no address. */
class DocumentFault extends Error {
  constructor(failure: FetchFailure) {
    super(failure.message)
    this.name = 'DocumentFault'
  }
}
