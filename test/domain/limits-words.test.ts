import test from 'ava'
import { COUNTED_MS, heldMs, peopleOfTier, WINDOW_MARGIN_MS } from '../../src/domain/daily-limit.ts'
import * as limits from '../../src/domain/limits.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const [KIB, MIB] = [1_024, 1_048_576]

test('times and sizes are those of the contract', (t) => {
  t.like(limits, {
    CALL_SILENCE_MS: DAY,
    PAIRING_LINK_MS: DAY,
    IDEMPOTENCY_MS: DAY,
    FLOW_KEY_GRACE_MS: DAY,
    SERVICE_WINDOW_MS: DAY,
    MESSAGE_MAX_AGE_MS: 7 * DAY,
    REMOVED_STAYS_MS: 10 * MINUTE,
    LONG_ASK_TIMEOUT_MS: 30_000,
    IMAGE_BYTES: 5 * MIB,
    AUDIO_BYTES: 16 * MIB,
    VIDEO_BYTES: 16 * MIB,
    DOCUMENT_BYTES: 100 * MIB,
    TEMPLATE_DOCUMENT_BYTES: 10 * MIB,
    FLOW_JSON_BYTES: 10 * MIB,
    STICKER_BYTES: 100 * KIB,
    ANIMATED_STICKER_BYTES: 500 * KIB,
  })
})

test('a tier says how many people are reached in a day, and other words say nothing', (t) => {
  t.deepEqual(['TIER_50', 'TIER_250', 'TIER_2K', 'TIER_100K'].map(peopleOfTier), [50, 250, 2_000, 100_000])
  for (const none of [
    null,
    '',
    'TIER_UNLIMITED',
    'UNTIERED',
    'XTIER_250',
    'TIER_250X',
    'TIER_2KK',
    'TIER_K',
    'TIER_250\n',
  ])
    t.is(peopleOfTier(none), null, String(none))
  t.is(COUNTED_MS, DAY + MINUTE)
  t.is(WINDOW_MARGIN_MS, MINUTE)
})

test('a message that the limit holds waits until a place is free, five minutes at least and an hour at most', (t) => {
  t.deepEqual(
    [-HOUR, 0, 5 * MINUTE, 5 * MINUTE + 1, 30 * MINUTE, HOUR, HOUR + 1, DAY].map((freeInMs) => heldMs(freeInMs + 7, 7)),
    [5 * MINUTE, 5 * MINUTE, 5 * MINUTE, 5 * MINUTE + 1, 30 * MINUTE, HOUR, HOUR, HOUR],
  )
})
