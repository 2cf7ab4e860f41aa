import { fail, succeed } from '../../../domain/errors.ts'
import type { Outcome } from '../../../domain/errors.ts'
import { isFields } from '../../../domain/json-fields.ts'
import type { Fields } from '../../../domain/json-fields.ts'
import type { OfficialCredentials } from '../../../ports/official/credentials.ts'
import type { Graph } from '../client/graph.ts'
import { refusalOf, unreadable } from '../errors/error-map.ts'
import { objectIn, textIn } from '../values/loose.ts'

/** Contract 10: upstream shows at most so many at a time. */
export const PAGE = 100
/** Our choice: 100 templates of ten cards and two long links each, with the escapes of JSON, are 10 MB. */
const PAGE_BYTES = 16_000_000

export interface Listing<T> {
  /** A word of a closed set, for metrics and logs. */
  readonly op: string
  /** Of the account. */
  readonly edge: string
  /** What stands in the list, in one word. */
  readonly of: string
  /** `limit` is PAGE at most; `after` where a page before it was read. */
  readonly query: Readonly<Record<string, string>>
  /** Null: it is none. */
  shown(fields: Fields): T | null
}

/** What stands on a page. */
export interface ListingPage<T> {
  readonly items: readonly T[]
  /** The cursor of the next page; null: it was the last. */
  readonly next: string | null
  /** False: something stands there that is none, so that whoever merges a listing must not remove what it lacks. */
  readonly isWhole: boolean
}

/**
 * A page of what an account has. What cannot be read costs itself; a page that does not say where the next one begins
 * is refused.
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
  // Only the cursor is followed: the link has the token in it, and leads where it says.
  const hasMore = textIn(paging, 'next') !== null
  // The last page has no `next`; a full one is followed all the same, since proxies of the API leave it out.
  const goesOn = hasMore || data.length >= PAGE
  if ((hasMore && next === null) || (goesOn && next !== null && next === query['after']))
    return fail(unreadable('The answer does not say where its next page begins.'))
  return succeed({ items, next: goesOn ? next : null, isWhole: items.length === data.length })
}
