import { randomUUID } from 'node:crypto'
import type { TestFn } from 'ava'
import type { RateLimiter } from '../../src/ports/rate-limiter.ts'

/** What every RateLimiter does, with any clock. */
export function rateLimiterSuite(test: TestFn, name: string, makeLimiter: () => RateLimiter): void {
  // [rest.rate-limits.1]
  test(`${name}: a bucket gives what it holds, then refuses and says when to come back`, async (t) => {
    const limiter = makeLimiter()
    const bucket = randomUUID()
    const first = await limiter.take(bucket, 3)
    t.deepEqual(first, { isAllowed: true, limit: 3, remaining: 2, resetSeconds: 20, retryAfterSeconds: 0 })
    await limiter.take(bucket, 3)
    t.like(await limiter.take(bucket, 3), { isAllowed: true, remaining: 0 })
    const refused = await limiter.take(bucket, 3)
    t.like(refused, { isAllowed: false, limit: 3, remaining: 0 })
    // One token takes 20 s, less the time that the takes themselves took.
    t.true(refused.retryAfterSeconds > 15 && refused.retryAfterSeconds <= 20)
    t.true(refused.resetSeconds > 55 && refused.resetSeconds <= 60)
  })

  test(`${name}: of many takes at once no more are allowed than the bucket holds`, async (t) => {
    const limiter = makeLimiter()
    const bucket = randomUUID()
    const decisions = await Promise.all(Array.from({ length: 30 }, () => limiter.take(bucket, 10)))
    t.is(decisions.filter(({ isAllowed }) => isAllowed).length, 10)
  })

  test(`${name}: looking takes nothing`, async (t) => {
    const limiter = makeLimiter()
    const bucket = randomUUID()
    t.deepEqual(await limiter.peek(bucket, 1), {
      isAllowed: true,
      limit: 1,
      remaining: 1,
      resetSeconds: 0,
      retryAfterSeconds: 0,
    })
    t.true((await limiter.take(bucket, 1)).isAllowed)
    t.like(await limiter.peek(bucket, 1), { isAllowed: false, remaining: 0 })
    t.false((await limiter.take(bucket, 1)).isAllowed)
  })

  test(`${name}: a request that costs several tokens takes all of them or none, and one that costs more than a bucket holds takes a full bucket`, async (t) => {
    const limiter = makeLimiter()
    const bucket = randomUUID()
    t.like(await limiter.take(bucket, 10, 7), { isAllowed: true, remaining: 3 })
    const refused = await limiter.take(bucket, 10, 5)
    t.like(refused, { isAllowed: false, remaining: 3 })
    // Two tokens are missing at 6 s each, less the time that the takes themselves took.
    t.true(refused.retryAfterSeconds > 7 && refused.retryAfterSeconds <= 12)
    t.like(await limiter.take(bucket, 10, 3), { isAllowed: true, remaining: 0 })
    const whole = randomUUID()
    t.like(await limiter.take(whole, 10, 11), { isAllowed: true, remaining: 0 })
    t.false((await limiter.take(whole, 10, 11)).isAllowed)
  })

  test(`${name}: buckets do not touch each other`, async (t) => {
    const limiter = makeLimiter()
    t.true((await limiter.take(randomUUID(), 1)).isAllowed)
    t.true((await limiter.take(randomUUID(), 1)).isAllowed)
  })
}
