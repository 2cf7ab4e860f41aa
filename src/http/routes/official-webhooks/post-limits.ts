import { RefusalError, refuse } from '../../../domain/errors.ts'
import type { RateLimiter } from '../../../ports/rate-limiter.ts'

/**
 * our choice, in bytes: larger posts are read off the event loop, in turn, and counted. Most are smaller, and cost no
 * more than any request.
 */
const LARGE_BYTES = 32_768
/** our choice: the fastest number of upstream has 3,000 changes a second, of 700 bytes each. */
const LARGE_BYTES_PER_MINUTE = 150_000_000
/** our choice: other large posts take a second. */
const BUSY_SECONDS = 5

/**
 * Takes tokens of a bucket of upstream posts. Throws 429 RATE_LIMITED when the bucket holds fewer: upstream repeats the
 * post later.
 */
export async function takeOfPosts(
  limiter: RateLimiter,
  bucket: string,
  perMinute: number,
  tokens: number,
): Promise<void> {
  const { isAllowed, retryAfterSeconds } = await limiter.take(`posts:${bucket}`, perMinute, tokens)
  if (!isAllowed)
    throw new RefusalError(
      refuse(
        'RATE_LIMITED',
        'Too many webhooks came within a minute. Post it again later.',
        undefined,
        retryAfterSeconds,
      ),
    )
}

/** Counts the bytes of a large post for its sender. */
export async function countLargePost(limiter: RateLimiter, sender: string, { length }: Uint8Array): Promise<void> {
  if (length > LARGE_BYTES) await takeOfPosts(limiter, `bytes:${sender}`, LARGE_BYTES_PER_MINUTE, length)
}

/** The refusal of a post that holds more than upstream sends, or that could not be read now. */
export function postRefusal(reason: 'too-many' | 'busy', what: string): RefusalError {
  return new RefusalError(
    reason === 'too-many'
      ? refuse('PAYLOAD_TOO_LARGE', `The body holds more ${what} than a post may have`)
      : refuse('BUSY', 'The body could not be checked now. Try again.', undefined, BUSY_SECONDS),
  )
}
