import { createHash } from 'node:crypto'
import { EMBED_REQUESTS_PER_MINUTE, EMBED_SENDS_PER_MINUTE } from '../../domain/embed-session.ts'
import { REFUSALS, RefusalError } from '../../domain/errors.ts'
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

/** Our choice, as for unknown links: documents of pages and the question why one is not shown, an address. Each looks up an id that anybody may write. */
export const PAGE_REQUESTS_PER_MINUTE = 300

interface Unproved {
  readonly refusals: readonly RefusalCode[]
  readonly count: (ctx: HttpContext, limiter: RateLimiter) => Promise<void>
}

/** Routes that ask for the proof themselves: what they refuse for lack of it is counted for the address. */
const UNPROVED: Readonly<Record<'exchanges' | 'logins', Unproved>> = {
  exchanges: {
    refusals: ['FLOW_ASK_UNSIGNED', 'FLOW_ASK_UNREADABLE'],
    count: (ctx, limiter) => count(ctx, limiter, `exchange-unproved:${ctx.state.clientAddress}`, UNPROVED_EXCHANGES_PER_MINUTE),
  },
  /** A password counts otherwise: for the account. */
  logins: { refusals: ['UNAUTHENTICATED', 'INVITATION_NOT_FOUND'], count: countFailedProof },
}

/**
 * Counts a request for whoever was proved, sends of keys, grants and embeds apart; for the link itself where the path holds the secret; for the address where it is
 * for a page (contract 2, 17, 19).
 */
export function rateLimited(limiter: RateLimiter): HttpMiddleware {
  return async (ctx, next) => {
    const { access, bucket } = matchedRoute(ctx)
    if (bucket === 'exchanges' || bucket === 'logins') return countUnproved(ctx, next, limiter, UNPROVED[bucket])
    if (bucket === 'pages') await count(ctx, limiter, `pages:${ctx.state.clientAddress}`, PAGE_REQUESTS_PER_MINUTE)
    const own = ownBucket(ctx.state, bucket === 'sends')
    if (own) await count(ctx, limiter, ...own)
    return !own && access === 'link' ? countLink(ctx, next, limiter) : next()
  }
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
    if (isUnknown) await count(ctx, limiter, `${kind}-unknown:${ctx.state.clientAddress}`, perMinute)
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
