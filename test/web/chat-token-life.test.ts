import test from 'ava'
import { isRefreshDue, lifeOf, refreshInMs, retryInMs } from '../../web/chat/api/token-life.ts'

const SERVER_NOW = Date.parse('2026-01-01T00:00:00Z')
const HOUR_MS = 3_600_000

/** A token valid for an hour, received when the page's clock, which starts with the page, showed `nowMs`. */
function anHour(nowMs = 5_000) {
  return lifeOf('emb_x.y', new Date(SERVER_NOW + HOUR_MS).toISOString(), SERVER_NOW, nowMs)
}

// [inbox.token.2]
test('a token is refreshed at 80 % of its life, or at once where that is past', (t) => {
  t.is(refreshInMs(anHour(), 5_000), HOUR_MS * 0.8)
  t.is(refreshInMs(anHour(), 5_000 + HOUR_MS / 2), HOUR_MS * 0.8 - HOUR_MS / 2)
  t.is(refreshInMs(anHour(), 5_000 + HOUR_MS * 0.9), 0)
})

// [inbox.token.2]
test('seen or online again, it is refreshed with under 30 % left', (t) => {
  t.false(isRefreshDue(anHour(), 5_000 + HOUR_MS * 0.7))
  t.true(isRefreshDue(anHour(), 5_000 + HOUR_MS * 0.7 + 1))
  t.true(isRefreshDue(anHour(), 5_000 + HOUR_MS * 2))
})

// [inbox.token.4]
test('a lost network is no expiry: it is tried again until the very end of the token', (t) => {
  const life = anHour()
  t.is(retryInMs(life, 5_000), 5_000)
  t.is(retryInMs(life, life.endsMs - 2_000), 2_000)
  t.is(retryInMs(life, life.endsMs - 1), 1)
  t.is(retryInMs(life, life.endsMs), null)
})

test('whether the clock of the device is right makes no difference, and a token that is over has no life', (t) => {
  t.is(anHour(0).endsMs, HOUR_MS)
  const over = lifeOf('emb_x.y', new Date(SERVER_NOW - 1).toISOString(), SERVER_NOW, 5_000)
  t.deepEqual([over.endsMs, refreshInMs(over, 5_000), retryInMs(over, 5_000)], [5_000, 0, null])
})
