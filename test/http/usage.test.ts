import test from 'ava'
import type { NumberId } from '../../src/domain/ids.ts'
import { usageOf } from '../../src/domain/usage.ts'
import * as schema from '../../src/http/routes/usage/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

const NONE = {
  messages: { inbound: 0, outbound: 0, byType: {} },
  calls: { inbound: 0, outbound: 0, seconds: 0 },
  recordings: { count: 0, bytes: 0 },
  deliveries: { succeeded: 0, failed: 0, attempts: 0 },
  conversations: { MARKETING: 0, UTILITY: 0, AUTHENTICATION: 0, SERVICE: 0 },
}

/** A world in which two numbers of the tenant used something, and another tenant too. */
function usedWorld(): World {
  const world = new World()
  const { tenantId } = world.number
  const [numberId, gone] = [world.number.id, 'num_gone' as NumberId]
  world.usage.tallies.push(
    { tenantId, numberId, day: '2026-01-06', metric: 'messages.inbound.text', amount: 3 },
    { tenantId, numberId, day: '2026-01-05', metric: 'messages.outbound.text', amount: 2 },
    { tenantId, numberId: gone, day: '2026-01-06', metric: 'calls.seconds', amount: 60 },
    { tenantId, numberId, day: '2026-02-01', metric: 'messages.inbound.image', amount: 9 },
  )
  return world
}

// [usage.routes.1] [usage.routes.3] [usage.objects.1] [usage.objects.4]
test('usage is grouped by day or by number, each with all fields, and has a total', async (t) => {
  const world = usedWorld()
  const client = await serve(t, world)
  const read = async (query: string) =>
    (await client.send('GET', `/v1/usage?${query}`, { key: world.tenantKey.raw })).body
  const byDay = await read('startDate=2026-01-01&endDate=2026-01-31T12:00:00Z')
  const [text, both] = [
    { inbound: 0, outbound: 2, byType: { text: 2 } },
    { inbound: 3, outbound: 2, byType: { text: 5 } },
  ]
  t.deepEqual(byDay, {
    from: '2026-01-01',
    to: '2026-01-31',
    groupBy: 'day',
    items: [
      { ...NONE, day: '2026-01-05', messages: text },
      {
        ...NONE,
        day: '2026-01-06',
        messages: { inbound: 3, outbound: 0, byType: { text: 3 } },
        calls: { ...NONE.calls, seconds: 60 },
      },
    ],
    total: { ...NONE, messages: both, calls: { ...NONE.calls, seconds: 60 } },
  })
  t.deepEqual(schema.usage.parse(byDay), byDay)
  const byNumber = await read('startDate=2026-01-01&endDate=2026-01-31&groupBy=number')
  t.deepEqual(byNumber.total, byDay.total)
  t.deepEqual(
    byNumber.items,
    [
      { ...NONE, channelNumberId: world.number.id, messages: both },
      { ...NONE, channelNumberId: 'num_gone', calls: { ...NONE.calls, seconds: 60 } },
    ].toSorted((a, b) => (a.channelNumberId < b.channelNumberId ? -1 : 1)),
  )
})

// [usage.routes.2]
test('usage without dates is that of the last 30 days, and dates in the wrong order are refused', async (t) => {
  const world = usedWorld()
  const client = await serve(t, world)
  const read = (query: string) => client.send('GET', `/v1/usage${query}`, { key: world.tenantKey.raw })
  const today = new Date(world.clock.now()).toISOString().slice(0, 10)
  const { body } = await read('')
  t.is(body.to, today)
  t.is((Date.parse(body.to) - Date.parse(body.from)) / 86_400_000, 29)
  t.like((await read('?endDate=2026-01-30')).body, { from: '2026-01-01', to: '2026-01-30' })
  t.like((await read('?startDate=9999-01-01')).body, { from: '9999-01-01', to: '9999-01-01', items: [] })
  for (const query of ['?startDate=2026-02-01&endDate=2026-01-01', '?startDate=soon']) {
    const refused = await read(query)
    t.deepEqual([refused.status, refused.body.code], [400, 'INVALID_DATE_RANGE'], query)
  }
  t.is((await read('?groupBy=week')).status, 400)
})

// [usage.scope.1]
test('usage takes the key of the tenant, not that of a number', async (t) => {
  const world = usedWorld()
  const client = await serve(t, world)
  t.is((await client.send('GET', '/v1/usage', { key: world.numberKey.raw })).status, 403)
  t.is((await client.send('GET', '/v1/usage')).status, 401)
})

test('what this version does not know of usage changes nothing', (t) => {
  t.deepEqual(usageOf([{ metric: 'newer.kind', amount: 5 }]), NONE)
})
