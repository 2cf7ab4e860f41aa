import { BoundedMemory } from '../../domain/bounded-memory.ts'
import { RefusalError, refuse } from '../../domain/errors.ts'
import type { Refusal, RefusalCode } from '../../domain/errors.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { HttpContext } from './context.ts'

/**
 * our choice, for each address: posts that claim to come from upstream, or from a phone's Flow, and carry no valid
 * signature. The asks of all phones come from addresses of upstream.
 */
export const UNPROVED_POSTS_PER_MINUTE = 300
/** our choice: this many bytes of an unsigned body count as one post more; most posts of upstream have fewer. */
const UNPROVED_BYTES = 256 * 1_024
/**
 * our choice: how many addresses that sent a valid signature are remembered, the last ones. Upstream has some hundreds.
 */
const MOST_KNOWN = 10_000

/** A kind of post that only its signature proves. */
export interface UpstreamPosts {
  readonly name: 'notice' | 'exchange'
  /** The refusals of a post without a valid signature. */
  readonly unproved: readonly RefusalCode[]
  /**
   * The refusal of a post whose signature does not even have the form of one, before its body is read; null when the
   * body is read all the same.
   */
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
 * Bounds what reading such posts costs, by address. Only posts without a valid signature are counted, by their size. An
 * address that sent too many is refused before its body is read, unless a valid post came from it before: a sender that
 * makes upstream deliver invalid posts must not keep valid ones out.
 */
export class PostsOfUpstream {
  readonly #limiter: RateLimiter
  readonly #known = new BoundedMemory<true>({ most: MOST_KNOWN })

  /** `limiter` counts on this node alone, so a valid post asks no other node. */
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
    // The body is not read, so the connection cannot be used again.
    ctx.set('connection', 'close')
    throw new RefusalError(refusal)
  }

  /** Takes what the post cost, or all that is left. Throws 429 RATE_LIMITED when less was left. */
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
    'Too many posts from this address had no valid signature: try again in a minute',
    undefined,
    retryAfterSeconds,
  )
}

function hasSignature(ctx: HttpContext): boolean {
  return /^sha256=[\da-f]{64}$/i.test(ctx.get('x-hub-signature-256'))
}
