import { createHash } from 'node:crypto'
import { EMBED_REQUESTS_PER_MINUTE, EMBED_SENDS_PER_MINUTE } from '../../domain/embed-session.ts'
import { REFUSALS, RefusalError, refuse } from '../../domain/errors.ts'
import type { RefusalCode } from '../../domain/errors.ts'
import { SESSION_REQUESTS_PER_MINUTE } from '../../domain/web-session.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import { matchedRoute } from '../request/context.ts'
import type { HttpContext, HttpMiddleware, RequestState } from '../request/context.ts'
import { count } from '../request/count.ts'
import { countFailedProof } from '../request/failed-proof.ts'
import { OPEN_REQUESTS_PER_MINUTE, openBucketOf } from '../request/open-requests.ts'
import { EXCHANGES, NOTICES, PostsOfUpstream } from '../request/posts-of-upstream.ts'

/**
 * Our choice for a pairing link: connect pages poll every second or two, in more than one window. The same number of
 * unknown links an address.
 */
export const LINK_REQUESTS_PER_MINUTE = 300

/**
 * Our choice for a file of messages, which many receivers may fetch in ranges. The same number of unknown files an
 * address: an engine fetches what all its numbers send from one, and files expire. Ids cannot be guessed.
 */
export const FILE_REQUESTS_PER_MINUTE = 6_000

/**
 * Our choice: files of pages and documents, an address. They are bytes that are there, and an office that opens its
 * inboxes in the morning asks for thousands.
 */
export const STATIC_REQUESTS_PER_MINUTE = 6_000

/**
 * Our choice: each so many bytes of an answer are one more request, as for rows of long lists; a page of 100 messages
 * has half of it.
 */
export const ANSWER_BYTES = 256 * 1_024
/**
 * The same of files of pages and documents: most have less, and the page of the interface with all it loads is 20
 * requests.
 */
export const STATIC_ANSWER_BYTES = 64 * 1_024

/**
 * The same of files of messages and logos, which come from the disk as they are: a quarter of the work of an answer
 * that is made.
 */
export const FILE_ANSWER_BYTES = 1_024 * 1_024

/**
 * Our choice, as for unknown links: documents of pages and the question why one is not shown, an address. Each looks up
 * an id that anybody may write.
 */
export const PAGE_REQUESTS_PER_MINUTE = 300

export interface RateLimitDeps {
  readonly limiter: RateLimiter
  /**
   * Of this node alone: whoever needs no key is not worth a question to others, and whether this node lives is answered
   * without them.
   */
  readonly nodeLimiter: RateLimiter
}

/** Logins that prove nobody. A password counts otherwise: for the account. */
const FAILED_LOGINS: readonly RefusalCode[] = ['UNAUTHENTICATED', 'INVITATION_NOT_FOUND']

/**
 * Counts a request for whoever was proved, sends of keys, grants and embeds apart; for the link itself where the path
 * holds the secret; for the address where it is for a page (contract 2, 17, 19).
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
    const own = ownBucket(ctx.state, bucket === 'sends')
    if (own) return countWithSize(ctx, next, limiter, { name: own[0], perMinute: own[1], bytes: ANSWER_BYTES })
    return access.of === 'link' ? countLink(ctx, next, limiter) : next()
  }
}

/** What a request is counted with, and up to how many bytes its answer is no more than that. */
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
 * Counts a request, then what its answer costs beyond that: one that is too dear for what is left is not sent, nor read
 * further where it comes in pieces. What changes something is always answered.
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

/** Headers that tell of an answer which is not sent. */
const OF_ANSWER = ['content-encoding', 'etag', 'content-disposition', 'content-range', 'accept-ranges']

async function countSize(
  ctx: HttpContext,
  limiter: RateLimiter,
  { name, perMinute, bytes }: SizedBucket,
): Promise<void> {
  const { fileBytes } = ctx.state
  const unit = fileBytes === undefined ? bytes : FILE_ANSWER_BYTES
  // What is dearer than all that the bucket holds is had by who asks for nothing else in that minute.
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
  // Asked for again it counts as a request before it counts by its size.
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
 * The bucket of who was proved, and what it holds a minute; null where nobody was. A session has one for all that it
 * asks (contract 19).
 */
function ownBucket(
  { caller, agent, session, embed }: RequestState,
  isSend: boolean,
): readonly [bucket: string, perMinute: number] | null {
  // What tools are asked to do counts as the requests that they are; this is for asking.
  if (agent) return [`tools:${agent.id}`, agent.limits.requestsPerMinute]
  if (session) return [`session:${session.id}`, SESSION_REQUESTS_PER_MINUTE]
  if (caller)
    return isSend
      ? [`sends:${caller.id}`, caller.limits.sendsPerMinute]
      : [`key:${caller.id}`, caller.limits.requestsPerMinute]
  if (!embed) return null
  return isSend
    ? [`embed-sends:${embed.session.id}`, EMBED_SENDS_PER_MINUTE]
    : [`embed:${embed.session.id}`, EMBED_REQUESTS_PER_MINUTE]
}

/**
 * A link that exists is counted by itself, so that nobody who tries others from the same address locks its page out;
 * one that turns out unknown is counted for the address.
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

/** The secret is the first parameter of the path. */
function secretHash(ctx: HttpContext): string {
  return createHash('sha256')
    .update(Object.values(ctx.state.params)[0] ?? '')
    .digest('base64url')
}
