import test from 'ava'
import { assert, property, string } from 'fast-check'
import { Webhook } from 'standardwebhooks'
import type { StoredEvent } from '../../src/domain/events.ts'
import { newId } from '../../src/domain/ids.ts'
import type { SubscribedEvent } from '../../src/domain/webhook.ts'
import type { Subscriber } from '../../src/ports/stores/delivery-store.ts'
import { CLOSED, ended, mayStart, started, unprobed } from '../../src/webhooks/breaker.ts'
import type { Breaker } from '../../src/webhooks/breaker.ts'
import { makeEnvelope } from '../../src/webhooks/envelope.ts'
import { Limits } from '../../src/webhooks/limits.ts'
import { match } from '../../src/webhooks/match.ts'
import { parseRetryAfter } from '../../src/net/retry-after.ts'
import { DEFAULT_SCHEDULE, nextDelayMs } from '../../src/webhooks/schedule.ts'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import { sign } from '../../src/webhooks/sign.ts'

const middle = () => 0.5

function eventOf(name: StoredEvent['event'], data: Record<string, unknown> = { a: 1 }): StoredEvent {
  return {
    id: newId('evt'),
    event: name,
    tenantId: newId('ten'),
    numberId: newId('num'),
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    data,
  }
}

function subscriber(
  event: StoredEvent,
  events: readonly SubscribedEvent[],
  provider: Subscriber['provider'] = 'UNOFFICIAL',
): Subscriber {
  return { webhookId: newId('wh'), tenantId: event.tenantId, events, provider }
}

test('an event becomes one first try for each webhook whose list covers it', (t) => {
  const event = eventOf('call.ended')
  const named = subscriber(event, ['call.ended'])
  const all = subscriber(event, ['*'])
  const none = subscriber(event, [])
  const other = subscriber(event, ['call.ringing'])
  t.deepEqual(
    match(event, [named, all, none, other]),
    [named, all].map(({ webhookId, tenantId }) => ({ eventId: event.id, webhookId, tenantId, attempt: 1 })),
  )
})

// [events.subscription.1] [events.subscription.2] [events.subscription.3]
test('a star covers neither opt-in events nor message.reply of an official number', (t) => {
  const lead = eventOf('lead.received')
  for (const kind of ['OFFICIAL', 'UNOFFICIAL'] as const) {
    t.is(match(lead, [subscriber(lead, ['*'], kind)]).length, 0)
    t.is(match(lead, [subscriber(lead, ['*', 'lead.received'], kind)]).length, 1)
  }
  const reply = eventOf('message.reply')
  t.is(match(reply, [subscriber(reply, ['*'], 'OFFICIAL')]).length, 0)
  t.is(match(reply, [subscriber(reply, ['*'])]).length, 1)
})

test('a subscriber of another tenant gets nothing, whatever the store says', (t) => {
  const event = eventOf('call.ended')
  t.deepEqual(match(event, [{ ...subscriber(event, ['*']), tenantId: newId('ten') }]), [])
})

// [events.envelope.1]
test('the body is the envelope, the same bytes each time it is made', (t) => {
  const event = eventOf('call.ended', { text: 'olá 🙂', list: [1, null] })
  const envelope = makeEnvelope(event)
  t.deepEqual(JSON.parse(envelope.text), {
    id: event.id,
    event: 'call.ended',
    channelNumberId: event.numberId,
    timestamp: '2026-01-02T03:04:05.678Z',
    data: { text: 'olá 🙂', list: [1, null] },
  })
  t.is(envelope.bytes.toString(), envelope.text)
  t.deepEqual(
    makeEnvelope({ ...event, data: JSON.parse(JSON.stringify(event.data)) as Record<string, unknown> }).bytes,
    envelope.bytes,
  )
})

// [events.native.2]
test('a native change goes out as its upstream wrote it', (t) => {
  const body = '{ "object":"account",\n "entry":[] }'
  t.is(makeEnvelope({ ...eventOf('call.ended'), event: 'messages', upstreamBody: body }).bytes.toString(), body)
})

// [webhooks.delivery.4]
test('the public verifier accepts a signature with the secret, and during rotation with either', (t) => {
  const [fresh, old, stranger] = [makeSecret(), makeSecret(), makeSecret()]
  assert(
    property(string({ unit: 'grapheme' }), (text) => {
      const body = Buffer.from(JSON.stringify({ text }))
      const id = newId('evt')
      const timestamp = Math.floor(Date.now() / 1000)
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': sign([fresh, old], { id, timestamp, body }),
      }
      for (const secret of [fresh, old]) new Webhook(secret).verify(body.toString(), headers)
      t.throws(() => new Webhook(stranger).verify(body.toString(), headers))
      t.throws(() => new Webhook(fresh).verify(`${body.toString()} `, headers))
      t.throws(() => new Webhook(fresh).verify(body.toString(), { ...headers, 'webhook-id': newId('evt') }))
    }),
    { numRuns: 30 },
  )
})

