import { createHash } from 'node:crypto'
import { EMBED_REQUESTS_PER_MINUTE, EMBED_SENDS_PER_MINUTE } from '../../domain/embed-session.ts'
import { REFUSALS, RefusalError, refuse } from '../../domain/errors.ts'
import type { RefusalCode } from '../../domain/errors.ts'
import { SENDS_PER_BATCH } from '../../domain/limits.ts'
import { SESSION_REQUESTS_PER_MINUTE } from '../../domain/web-session.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware, RequestState } from '../request/context.ts'
import { count } from '../request/count.ts'
import { countFailedProof } from '../request/failed-proof.ts'
import { OPEN_REQUESTS_PER_MINUTE, openBucketOf } from '../request/open-requests.ts'
import { EXCHANGES, NOTICES, PostsOfUpstream } from '../request/posts-of-upstream.ts'

/**
 * our choice, for each pairing link: connect pages poll every second or two, in more than one window. An address may
 * ask for as many unknown links.
 */
export const LINK_REQUESTS_PER_MINUTE = 300

/**
 * our choice, for each file of messages, which many receivers may fetch in ranges. An address may ask for as many
 * unknown files: an engine fetches the files of all its numbers from one address, and files expire. Ids cannot be
 * guessed.
 */
export const FILE_REQUESTS_PER_MINUTE = 6_000

/**
 * our choice, for each address: files of pages and documents. They are ready in memory, and an office that opens its
 * inboxes in the morning asks for thousands.
 */
export const STATIC_REQUESTS_PER_MINUTE = 6_000

/**
 * our choice: this many bytes of an answer count as one more request, as for rows of long lists. A page of 100 messages
 * has half as many.
 */
export const ANSWER_BYTES = 256 * 1_024
/**
 * our choice, the same for files of pages and documents: most are smaller, and the reference page with all it loads
 * counts as 20 requests.
 */
export const STATIC_ANSWER_BYTES = 64 * 1_024

/**
 * our choice, the same for files of messages and logos: sending one from disk as it is takes a quarter of the work of
 * an answer that is made.
 */
export const FILE_ANSWER_BYTES = 1_024 * 1_024

/**
 * our choice, for each address, as for unknown links: documents of pages and diagnoses of embeds. Each looks up an id
 * that anybody may write.
 */
export const PAGE_REQUESTS_PER_MINUTE = 300

export interface RateLimitDeps {
  readonly limiter: RateLimiter
  /**
   * Counts on this node alone. A request that needs no key is not worth a call to other nodes, and a health check must
   * be answered without them.
   */
  readonly nodeLimiter: RateLimiter
}

/**
 * What a login that proves nobody is refused with. A wrong password counts for its account instead
 * ([sessions.login.12]).
 */
const FAILED_LOGINS: readonly RefusalCode[] = ['UNAUTHENTICATED', 'INVITATION_NOT_FOUND']

/**
 * Counts a request for its caller, with sends and batches of keys, grants and embeds apart ([rest.rate-limits.1],
 * [oauth.tokens.15], [embeds.errors.3]); for the link where the path holds the secret; for the address where a page
 * asks.
 */
export function rateLimited({ limiter, nodeLimiter }: RateLimitDeps): HttpMiddleware {
  const upstream = new PostsOfUpstream(nodeLimiter)
  return async (ctx, next) => {
    const { access, bucket } = matchedRoute(ctx)
    if (bucket === 'exchanges') return upstream.take(ctx, next, EXCHANGES)
    if (bucket === 'notices') return upstream.take(ctx, next, NOTICES)
    if (bucket === 'logins') return countLogin(ctx, next, limiter)
    if (bucket === 'pages') await count(ctx, limiter, `pages:${ctx.state.countedAddress}`, PAGE_REQUESTS_PER_MINUTE)
    else if (access.of === 'service')
      return countWithSize(ctx, next, nodeLimiter, openBucket(ctx.state, bucket === 'static'))
    const own = ownBucket(ctx.state, bucket === 'sends' || bucket === 'batches' ? bucket : null)
    if (own) return countWithSize(ctx, next, limiter, { name: own[0], perMinute: own[1], bytes: ANSWER_BYTES })
    return access.of === 'link' ? countLink(ctx, next, limiter) : next()
  }
}

/** A bucket of requests a minute, with the bytes of an answer that one request covers. */
interface SizedBucket {
  readonly name: string
  readonly perMinute: number
  readonly bytes: number
}

function openBucket({ countedAddress }: RequestState, isStatic: boolean): SizedBucket {
  if (isStatic)
    return { name: `static:${countedAddress}`, perMinute: STATIC_REQUESTS_PER_MINUTE, bytes: STATIC_ANSWER_BYTES }
  return { name: openBucketOf(countedAddress), perMinute: OPEN_REQUESTS_PER_MINUTE, bytes: ANSWER_BYTES }
}

