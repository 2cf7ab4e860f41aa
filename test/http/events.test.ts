import test from 'ava'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

test('a number key lists the events of its number only, a tenant key those of all its numbers', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const other = world.addNumber(world.tenantId, '5511966665555')
  const own = world.events.add(world.tenantId, world.number.id, { event: 'number.created', data: { a: 1 } })
  const sibling = world.events.add(world.tenantId, other.number.id, { event: 'number.created', data: {} })
  world.events.add(world.otherTenantId, world.foreignNumber.id, { event: 'number.created', data: {} })
  const byNumber = await client.send('GET', '/v1/events', { key: world.numberKey.raw })
  t.deepEqual(byNumber.body, {
    events: [
      {
        id: own.id,
        event: 'number.created',
        channelNumberId: world.number.id,
        timestamp: own.createdAt.toISOString(),
        data: { a: 1 },
      },
    ],
  })
  const byTenant = await client.send('GET', '/v1/events', { key: world.tenantKey.raw })
  t.deepEqual(
    byTenant.body.events.map((event: { id: string }) => event.id),
    [own.id, sibling.id],
  )
  const narrowed = await client.send('GET', '/v1/events', {
    key: world.tenantKey.raw,
    headers: { 'x-channel-number-id': other.number.id },
  })
  t.deepEqual(
    narrowed.body.events.map((event: { id: string }) => event.id),
    [sibling.id],
  )
})

test('events go on after the last id seen, and an id of another tenant is unknown', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const [first, second] = ['call.ringing', 'call.missed'].map((event) =>
    world.events.add(world.tenantId, world.number.id, { event: event as 'call.ringing', data: {} }),
  )
  const foreign = world.events.add(world.otherTenantId, world.foreignNumber.id, { event: 'number.created', data: {} })
  const next = await client.send('GET', `/v1/events?after=${first?.id}`, { key: world.numberKey.raw })
  t.deepEqual(
    next.body.events.map((event: { id: string }) => event.id),
    [second?.id],
  )
  const filtered = await client.send('GET', '/v1/events?event=call.ringing', { key: world.numberKey.raw })
  t.deepEqual(
    filtered.body.events.map((event: { id: string }) => event.id),
    [first?.id],
  )
  t.is((await client.send('GET', `/v1/events?after=${foreign.id}`, { key: world.numberKey.raw })).status, 404)
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'event=nothing', 'after=evt_x']) {
    t.is((await client.send('GET', `/v1/events?${query}`, { key: world.numberKey.raw })).status, 400, query)
  }
})
