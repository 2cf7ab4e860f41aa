import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import * as schema from '../../src/http/routes/webhooks/schema.ts'
import { openSiblings, postWebhook } from './sibling-webhooks.ts'

// [webhooks.routes.6] [webhooks.logs.2]
test('a test answers the attempt as a log item', async (t) => {
  const { world, client, key } = await openSiblings(t)
  const { body: webhook } = await postWebhook(client, key)
  const { status, body } = await client.send('POST', `/v1/webhooks/${webhook.id}/test`, { key })
  t.is(status, 200)
  t.deepEqual(schema.logItem.parse(body), body)
  t.like(body, { webhookId: webhook.id, event: 'webhook.test', status: 'SUCCESS', statusCode: 200 })
  t.deepEqual(world.deliveries.tested, [webhook.id])
})

// [webhooks.routes.8]
test('logs are newest first, at most 50, and filtered by event', async (t) => {
  const { world, client, key } = await openSiblings(t)
  const { body: made } = await postWebhook(client, key)
  const webhook = world.webhooks.rows.get(made.id)!
  for (let i = 1; i <= 60; i++) world.webhooks.addLog(webhook, { attempt: i, event: i % 2 ? 'call.ended' : 'messages' })
  const path = `/v1/webhooks/${webhook.id}/logs`
  const { status, body } = await client.send('GET', path, { key })
  t.is(status, 200)
  t.deepEqual(schema.logs.parse(body), body)
  t.is(body.webhookId, webhook.id)
  t.deepEqual([body.logs.length, body.logs[0].attempt, body.logs[49].attempt], [50, 60, 11])
  t.deepEqual(Object.keys(body.logs[0]).toSorted(), [
    'attempt',
    'createdAt',
    'durationMs',
    'event',
    'eventId',
    'id',
    'payload',
    'response',
    'status',
    'statusCode',
    'webhookId',
  ])
  const ended = await client.send('GET', `${path}?event=call.ended&limit=2`, { key })
  t.deepEqual(
    ended.body.logs.map(({ attempt }: { attempt: number }) => attempt),
    [59, 57],
  )
  for (const limit of ['0', '51', '-1', '1.5', 'x', '', '1&limit=2']) {
    const reply = await client.send('GET', `${path}?limit=${limit}`, { key })
    t.deepEqual([reply.status, reply.body.code], [400, undefined], limit)
  }
  t.is((await client.send('GET', `${path}?event=call.over`, { key })).body.code, 'INVALID_EVENT')
})

// [webhooks.routes.8] [webhooks.logs.4] [dashboard.webhooks.1]
test('a log goes on before an item, of one outcome when asked, and says what is wrong with either', async (t) => {
  const { world, client, key, tenantKey } = await openSiblings(t)
  const { body: made } = await postWebhook(client, key)
  const webhook = world.webhooks.rows.get(made.id)!
  const items = Array.from({ length: 6 }, (_, i) =>
    world.webhooks.addLog(webhook, { status: i % 3 === 0 ? 'FAILED' : 'SUCCESS' }),
  )
  const path = `/v1/webhooks/${webhook.id}/logs`
  const read = async (query: string, as = key) =>
    (await client.send('GET', `${path}?${query}`, { key: as })).body.logs.map(({ id }: { id: string }) => id)
  const newest = items.map(({ id }) => id).toReversed()
  t.deepEqual(await read(`before=${newest[1]}&limit=2`), newest.slice(2, 4))
  t.deepEqual(await read('status=FAILED'), [newest[2], newest[5]])
  t.deepEqual(await read(`status=FAILED&before=${newest[2]}`, tenantKey), [newest[5]])
  for (const query of ['status=failed', 'status=', 'before=', 'before=log_x', `before=evt_${'0'.repeat(26)}`]) {
    const { status, body } = await client.send('GET', `${path}?${query}`, { key })
    t.deepEqual([status, body.code, body.details?.[0]?.path], [400, undefined, query.split('=')[0]], query)
  }
  const sibling = await postWebhook(client, key)
  const strange = world.webhooks.addLog(world.webhooks.rows.get(sibling.body.id)!)
  for (const before of [strange.id, newId('log')]) {
    const { status, body } = await client.send('GET', `${path}?before=${before}`, { key })
    t.deepEqual([status, body.code], [404, undefined], before)
  }
})

