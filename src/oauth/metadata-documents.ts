import { BoundedMemory } from '../domain/bounded-memory.ts'
import type { FetchFailure } from '../net/fetch-failure.ts'
import { readBeginning } from '../net/guarded-body.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { Clock } from '../ports/clock.ts'

/** contract 14: of a metadata document. */
const DOCUMENT_BYTES = 5 * 1024
const DOCUMENT_MS = 5_000
/**
 * our choice: an address that gave no document is not asked again for this long, so that nobody has us ask it for them;
 * and so many of them are remembered.
 */
const REFUSED_MS = 30_000
const MOST_REFUSED = 1_000

/** Fetches metadata documents of clients, through the guard: whoever asks for authorization names the address. */
export class MetadataDocuments {
  #fetch: Pick<GuardedFetch, 'request'>
  /** Addresses that are not asked again. */
  #refused: BoundedMemory<true>

  constructor(fetch: Pick<GuardedFetch, 'request'>, clock: Clock) {
    this.#fetch = fetch
    this.#refused = new BoundedMemory({ most: MOST_REFUSED }, { ms: REFUSED_MS, clock })
  }

  /**
   * Whether the address of a document may be asked for at all: https with a path (contract 14), and not one that just
   * failed.
   */
  isAskable(url: string): boolean {
    const parsed = URL.parse(url)
    return parsed?.protocol === 'https:' && parsed.pathname !== '/' && !this.#refused.has(url)
  }

  /** Notes that an address gave no document of its client, so that the next question for it is answered from here. */
  refuse(url: string): void {
    this.#refused.set(url, true)
  }

  /** The document as an answer with status 200, JSON and its cache headers. Throws where there is none. */
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

/** Says why there is no document; names no address. */
class DocumentFault extends Error {
  constructor(failure: FetchFailure) {
    super(failure.message)
    this.name = 'DocumentFault'
  }
}
