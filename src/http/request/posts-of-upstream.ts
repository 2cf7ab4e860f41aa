import { BoundedMemory } from '../../domain/bounded-memory.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { Refusal, RefusalCode } from '../../domain/errors.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { HttpContext } from './context.ts'

/**
 * Our choice: what claims to be upstream's, or of a phone's Flow, and is not signed as such, an address. All phones ask
 * from addresses of upstream.
 */
export const UNPROVED_POSTS_PER_MINUTE = 300
/** Our choice: each so many bytes of an unproved body are one more; most of upstream's posts have less. */
const UNPROVED_BYTES = 256 * 1_024
/** Our choice: addresses that posted something true, the last of them. Upstream has some hundreds. */
const MOST_KNOWN = 10_000

/** A kind of post that nothing but its signature proves. */
export interface UpstreamPosts {
  readonly name: 'notice' | 'exchange'
  /** What a post is refused with that proves nothing. */
  readonly unproved: readonly RefusalCode[]
  /** What one is refused with, unread, whose signature has not even the form of one; null: it is read all the same. */
  readonly unsigned: Refusal | null
}

export const NOTICES: UpstreamPosts = {
  name: 'notice',
  unproved: ['UNAUTHENTICATED'],
  unsigned: refuse('UNAUTHENTICATED', 'The signature does not fit the body and the app secret it is for'),
}
export const EXCHANGES: UpstreamPosts = {
  name: 'exchange',
  unproved: ['FLOW_ASK_UNSIGNED', 'FLOW_ASK_UNREADABLE'],
  unsigned: null,
}

/**
 * What reading such posts may cost by address. Only those are counted that prove nothing, by their size; an address
 * that sent too many is refused before its body is read, unless something true came from it before: whoever makes
 * upstream post what is wrong keeps out nothing that is right.
 */
export class PostsOfUpstream {
  readonly #limiter: RateLimiter
  readonly #known = new BoundedMemory<true>({ most: MOST_KNOWN })

  /** The limiter of this node: a true post is no question to others. */
  constructor(limiter: RateLimiter) {
    this.#limiter = limiter
  }

  async take(ctx: HttpContext, next: () => Promise<unknown>, posts: UpstreamPosts): Promise<void> {
    const { countedAddress } = ctx.state
    try {
      await this.#refuseUnread(ctx, posts)
      await next()
      this.#known.set(countedAddress, true)
    } catch (error) {
      if (error instanceof RefusalError && posts.unproved.includes(error.refusal.code)) await this.#count(ctx, posts)
      throw error
    }
  }

  async #refuseUnread(ctx: HttpContext, { name, unsigned }: UpstreamPosts): Promise<void> {
    const { countedAddress } = ctx.state
    const { isAllowed, retryAfterSeconds } = await this.#limiter.peek(
      bucketOf(name, countedAddress),
      UNPROVED_POSTS_PER_MINUTE,
    )
    const refusal =
      !isAllowed && !this.#known.has(countedAddress) ? limited(retryAfterSeconds) : hasSignature(ctx) ? null : unsigned
    if (!refusal) return
    // What comes of the body is nobody's any more.
    ctx.set('connection', 'close')
    throw new RefusalError(refusal)
  }

  /** Takes what the post cost, or all that is left. Throws 429 RATE_LIMITED where that is less. */
  async #count({ state: { countedAddress, rawBody } }: HttpContext, { name }: UpstreamPosts): Promise<void> {
    const bucket = bucketOf(name, countedAddress)
    const { isAllowed, remaining, retryAfterSeconds } = await this.#limiter.take(
      bucket,
      UNPROVED_POSTS_PER_MINUTE,
      1 + Math.floor((rawBody?.length ?? 0) / UNPROVED_BYTES),
    )
    if (isAllowed) return
    if (remaining >= 1) await this.#limiter.take(bucket, UNPROVED_POSTS_PER_MINUTE, Math.floor(remaining))
    throw new RefusalError(limited(retryAfterSeconds))
  }
}

function bucketOf(name: UpstreamPosts['name'], countedAddress: string): string {
  return `${name}-unproved:${countedAddress}`
}

function limited(retryAfterSeconds: number): Refusal {
  return refuse(
    'RATE_LIMITED',
    'Too many posts of this address are not signed by upstream',
    undefined,
    retryAfterSeconds,
  )
}

function hasSignature(ctx: HttpContext): boolean {
  return /^sha256=[\da-f]{64}$/i.test(ctx.get('x-hub-signature-256'))
}
