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

/** Our choice for a pairing link: connect pages poll every second or two, in more than one window. The same number of unknown links an address. */
export const LINK_REQUESTS_PER_MINUTE = 300

/**
 * Our choice for a file of messages, which many receivers may fetch in ranges. The same number of unknown files an address: an engine fetches what all
 * its numbers send from one, and files expire. Ids cannot be guessed.
 */
export const FILE_REQUESTS_PER_MINUTE = 6_000

/** Our choice: what asks for Flows that proves nothing, an address. All phones ask from addresses of upstream: those that ask well are not counted. */
export const UNPROVED_EXCHANGES_PER_MINUTE = 300

/** Our choice: posts that claim to be upstream's and are not signed as such, an address. */
export const UNPROVED_NOTICES_PER_MINUTE = 300

/** Our choice: what needs no key and is none of the others, an address: balancers and monitors ask every second at most. */
export const OPEN_REQUESTS_PER_MINUTE = 600

/** Our choice: files of pages and documents, an address. They are bytes that are there, and an office that opens its inboxes in the morning asks for thousands. */
export const STATIC_REQUESTS_PER_MINUTE = 6_000

/** Our choice: each so many bytes of an answer are one more request, as for rows of long lists; a page of 100 messages has half of it. */
export const ANSWER_BYTES = 256 * 1_024
/** The same of files of pages and documents: most have less, and the page of the interface with all it loads is 20 requests. */
export const STATIC_ANSWER_BYTES = 64 * 1_024

/** Our choice, as for unknown links: documents of pages and the question why one is not shown, an address. Each looks up an id that anybody may write. */
export const PAGE_REQUESTS_PER_MINUTE = 300

export interface RateLimitDeps {
  readonly limiter: RateLimiter
  /** Of this node alone: whoever needs no key is not worth a question to others, and whether this node lives is answered without them. */
  readonly nodeLimiter: RateLimiter
}

interface Unproved {
  readonly refusals: readonly RefusalCode[]
  readonly count: (ctx: HttpContext, limiter: RateLimiter) => Promise<void>
}

/** Routes that ask for the proof themselves: what they refuse for lack of it is counted for the address. */
const UNPROVED: Readonly<Record<'exchanges' | 'logins' | 'notices', Unproved>> = {
  notices: {
    refusals: ['UNAUTHENTICATED'],
    count: (ctx, limiter) => count(ctx, limiter, `notice-unproved:${ctx.state.countedAddress}`, UNPROVED_NOTICES_PER_MINUTE),
  },
  exchanges: {
    refusals: ['FLOW_ASK_UNSIGNED', 'FLOW_ASK_UNREADABLE'],
    count: (ctx, limiter) => count(ctx, limiter, `exchange-unproved:${ctx.state.countedAddress}`, UNPROVED_EXCHANGES_PER_MINUTE),
  },
  /** A password counts otherwise: for the account. */
  logins: { refusals: ['UNAUTHENTICATED', 'INVITATION_NOT_FOUND'], count: countFailedProof },
}

/**
 * Counts a request for whoever was proved, sends of keys, grants and embeds apart; for the link itself where the path holds the secret; for the address where it is
 * for a page (contract 2, 17, 19).
 */
export function rateLimited({ limiter, nodeLimiter }: RateLimitDeps): HttpMiddleware {
  return async (ctx, next) => {
    const { access, bucket } = matchedRoute(ctx)
    if (bucket === 'exchanges' || bucket === 'logins' || bucket === 'notices') return countUnproved(ctx, next, limiter, UNPROVED[bucket])
    if (bucket === 'pages') await count(ctx, limiter, `pages:${ctx.state.countedAddress}`, PAGE_REQUESTS_PER_MINUTE)
    else if (access === 'open') return countWithSize(ctx, next, nodeLimiter, openBucket(ctx.state, bucket === 'static'))
    const own = ownBucket(ctx.state, bucket === 'sends')
    if (own) return countWithSize(ctx, next, limiter, { name: own[0], perMinute: own[1], bytes: ANSWER_BYTES })
    return access === 'link' ? countLink(ctx, next, limiter) : next()
  }
}

