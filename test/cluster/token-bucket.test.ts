import test from 'ava'
import { canTake, decide, tokensMs } from '../../src/cluster/token-bucket.ts'

// [rest.rate-limits.1]
test('tokens come back evenly over a minute, and no number of them takes longer', (t) => {
  t.is(tokensMs(10), 6_000)
  t.is(tokensMs(10, 7), 42_000)
  for (const tokens of [10, 11]) t.is(tokensMs(10, tokens), 60_000)
})

test('tokens fit while the debt with them stays within the minute, give or take a millionth of a millisecond', (t) => {
  for (const [debtMs, tokens, isFitting] of [
    [0, 10, true],
    [54_000, 1, true],
    [54_001, 1, false],
    [54_000, 2, false],
    [30_000, 5, true],
    [0.000_001, 10, true],
    [0.000_002, 10, false],
  ] as const)
    t.is(canTake(debtMs, 10, tokens), isFitting, `${tokens} at ${debtMs} ms`)
})

test('an answer says what is left, when the bucket is full again and when to come back', (t) => {
  for (const [debtMs, tokens, remaining, resetSeconds, retryAfterSeconds] of [
    [60_000, 1, 0, 60, 6],
    [60_000, 3, 0, 60, 18],
    [30_000, 7, 5, 30, 12],
    [30_000.5, 7, 4, 31, 13],
    [54_000, 11, 1, 54, 54],
    [54_001, 1, 0, 55, 1],
    [0, 1, 10, 0, 1],
    // The shared clock was set back.
    [66_000, 1, 0, 66, 12],
  ] as const) {
    const told = { limit: 10, remaining, resetSeconds }
    t.deepEqual(decide(false, debtMs, 10, tokens), { isAllowed: false, ...told, retryAfterSeconds })
    t.deepEqual(decide(true, debtMs, 10, tokens), { isAllowed: true, ...told, retryAfterSeconds: 0 })
  }
})

test('fractions of a millisecond that rounding leaves cost neither a token nor a second', (t) => {
  for (const debtMs of [30_000, 30_000.000_000_9, 29_999.999_999_1])
    t.like(decide(false, debtMs, 10, 6), { remaining: 5, resetSeconds: 30, retryAfterSeconds: 6 })
})
