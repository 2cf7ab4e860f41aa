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
 * Our choice: a hundred leads of a hundred long answers, or forms of as many questions, are 10 MB. A larger page is
 * asked for in smaller ones.
 */
const PAGE_BYTES = 16_000_000
/** Our choice: sizes tried when a page of upstream's largest size is too large. */
const SMALLER_PAGES: readonly number[] = [10, 1]
const UNKNOWN_FAULT = 1

/**
 * Our choice: longest answer about one object, such as a lead of 100 answers of 10,000 characters with the escapes of
 * JSON.
 */
export const OBJECT_BYTES = 8_000_000

export interface SignedAsker {
  /** Queue of its requests: those of a Page wait for each other, and for no number. */
  readonly queue: string
  readonly accessToken: string
  /** Null when no `appsecret_proof` goes along. */
  readonly appSecret: string | null
}

export type SignedRequest = Pick<GraphRequest, 'op' | 'method' | 'path' | 'query' | 'fields' | 'answerBytes'>

/** A page of a list, with the cursor of the next one; null on the last. */
export interface ReadPage<T> {
  readonly items: readonly T[]
  readonly next: string | null
}

/**
 * Requests with a token of a Page or of ads. What upstream says of the token is told of no number. Nothing is repeated,
 * because every caller has a schedule.
 */
export interface SignedAsks {
  ask<T>(request: SignedRequest, valueOf: (body: Fields) => { readonly value: T } | null): Promise<UpstreamRead<T>>
  /** Asks for an object that may not exist; null when the token sees none. */
  find<T>(
    request: SignedRequest,
    valueOf: (body: Fields) => { readonly value: T } | null,
  ): Promise<UpstreamRead<T | null>>
  /** Reads a page of a list. `shown` answers null for an unreadable item, which is left out. */
  page<T>(
    request: Pick<GraphRequest, 'op' | 'path' | 'query'>,
    after: string | null,
    shown: (fields: Fields) => T | null,
  ): Promise<UpstreamRead<ReadPage<T>>>
}

/** Makes the requests of an asker. Secrets in `more` are blotted out of upstream's words too. */
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
 * True when the answer is too large for us, or too large to make for upstream, which says so with its code for unknown
 * faults ("Please reduce the amount of data").
 */
function isTooMuch(failure: GraphFailure): boolean {
  return failure.kind === 'unanswered'
    ? failure.failure.kind === 'too-large'
    : failure.kind === 'error' && failure.code === UNKNOWN_FAULT
}

/** Reads a page. Only the cursor is followed: the link beside it holds the token, and may lead anywhere. */
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
  // The last page has no `next`; a full page is followed all the same, because proxies of the API leave `next` out.
  const goesOn = hasMore || data.length >= limit
  return { value: { items: objectsIn(body, 'data').flatMap((one) => shown(one) ?? []), next: goesOn ? after : null } }
}

/** Proves that the user of the token knows the app's secret: HMAC-SHA256 of the token, in hex. */
function proofOf(accessToken: string, appSecret: string): string {
  return createHmac('sha256', appSecret).update(accessToken).digest('hex')
}
