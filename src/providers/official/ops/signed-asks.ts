import { createHmac } from 'node:crypto'
import type { Fields } from '../../../domain/json-fields.ts'
import type { UpstreamRead } from '../../../ports/official/pages.ts'
import type { GraphFailure } from '../errors/graph-error.ts'
import type { Graph, GraphRequest } from '../client/graph.ts'
import { isNotShown } from '../errors/error-map.ts'
import { objectIn, objectsIn, textIn } from '../values/loose.ts'
import { readOf, unread } from '../client/read-result.ts'
import { PAGE } from './listing.ts'

/**
 * Our choice: a hundred leads of a hundred long answers, or forms of as many questions, are 10 MB. What is larger is
 * asked for in fewer at a time.
 */
const PAGE_BYTES = 16_000_000
/** Our choice: where a page of so many as upstream shows at most is too large. */
const SMALLER_PAGES: readonly number[] = [10, 1]
const UNKNOWN_FAULT = 1

/**
 * Our choice: an answer of its own is read whole up to this, such as a lead of 100 answers of 10,000 characters,
 * escapes of JSON included.
 */
export const OBJECT_BYTES = 8_000_000

export interface SignedAsker {
  /** Of its requests: those of a Page wait for each other, and for no number. */
  readonly queue: string
  readonly accessToken: string
  /** Null: no `appsecret_proof` goes along. */
  readonly appSecret: string | null
}

export type SignedRequest = Pick<GraphRequest, 'op' | 'method' | 'path' | 'query' | 'fields' | 'answerBytes'>

/** A page of a list, and the cursor of the next one; null: it was the last. */
export interface ReadPage<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

/**
 * Requests with a token of a Page or of ads. What upstream says of it is told of no number. Nothing is repeated:
 * whoever asks has a schedule.
 */
export interface SignedAsks {
  ask<T>(request: SignedRequest, valueOf: (body: Fields) => { readonly value: T } | null): Promise<UpstreamRead<T>>
  /** The same of an object that may not be there; null: none that the token sees. */
  find<T>(
    request: SignedRequest,
    valueOf: (body: Fields) => { readonly value: T } | null,
  ): Promise<UpstreamRead<T | null>>
  /** `shown` answers null for what is none; it is passed over. */
  page<T>(
    request: Pick<GraphRequest, 'op' | 'path' | 'query'>,
    after: string | null,
    shown: (fields: Fields) => T | null,
  ): Promise<UpstreamRead<ReadPage<T>>>
}

/** Makes them. `more` secrets never stand in what upstream is quoted with. */
export function signedAsks(
  graph: Graph,
  { queue, accessToken, appSecret }: SignedAsker,
  more: readonly string[] = [],
): SignedAsks {
  const proof = appSecret === null ? null : proofOf(accessToken, appSecret)
  const signature = proof === null ? {} : { appsecret_proof: proof }
  const secrets = [accessToken, appSecret ?? '', proof ?? '', ...more]
  const send = (request: SignedRequest) =>
    graph.ask({ queue, accessToken }, { ...request, query: { ...request.query, ...signature }, isRepeatable: false })
  return {
    ask: async (request, valueOf) => readOf(await send(request), secrets, valueOf),
    async find(request, valueOf) {
      const answer = await send(request)
      return !answer.ok && isNotShown(answer.failure) ? { kind: 'read', value: null } : readOf(answer, secrets, valueOf)
    },
    async page<T>(
      request: Pick<GraphRequest, 'op' | 'path' | 'query'>,
      after: string | null,
      shown: (fields: Fields) => T | null,
    ) {
      const asked = (limit: number) =>
        send({
          ...request,
          method: 'GET',
          query: { ...request.query, limit: String(limit), ...(after === null ? {} : { after }) },
          answerBytes: PAGE_BYTES,
        })
      let limit = PAGE
      let answer = await asked(limit)
      for (const fewer of SMALLER_PAGES) {
        if (answer.ok || !isTooMuch(answer.failure)) break
        limit = fewer
        answer = await asked(limit)
      }
      const read = readOf(answer, secrets, (body) => listed(body, limit, shown))
      return read.kind === 'read' && read.value.next !== null && read.value.next === after
        ? unread('The listing does not go on.')
        : read
    },
  }
}

/**
 * The answer is too large for us, or its making for upstream, which says so with its code for unknown faults ("Please
 * reduce the amount of data").
 */
function isTooMuch(failure: GraphFailure): boolean {
  return failure.kind === 'unanswered'
    ? failure.failure.kind === 'too-large'
    : failure.kind === 'error' && failure.code === UNKNOWN_FAULT
}

/** Only the cursor is followed: the link beside it has the token in it, and leads where it says. */
function listed<T>(
  body: Fields,
  limit: number,
  shown: (fields: Fields) => T | null,
): { readonly value: ReadPage<T> } | null {
  const { data } = body
  if (!Array.isArray(data)) return null
  const paging = objectIn(body, 'paging')
  const after = textIn(objectIn(paging, 'cursors'), 'after')
  const hasMore = textIn(paging, 'next') !== null
  if (hasMore && after === null) return null
  // The last page has no `next`; a full one is followed all the same, since proxies of the API leave it out.
  const goesOn = hasMore || data.length >= limit
  return { value: { items: objectsIn(body, 'data').flatMap((one) => shown(one) ?? []), next: goesOn ? after : null } }
}

/** Proves that whoever uses the token knows the app's secret: HMAC-SHA256 of the token, in hex. */
function proofOf(accessToken: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(accessToken).digest('hex')
}