/**
 * Counts a request, then the size of its answer. An answer that costs more than the bucket has left is not sent, and
 * one in pieces is not read further. The answer of a request that changes something is always sent.
 */
async function countWithSize(
  ctx: HttpContext,
  next: () => Promise<unknown>,
  limiter: RateLimiter,
  bucket: SizedBucket,
): Promise<void> {
  await count(ctx, limiter, bucket.name, bucket.perMinute)
  await next()
  await countSize(ctx, limiter, bucket)
}

/** Headers of an answer that are removed when it is not sent. */
const OF_ANSWER = ['content-encoding', 'etag', 'content-disposition', 'content-range', 'accept-ranges']

async function countSize(
  ctx: HttpContext,
  limiter: RateLimiter,
  { name, perMinute, bytes }: SizedBucket,
): Promise<void> {
  const { fileBytes } = ctx.state
  const unit = fileBytes === undefined ? bytes : FILE_ANSWER_BYTES
  // An answer that costs more than a full bucket takes all of it, so that a caller that asks for nothing else in that
  // minute gets it.
  const more =
    ctx.method === 'GET' && ctx.status < 400
      ? Math.min(perMinute - 1, Math.floor((fileBytes ?? answerBytes(ctx)) / unit))
      : 0
  if (more <= 0) return
  const { isAllowed, remaining, retryAfterSeconds } = await limiter.take(name, perMinute, more)
  ctx.set('ratelimit-remaining', String(Math.floor(remaining)))
  if (isAllowed) return
  for (const header of OF_ANSWER) ctx.remove(header)
  ctx.set('cache-control', 'no-store')
  // The repeat counts as a request first, then by its size, so the wait includes one request more.
  const wholeSeconds = retryAfterSeconds + Math.ceil(60 / perMinute)
  throw new RefusalError(
    refuse(
      'RATE_LIMITED',
      `Rate limit exceeded: each ${unit / 1_024} KB of an answer count as a request`,
      undefined,
      wholeSeconds,
    ),
  )
}

function answerBytes({ state, body, length }: HttpContext): number {
  return state.piecesBytes ?? (typeof body === 'string' || Buffer.isBuffer(body) ? length : 0)
}

/**
 * The caller's bucket and its requests a minute, null when nobody was proved. A session has one bucket for all that it
 * asks ([sessions.second-door.4]).
 */
function ownBucket(
  { caller, agent, session, embed }: RequestState,
  sent: 'sends' | 'batches' | null,
): readonly [bucket: string, perMinute: number] | null {
  // Each tool call counts as the request that it is; this bucket counts the requests to /mcp.
  if (agent) return [`tools:${agent.id}`, agent.limits.requestsPerMinute]
  if (session) return [`session:${session.id}`, SESSION_REQUESTS_PER_MINUTE]
  if (caller && sent === 'batches')
    return [`batches:${caller.id}`, Math.max(1, Math.floor(caller.limits.sendsPerMinute / SENDS_PER_BATCH))]
  if (caller)
    return sent
      ? [`sends:${caller.id}`, caller.limits.sendsPerMinute]
      : [`key:${caller.id}`, caller.limits.requestsPerMinute]
  if (!embed) return null
  return sent
    ? [`embed-sends:${embed.session.id}`, EMBED_SENDS_PER_MINUTE]
    : [`embed:${embed.session.id}`, EMBED_REQUESTS_PER_MINUTE]
}

/**
 * Counts a request for its link, so that a client that tries other links from the same address does not lock a page
 * out. A link that turns out unknown counts for the address.
 */
async function countLink(ctx: HttpContext, next: () => Promise<unknown>, limiter: RateLimiter): Promise<void> {
  const [kind, perMinute] =
    matchedRoute(ctx).bucket === 'files'
      ? (['files', FILE_REQUESTS_PER_MINUTE] as const)
      : (['link', LINK_REQUESTS_PER_MINUTE] as const)
  try {
    await countWithSize(ctx, next, limiter, { name: `${kind}:${secretHash(ctx)}`, perMinute, bytes: ANSWER_BYTES })
  } catch (error) {
    const isUnknown = error instanceof RefusalError && REFUSALS[error.refusal.code].status === 404
    if (isUnknown) await count(ctx, limiter, `${kind}-unknown:${ctx.state.countedAddress}`, perMinute)
    throw error
  }
}

async function countLogin(ctx: HttpContext, next: () => Promise<unknown>, limiter: RateLimiter): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (error instanceof RefusalError && FAILED_LOGINS.includes(error.refusal.code))
      await countFailedProof(ctx, limiter)
    throw error
  }
}

/** The hash of the link's secret, which is the first parameter of the path. */
function secretHash(ctx: HttpContext): string {
  return createHash('sha256')
    .update(Object.values(ctx.state.params)[0] ?? '')
    .digest('base64url')
}