// [webhooks.object.3]
test('a made secret is whsec_ and 32 bytes in base64, new each time', (t) => {
  const secret = makeSecret()
  t.regex(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.not(makeSecret(), secret)
})

const failedTry = (attempt: number, more: Partial<Parameters<typeof nextDelayMs>[1]> = {}) => ({
  attempt,
  statusCode: 500,
  isTimeout: false,
  retryAfterMs: null,
  ...more,
})

// [webhooks.retries.1]
test('twelve tries: the waits of the contract, then none', (t) => {
  const waits = Array.from({ length: 12 }, (_, i) => nextDelayMs(DEFAULT_SCHEDULE, failedTry(i + 1), middle))
  t.deepEqual(
    waits,
    [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null].map((seconds) =>
      seconds === null ? null : seconds * 1000,
    ),
  )
})

// [webhooks.retries.1]
test('a wait is up to a fifth shorter or longer', (t) => {
  t.is(
    nextDelayMs(DEFAULT_SCHEDULE, failedTry(1), () => 0),
    4_000,
  )
  t.is(
    nextDelayMs(DEFAULT_SCHEDULE, failedTry(1), () => 0.999_999),
    6_000,
  )
})

// [webhooks.retries.3]
test('429 and 503 wait a minute at least and as long as they ask for, an hour at most', (t) => {
  for (const statusCode of [429, 503]) {
    const wait = (attempt: number, retryAfterMs: number | null) =>
      nextDelayMs(DEFAULT_SCHEDULE, failedTry(attempt, { statusCode, retryAfterMs }), middle)
    t.is(wait(1, null), 60_000)
    t.is(wait(1, 0), 60_000)
    t.is(wait(1, 90_000), 90_000)
    t.is(wait(1, 1e15), 3_600_000)
    t.is(wait(1, Infinity), 3_600_000)
    t.is(wait(6, 90_000), 7_200_000)
    t.is(wait(12, 90_000), null)
  }
  t.is(nextDelayMs(DEFAULT_SCHEDULE, failedTry(1, { retryAfterMs: 90_000 }), middle), 5_000)
})

test('an operator may have timeouts wait longer', (t) => {
  t.is(nextDelayMs(DEFAULT_SCHEDULE, failedTry(1, { statusCode: 0, isTimeout: true }), middle), 5_000)
  t.is(
    nextDelayMs({ ...DEFAULT_SCHEDULE, timeoutMs: 60_000 }, failedTry(1, { statusCode: 0, isTimeout: true }), middle),
    60_000,
  )
})

test('Retry-After is read as seconds or a date; anything else is as if it were absent', (t) => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  t.is(parseRetryAfter('120', now), 120_000)
  t.is(parseRetryAfter(' 0 ', now), 0)
  t.is(parseRetryAfter('Thu, 01 Jan 2026 00:02:00 GMT', now), 120_000)
  t.is(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now), 0)
  t.is(parseRetryAfter('9'.repeat(400), now), Infinity)
  for (const text of [undefined, '', '-5', '1.5', 'soon', '1e3']) t.is(parseRetryAfter(text, now), null, text)
})

const RULES = { failures: 3, pauseMs: 1_000, pauseMaxMs: 3_000 }
const fail = (breaker: Breaker, nowMs: number, isProbe: boolean = false) => ended(breaker, false, isProbe, nowMs, RULES)

// [webhooks.delivery.9]
test('a breaker opens after failures in a row, lets one probe through, and pauses longer each time it fails', (t) => {
  let breaker: Breaker = fail(fail(CLOSED, 0), 0)
  t.true(mayStart(breaker, 0))
  breaker = fail(breaker, 0)
  t.false(mayStart(breaker, 999))
  t.true(mayStart(breaker, 1_000))
  breaker = started(breaker)
  t.false(mayStart(breaker, 5_000), 'a second delivery beside the probe')
  breaker = fail(breaker, 5_000, true)
  t.false(mayStart(breaker, 6_999))
  t.true(mayStart(breaker, 7_000))
  breaker = fail(started(breaker), 10_000, true)
  t.true(mayStart(breaker, 13_000), 'the longest pause')
  t.deepEqual(ended(started(breaker), true, true, 13_000, RULES), CLOSED)
})

test('a success in between begins the count anew', (t) => {
  const breaker = ended(fail(fail(CLOSED, 0), 0), true, false, 0, RULES)
  t.true(mayStart(fail(fail(breaker, 0), 0), 0))
})

test('deliveries that began before a breaker opened do not make its pause longer', (t) => {
  const open = fail(fail(fail(CLOSED, 0), 0), 0)
  t.deepEqual(fail(open, 500), open)
  const probing = started(open)
  t.deepEqual(fail(probing, 1_200), probing)
})

test('a probe that was never sent leaves room for the next', (t) => {
  const probing = started(fail(fail(fail(CLOSED, 0), 0), 0))
  t.true(mayStart(unprobed(probing, 2_000), 2_000))
})

test('no webhook, tenant or node exceeds its limit, and released places are free again', (t) => {
  const limits = new Limits({ endpoint: 2, total: 12 })
  const tenant = newId('ten')
  const webhook = newId('wh')
  t.true(limits.take(webhook, tenant))
  t.true(limits.take(webhook, tenant))
  t.false(limits.take(webhook, tenant), 'the webhook is full')
  limits.give(webhook, tenant)
  t.true(limits.take(webhook, tenant))
  const more = Array.from({ length: 10 }, () => limits.take(newId('wh'), tenant)).filter(Boolean).length
  t.is(more + 2, 6, 'a tenant alone gets half')
  const second = newId('ten')
  t.is(Array.from({ length: 10 }, () => limits.take(newId('wh'), second)).filter(Boolean).length, 4, 'a third each')
  const third = newId('ten')
  t.is(Array.from({ length: 10 }, () => limits.take(newId('wh'), third)).filter(Boolean).length, 2, 'what is left')
  t.is(limits.total, 12)
  t.true(limits.isFull)
})