// [webhooks.routes.9]
test('a logged event is queued again, unless the item, the event or the webhook cannot have it', async (t) => {
  const { world, client, key } = await openSiblings(t)
  const { body: made } = await postWebhook(client, key)
  const webhook = world.webhooks.rows.get(made.id)!
  const [item, old] = [world.webhooks.addLog(webhook, { status: 'FAILED' }), world.webhooks.addLog(webhook)]
  const again = (logId: string) => client.send('POST', `/v1/webhooks/${webhook.id}/logs/${logId}/redeliver`, { key })
  const { status, body } = await again(item.id)
  t.is(status, 202)
  t.deepEqual(schema.redelivery.parse(body), body)
  t.deepEqual(world.deliveries.redelivered, [{ webhookId: webhook.id, eventId: item.eventId }])
  const sibling = await postWebhook(client, key)
  const strange = world.webhooks.addLog(world.webhooks.rows.get(sibling.body.id)!)
  world.deliveries.purged.add(old.eventId)
  for (const id of [strange.id, newId('log'), 'log_x', old.id]) {
    const reply = await again(id)
    t.deepEqual([reply.status, reply.body.code], [404, undefined], id)
  }
  await client.send('PATCH', `/v1/webhooks/${webhook.id}`, { key, body: { active: false } })
  t.is((await again(item.id)).body.code, 'WEBHOOK_INACTIVE')
  t.is(world.deliveries.redelivered.length, 1)
})

// [webhooks.routes.14] [webhooks.redelivery.1] [webhooks.redelivery.3] [dashboard.webhooks.2]
test('what failed in a range is queued again, and a range that is none or a webhook that is off is refused', async (t) => {
  const { world, client, key, tenantKey } = await openSiblings(t)
  const { body: made } = await postWebhook(client, key)
  const webhook = world.webhooks.rows.get(made.id)!
  const at = (time: string) => ({ createdAt: new Date(time) })
  const early = world.webhooks.addLog(webhook, { status: 'FAILED', ...at('2026-01-05T08:00:00Z') })
  world.webhooks.addLog(webhook, { ...at('2026-01-05T09:00:00Z') })
  const late = world.webhooks.addLog(webhook, { status: 'FAILED', ...at('2026-01-06T23:59:00Z') })
  const again = (body: unknown, { as = key, headers = {} }: { as?: string; headers?: Record<string, string> } = {}) =>
    client.send('POST', `/v1/webhooks/${webhook.id}/redeliver`, { key: as, body, headers })
  const first = await again({ since: '2026-01-05', until: '2026-01-05' }, { headers: { 'idempotency-key': 'one' } })
  t.is(first.status, 202)
  t.deepEqual(schema.redelivered.parse(first.body), first.body)
  t.deepEqual(first.body, { queued: 1 })
  const same = await again({ since: '2026-01-05', until: '2026-01-05' }, { headers: { 'idempotency-key': 'one' } })
  t.deepEqual([same.body, same.headers.get('idempotency-replayed')], [{ queued: 1 }, 'true'])
  t.deepEqual(world.deliveries.redelivered, [{ webhookId: webhook.id, eventId: early.eventId }])
  t.deepEqual((await again({ since: '2026-01-06T20:59:00-03:00', until: '2026-01-06' }, { as: tenantKey })).body, {
    queued: 1,
  })
  t.is(world.deliveries.redelivered.at(-1)?.eventId, late.eventId)
  for (const [body, code] of [
    [{}, undefined],
    [{ since: null }, undefined],
    [{ since: 'yesterday' }, 'INVALID_DATE_RANGE'],
    [{ since: 5 }, 'INVALID_DATE_RANGE'],
    [{ since: '2026-01-05', until: '0000-01-01' }, 'INVALID_DATE_RANGE'],
    [{ since: '2026-01-05T12:00:00Z', until: '2026-01-05T11:59:59Z' }, 'INVALID_DATE_RANGE'],
  ] as const) {
    const reply = await again(body)
    t.deepEqual([reply.status, reply.body.code], [400, code], JSON.stringify(body))
  }
  const unknown = `/v1/webhooks/${newId('wh')}/redeliver`
  t.is((await client.send('POST', unknown, { key, body: { since: '2026-01-05' } })).body.code, 'WEBHOOK_NOT_FOUND')
  await client.send('PATCH', `/v1/webhooks/${webhook.id}`, { key, body: { active: false } })
  const off = await again({ since: '2026-01-05' })
  t.deepEqual([off.status, off.body.code], [409, 'WEBHOOK_INACTIVE'])
  t.is(world.deliveries.redelivered.length, 2)
})
