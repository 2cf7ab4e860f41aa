import test from 'ava'
import { readConfig } from '../../src/config.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Labels, Metrics } from '../../src/ports/metrics.ts'
import { Rig, settled } from './rig.ts'
import type { Post } from './rig.ts'
import { rigWith, GOOD, DEAD, newNumber } from './dispatcher-rig.ts'

test('a stored event goes out once, is logged and leaves the queue', async (t) => {
  const { rig, target, events } = rigWith(GOOD, 1)
  await rig.started()
  await rig.pass(30)
  t.is(rig.posts.length, 1)
  t.is(rig.posts[0]?.headers['webhook-id'], events[0]?.id)
  t.like(rig.store.logs, [{ webhookId: target.webhookId, status: 'SUCCESS', attempt: 1 }])
  t.deepEqual(rig.store.open, [])
  await rig.pass(60_000)
  t.is(rig.posts.length, 1)
  await rig.stopped()
})

test('a wake brings an event out without waiting for the next poll', async (t) => {
  const { rig, target } = rigWith(GOOD, 0)
  await rig.started()
  await rig.pass(20)
  rig.store.addEvent(target)
  rig.dispatcher.wake()
  await settled()
  await rig.pass(20)
  t.is(rig.posts.length, 1)
  await rig.stopped()
})

test('an event that nobody announced goes out with the next poll', async (t) => {
  const { rig, target } = rigWith(GOOD, 0)
  await rig.started()
  rig.store.addEvent(target)
  await rig.pass(1_200)
  t.is(rig.posts.length, 1)
  await rig.stopped()
})

test('a node with nothing to deliver looks at its tables once a second', async (t) => {
  const { rig } = rigWith(GOOD, 0)
  await rig.started()
  await rig.pass(10_000)
  t.true(rig.store.excluded.length <= 11, `${rig.store.excluded.length} looks`)
  await rig.stopped()
})

test('a retry that is due before the next look goes out when it is due', async (t) => {
  const { rig } = rigWith(
    GOOD,
    1,
    new Rig({ schedule: { waitsMs: [300], jitter: 0, busyMs: 0, timeoutMs: 0, retryAfterMaxMs: 0 } }),
  )
  rig.behaviour = () => 500
  await rig.started()
  await rig.pass(400)
  t.is(rig.posts.length, 2)
  await rig.stopped()
})

test('a full outbox is handed on without pauses', async (t) => {
  const { rig } = rigWith(GOOD, 1_700)
  await rig.started()
  await rig.pass(100)
  t.is(rig.store.outbox.length, 0)
  await rig.pass(4_000)
  t.is(rig.store.logs.length, 1_700)
  await rig.stopped()
})

// [webhooks.delivery.6]
test('a try of an endpoint that hangs has failed after 15 s, and not before', async (t) => {
  const { rig } = rigWith(DEAD, 1)
  rig.behaviour = () => 'hang'
  await rig.started()
  const [post] = rig.posts
  await rig.pass(14_900 - (rig.clock.monotonicMs() - (post?.atMs ?? 0)), 100)
  t.deepEqual([rig.posts.length, rig.store.logs.length], [1, 0])
  await rig.pass(200, 100)
  t.like(rig.store.logs, [{ status: 'FAILED', statusCode: 0 }])
  t.is(readConfig({}).webhooks.timeoutMs, 15_000)
  await rig.stopped()
})

