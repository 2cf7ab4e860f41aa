import test from 'ava'
import { LocalBroadcast, LocalRateLimiter } from '../../src/cluster/local.ts'
import { broadcastSuite } from '../contracts/broadcast.ts'
import { rateLimiterSuite } from '../contracts/rate-limiter.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'

rateLimiterSuite(test, 'in-process limits', () => new LocalRateLimiter(new FakeClock()))
broadcastSuite(test, 'in-process broadcast', () => {
  const broadcast = new LocalBroadcast(silentLog)
  return [broadcast, broadcast]
})

test('a bucket refills evenly over a minute', async (t) => {
  const clock = new FakeClock()
  const limiter = new LocalRateLimiter(clock)
  for (let i = 0; i < 600; i++) t.true((await limiter.take('key', 600)).isAllowed)
  t.deepEqual(await limiter.take('key', 600), {
    isAllowed: false,
    limit: 600,
    remaining: 0,
    resetSeconds: 60,
    retryAfterSeconds: 1,
  })
  clock.advance(100)
  t.like(await limiter.take('key', 600), { isAllowed: true, remaining: 0 })
  t.false((await limiter.take('key', 600)).isAllowed)
  clock.advance(30_000)
  t.deepEqual(await limiter.peek('key', 600), {
    isAllowed: true,
    limit: 600,
    remaining: 300,
    resetSeconds: 30,
    retryAfterSeconds: 0,
  })
  clock.advance(60_000)
  t.like(await limiter.peek('key', 600), { remaining: 600, resetSeconds: 0 })
})

test('a limit that does not divide the minute still gives exactly that many', async (t) => {
  const clock = new FakeClock()
  const limiter = new LocalRateLimiter(clock)
  for (const perMinute of [7, 13, 1_201]) {
    const decisions = []
    for (let i = 0; i < perMinute + 1; i++) decisions.push(await limiter.take(`of ${perMinute}`, perMinute))
    t.is(decisions.filter(({ isAllowed }) => isAllowed).length, perMinute)
  }
})

test('full buckets are forgotten, so addresses that come once do not pile up', async (t) => {
  const clock = new FakeClock()
  const limiter = new LocalRateLimiter(clock)
  for (let i = 0; i < 9_999; i++) await limiter.take(`address ${i}`, 20)
  clock.advance(60_000)
  await limiter.take('one more', 20)
  t.is(limiter.size, 1)
})