/** What a request is counted with, and up to how many bytes its answer is no more than that. */
interface SizedBucket {
  readonly name: string
  readonly perMinute: number
  readonly bytes: number
}

function openBucket({ countedAddress }: RequestState, isStatic: boolean): SizedBucket {
  if (isStatic) return { name: `static:${countedAddress}`, perMinute: STATIC_REQUESTS_PER_MINUTE, bytes: STATIC_ANSWER_BYTES }
  return { name: `open:${countedAddress}`, perMinute: OPEN_REQUESTS_PER_MINUTE, bytes: ANSWER_BYTES }
}

/**
 * Counts a request, then what its answer costs beyond that: one that is too dear for what is left is not sent. What changes something is
 * always answered; what is sent in pieces, as fast as it is read, is counted once.
 */
async function countWithSize(ctx: HttpContext, next: () => Promise<unknown>, limiter: RateLimiter, { name, perMinute, bytes }: SizedBucket): Promise<void> {
  await count(ctx, limiter, name, perMinute)
  await next()
  const isWhole = typeof ctx.body === 'string' || Buffer.isBuffer(ctx.body)
  const more = isWhole && ctx.method === 'GET' && ctx.status < 400 ? Math.floor(ctx.length / bytes) : 0
  if (more === 0) return
  const { isAllowed, remaining, retryAfterSeconds } = await limiter.take(name, perMinute, more)
  ctx.set('ratelimit-remaining', String(Math.floor(remaining)))
  if (isAllowed) return
  for (const header of ['content-encoding', 'etag']) ctx.remove(header)
  ctx.set('cache-control', 'no-store')
  throw new RefusalError(refuse('RATE_LIMITED', `Rate limit exceeded: each ${bytes / 1_024} KB of an answer count as a request`, undefined, retryAfterSeconds))
}

/** The bucket of who was proved, and what it holds a minute; null where nobody was. A session has one for all that it asks (contract 19). */
function ownBucket({ caller, agent, session, embed }: RequestState, isSend: boolean): readonly [bucket: string, perMinute: number] | null {
  // What tools are asked to do counts as the requests that they are; this is for asking.
  if (agent) return [`tools:${agent.id}`, agent.limits.requestsPerMinute]
  if (session) return [`session:${session.id}`, SESSION_REQUESTS_PER_MINUTE]
  if (caller) return isSend ? [`sends:${caller.id}`, caller.limits.sendsPerMinute] : [`key:${caller.id}`, caller.limits.requestsPerMinute]
  if (!embed) return null
  return isSend ? [`embed-sends:${embed.session.id}`, EMBED_SENDS_PER_MINUTE] : [`embed:${embed.session.id}`, EMBED_REQUESTS_PER_MINUTE]
}

/**
 * A link that exists is counted by itself, so that nobody who tries others from the same address locks its page out; one that turns out
 * unknown is counted for the address.
 */
async function countLink(ctx: HttpContext, next: () => Promise<unknown>, limiter: RateLimiter): Promise<void> {
  const [kind, perMinute] = matchedRoute(ctx).bucket === 'files' ? ['files', FILE_REQUESTS_PER_MINUTE] as const : ['link', LINK_REQUESTS_PER_MINUTE] as const
  await count(ctx, limiter, `${kind}:${secretHash(ctx)}`, perMinute)
  try {
    await next()
  } catch (error) {
    const isUnknown = error instanceof RefusalError && REFUSALS[error.refusal.code].status === 404
    if (isUnknown) await count(ctx, limiter, `${kind}-unknown:${ctx.state.countedAddress}`, perMinute)
    throw error
  }
}

async function countUnproved(ctx: HttpContext, next: () => Promise<unknown>, limiter: RateLimiter, unproved: Unproved): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (error instanceof RefusalError && unproved.refusals.includes(error.refusal.code)) await unproved.count(ctx, limiter)
    throw error
  }
}

/** The secret is the first parameter of the path. */
function secretHash(ctx: HttpContext): string {
  return createHash('sha256').update(Object.values(ctx.state.params)[0] ?? '').digest('base64url')
}
