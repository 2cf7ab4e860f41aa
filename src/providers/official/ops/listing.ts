import { fail, succeed } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import { isFields } from '../../../domain/json-fields.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { Graph } from '../client/graph.ts'
import { refusalOf, unreadable } from '../errors/error-map.ts'
import { objectIn, textIn } from '../values/loose.ts'

/** Most items that upstream shows on a page. */
export const PAGE = 100
/** Our choice: 100 templates of ten cards and two long links each, with the escapes of JSON, are 10 MB. */
const PAGE_BYTES = 16_000_000

export interface Listing<T> {
  /** A word of a closed set, for metrics and logs. */
  readonly op: string
  /** Edge of the account object that is listed. */
  readonly edge: string
  /** What the list holds, in one word. */
  readonly of: string
  /** Query; `limit` is PAGE at most, `after` is the cursor of the page before. */
  readonly query: Readonly<Record<string, string>>
  /** The item in the fields; null when they hold none. */
  shown(fields: Fields): T | null
}

/** What was read of a page. */
export interface ListingPage<T> {
  readonly items: readonly T[]
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null
  /** False when something on the page could not be read, so that a merge must not remove what the listing lacks. */
  readonly isWhole: boolean
}

/**
 * Reads a page of what an account has. An unreadable item is left out; a page that does not say where the next one
 * begins is refused.
 */
export async function readListing<T>(
  graph: Graph,
  credentials: OfficialCredentials,
  { op, edge, of, query, shown }: Listing<T>,
): Promise<Outcome<ListingPage<T>>> {
  const answer = await graph.ask(credentials, {
    op,
    method: 'GET',
    path: [credentials.accountId, edge],
    query,
    isRepeatable: true,
    answerBytes: PAGE_BYTES,
  })
  if (!answer.ok) return fail(refusalOf(answer.failure))
  const { data } = answer.body
  if (!Array.isArray(data)) return fail(unreadable(`The answer holds no list of ${of}s.`))
  const items = data.flatMap((one: unknown) => (isFields(one) ? shown(one) : null) ?? [])
  const paging = objectIn(answer.body, 'paging')
  const next = textIn(objectIn(paging, 'cursors'), 'after')
  // Only the cursor is followed: the link beside it holds the token, and may lead anywhere.
  const hasMore = textIn(paging, 'next') !== null
  // The last page has no `next`; a full page is followed all the same, because proxies of the API leave `next` out.
  const goesOn = hasMore || data.length >= PAGE
  if ((hasMore && next === null) || (goesOn && next !== null && next === query['after']))
    return fail(unreadable('The answer does not say where its next page begins.'))
  return succeed({ items, next: goesOn ? next : null, isWhole: items.length === data.length })
}