// [webhooks.retries.1] [webhooks.delivery.3]
test('a failed try is repeated by the schedule with the same id and bytes, and its number told', async (t) => {
  const { rig } = rigWith(GOOD, 1, new Rig({ breaker: { failures: 100, pauseMs: 1, pauseMaxMs: 1 } }))
  rig.behaviour = () => 500
  await rig.started()
  await rig.pass(4_500)
  t.is(rig.posts.length, 1)
  await rig.pass(1_000)
  t.is(rig.posts.length, 2)
  await rig.pass(29_000)
  t.is(rig.posts.length, 2)
  await rig.pass(2_000)
  t.is(rig.posts.length, 3)
  t.is(new Set(rig.posts.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.is(new Set(rig.posts.map(({ body }) => body.toString())).size, 1)
  t.deepEqual(
    rig.posts.map(({ headers }) => headers['x-webhook-attempt']),
    ['1', '2', '3'],
  )
  t.deepEqual(
    rig.store.logs.map(({ attempt }) => attempt),
    [1, 2, 3],
  )
  await rig.stopped()
})

// [webhooks.retries.1]
test('after the last try the delivery is given up', async (t) => {
  const { rig } = rigWith(
    GOOD,
    1,
    new Rig({ schedule: { waitsMs: [100, 100], jitter: 0, busyMs: 0, timeoutMs: 0, retryAfterMaxMs: 0 } }),
  )
  rig.behaviour = () => 500
  await rig.started()
  await rig.pass(3_000)
  t.is(rig.posts.length, 3)
  t.deepEqual(rig.store.open, [])
  await rig.stopped()
})

// [webhooks.retries.4]
test('410 ends the webhook and the retries of its other events', async (t) => {
  const { rig, target } = rigWith(GOOD, 2)
  rig.behaviour = () => 500
  await rig.started()
  await rig.pass(30)
  t.is(rig.posts.length, 2)
  rig.behaviour = () => 410
  rig.store.addEvent(target)
  await rig.pass(1_200)
  t.is(rig.store.webhooks.get(target.webhookId)?.disabledReason, 'GONE')
  await rig.pass(10_000)
  t.is(rig.posts.length, 3)
  t.deepEqual(rig.store.open, [])
  await rig.stopped()
})

test('a webhook that is paused or removed gets nothing more, not even deliveries that wait on this node', async (t) => {
  const { rig, target } = rigWith(GOOD, 40)
  rig.behaviour = () => 'hold'
  await rig.started()
  await rig.pass(30)
  t.is(rig.posts.length, 10, 'as many as may be under way')
  rig.store.webhooks.delete(target.webhookId)
  for (const post of rig.posts) post.answer(200)
  await rig.pass(2_000)
  t.is(rig.posts.length, 10)
  t.deepEqual(rig.store.open, [], 'their jobs just end')
  t.deepEqual(rig.store.logs, [], 'a webhook that is gone has no logs')
  await rig.stopped()
})

test('an event that is purged before its try just ends', async (t) => {
  const { rig, events } = rigWith(GOOD, 1)
  for (const { id } of events) rig.store.events.delete(id)
  await rig.started()
  await rig.pass(100)
  t.is(rig.posts.length, 0)
  t.deepEqual(rig.store.open, [])
  await rig.stopped()
})

// [webhooks.delivery.9]
test('an endpoint that hangs for ever, with a backlog before all others, delays none of them', async (t) => {
  const { rig } = rigWith(DEAD, 3_000)
  const good = rig.store.addWebhook(GOOD, newNumber())
  for (let i = 0; i < 50; i++) rig.store.addEvent(good)
  rig.behaviour = ({ url }) => (url === DEAD ? 'hang' : 200)
  await rig.started()
  await rig.pass(1_000)
  t.is(rig.to(GOOD).length, 50)
  t.is(rig.to(DEAD).length, 10)
  for (let round = 0; round < 40; round++) {
    const before = rig.to(GOOD).length
    rig.store.addEvent(good)
    rig.dispatcher.wake()
    await rig.pass(60)
    t.is(rig.to(GOOD).length, before + 1, `round ${round}`)
    await rig.pass(940, 47)
  }
  t.true(rig.to(DEAD).length <= 20)
  await rig.stopped()
})

test('a tenant whose endpoints all hang leaves room for the others', async (t) => {
  const rig = new Rig()
  const greedy = newNumber()
  for (let i = 0; i < 40; i++) rig.store.addWebhook(`${DEAD}${i}`, greedy)
  for (let i = 0; i < 25; i++) rig.store.addEvent(greedy)
  const good = rig.store.addWebhook(GOOD, newNumber())
  for (let i = 0; i < 30; i++) rig.store.addEvent(good)
  rig.behaviour = ({ url }) => (url === GOOD ? 200 : 'hang')
  await rig.started()
  await rig.pass(2_000)
  t.is(rig.to(GOOD).length, 30)
  t.is(rig.posts.length - 30, 128, 'half of the node')
  await rig.stopped()
})

// [webhooks.delivery.9]
test('failures in a row pause an endpoint without spending its tries; one probe finds out that it is back', async (t) => {
  const { rig } = rigWith(DEAD, 60)
  rig.behaviour = () => 'hang'
  await rig.started()
  await rig.pass(17_000)
  const before = rig.posts.length
  t.is(before, 11, 'ten time out, then one probe after a second')
  await rig.pass(13_000)
  t.is(rig.posts.length, before, 'nothing beside the probe')
  rig.behaviour = () => 200
  await rig.pass(120_000, 50)
  t.is(rig.store.logs.filter(({ status }) => status === 'SUCCESS').length, 60)
  t.is(rig.store.logs.filter(({ status }) => status === 'FAILED').length, 11)
  t.true(rig.store.logs.every(({ attempt }) => attempt <= 3))
  await rig.stopped()
})

test('outcomes are stored together', async (t) => {
  const rig = new Rig()
  const number = newNumber()
  for (let i = 0; i < 20; i++) rig.store.addWebhook(`${GOOD}${i}`, number)
  for (let i = 0; i < 30; i++) rig.store.addEvent(number)
  await rig.started()
  await rig.pass(1_000)
  t.is(rig.store.logs.length, 600)
  t.true(rig.store.batches.length <= 30, `${rig.store.batches.length} transactions`)
  await rig.stopped()
})

test('a deep backlog of many webhooks of one tenant hardly goes back and forth, and others get through it', async (t) => {
  const rig = new Rig()
  const { tenantId } = newNumber()
  for (let i = 0; i < 20; i++) {
    const target = rig.store.addWebhook(`https://bulk.example/${i}`, { tenantId, numberId: newId('num') })
    for (let at = 0; at < 300; at++) rig.store.addEvent(target)
  }
  const good = rig.store.addWebhook(GOOD, newNumber())
  rig.store.addEvent(good)
  const waiting: Post[] = []
  rig.behaviour = (post) => {
    if (post.url === GOOD) return 200
    waiting.push(post)
    return 'hold'
  }
  await rig.started()
  for (let round = 0; round < 100; round++) {
    await rig.pass(20, 20)
    for (const post of waiting.splice(0)) post.answer(200)
  }
  t.is(rig.to(GOOD).length, 1)
  t.true(rig.store.putBackCount < 300, `${rig.store.putBackCount} of 6000 jobs went back`)
  rig.behaviour = () => 200
  for (const post of waiting.splice(0)) post.answer(200)
  await rig.pass(5_000, 50)
  t.is(rig.store.logs.length, 6_001)
  await rig.stopped()
})

test('deliveries are counted by outcome, timed from the commit, and seen while under way', async (t) => {
  const seen = new Map<string, number>()
  const note = (name: string, labels: Labels = {}, value: number = 1) =>
    void seen.set([name, ...Object.values(labels)].join(' '), value)
  const metrics: Metrics = {
    counter: (name) => ({
      add: (labels = {}, by = 1) =>
        note(name, labels, (seen.get([name, ...Object.values(labels)].join(' ')) ?? 0) + by),
    }),
    gauge: (name) => ({ set: (value, labels) => note(name, labels, value) }),
    histogram: (name) => ({ observe: (seconds) => note(name, {}, seconds) }),
  }
  const rig = new Rig({ metrics })
  const target = rig.store.addWebhook(GOOD, newNumber())
  rig.store.addEvent(target)
  rig.store.addEvent(target)
  rig.clock.advance(3_000)
  rig.behaviour = () => 'hold'
  await rig.started()
  t.is(seen.get('webhook_outbox_age_seconds'), 3)
  t.is(seen.get('webhook_first_byte_seconds'), 3)
  t.is(seen.get('webhook_deliveries_in_flight'), 2)
  rig.posts[0]?.answer(200)
  rig.posts[1]?.answer(500)
  await rig.pass(300)
  t.is(seen.get('webhook_deliveries_in_flight'), 0)
  rig.behaviour = () => 410
  await rig.pass(7_000)
  t.is(seen.get('webhook_deliveries_total success'), 1)
  t.is(seen.get('webhook_deliveries_total failed'), 1)
  t.is(seen.get('webhook_deliveries_total given_up'), 1)
  t.is(seen.get('webhook_endpoints_disabled_total GONE'), 1)
  await rig.stopped()
})

for (const [what, isQueued] of [
  ['before the queue was looked at, so that all is queued', true],
  ['after the queue was seen empty, so that first tries begin past it', false],
] as const)
  test(`a store that fails for a while loses nothing, ${what}`, async (t) => {
    const { rig, events } = rigWith(GOOD, 300)
    rig.store.failing.add('relay')
    if (isQueued) rig.store.failing.add('fetch')
    await rig.started()
    await rig.pass(1_000)
    rig.store.failing.delete('relay')
    if (isQueued) await rig.pass(12_000)
    rig.store.failing.clear()
    rig.store.failing.add('load')
    await rig.pass(12_000)
    t.is(rig.posts.length, 0)
    rig.store.failing.clear()
    rig.store.failing.add('settle').add('putBack')
    await rig.pass(12_000)
    t.is(rig.store.logs.length, 0)
    rig.store.failing.clear()
    await rig.pass(40_000)
    t.deepEqual(rig.store.logs.map(({ eventId }) => eventId).toSorted(), events.map(({ id }) => id).toSorted())
    t.is(rig.store.logs.length, 300, 'each outcome is stored once')
    t.deepEqual(rig.store.open, [])
    t.true(rig.errors.length > 4)
    t.true(rig.errors.length < 60, `${rig.errors.length} errors: pauses grow`)
    await rig.stopped()
  })

test('an outcome that can never be stored holds up no other: its log is set aside, and the delivery is not made again', async (t) => {
  const { rig, events } = rigWith(GOOD, 120)
  const [first] = events
  if (first) rig.store.poisonous.add(first.id)
  await rig.started()
  await rig.pass(60_000)
  t.is(rig.store.logs.length, 119)
  t.deepEqual(
    rig.aside.map(({ reason, tries }) => [reason, tries]),
    [['Error', 3]],
  )
  t.deepEqual([rig.to(GOOD).length, rig.store.open], [120, []])
  await rig.stopped()
})

test('a delivery that can never be loaded is set aside, and those beside it are made', async (t) => {
  const rig = new Rig()
  const number = newNumber()
  const [bad] = [rig.store.addWebhook(`${GOOD}bad`, number), rig.store.addWebhook(GOOD, number)]
  const events = Array.from({ length: 5 }, () => rig.store.addEvent(number))
  rig.store.unloadable.add(bad.webhookId)
  await rig.started()
  await rig.pass(10_000)
  t.is(rig.to(GOOD).length, 5)
  t.deepEqual(
    rig.aside.map(({ item, reason }) => [item, reason]).toSorted(),
    events.map(({ id }) => [`${bad.webhookId}/${id}`, 'TypeError']).toSorted(),
  )
  t.deepEqual(rig.store.open, [])
  await rig.stopped()
})

test('while outcomes cannot be stored, no new tries are begun beyond a bound', async (t) => {
  const rig = new Rig()
  const number = newNumber()
  for (let i = 0; i < 20; i++) rig.store.addWebhook(`${GOOD}${i}`, number)
  for (let i = 0; i < 300; i++) rig.store.addEvent(number)
  rig.store.failing.add('settle')
  await rig.started()
  await rig.pass(20_000, 50)
  t.true(rig.posts.length <= 2_300, `${rig.posts.length} tries`)
  rig.store.failing.clear()
  await rig.pass(30_000, 50)
  t.is(rig.store.logs.length, 6_000)
  await rig.stopped()
})
