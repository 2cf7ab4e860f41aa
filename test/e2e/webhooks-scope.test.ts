import test from 'ava'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { Receiver } from '../helpers/receiver.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let receiver: Receiver
let number: PairedNumber
let sibling: PairedNumber
let stranger: { readonly tenantKey: string; readonly number: PairedNumber }

test.before(async () => {
  receiver = await Receiver.open()
  service = await joinService()
  number = await service.pairNumber()
  sibling = await service.pairNumber()
  const tenant = await askToCreateTenant(service.dataDir, 'Stranger')
  if (!tenant) throw new Error('no second tenant')
  stranger = { tenantKey: tenant.key, number: await service.pairNumber(undefined, tenant.key) }
})

test.after.always(async () => {
  await receiver?.close()
})

async function listedIds(key: string, headers?: Record<string, string>): Promise<string[]> {
  return (await service.api('GET', '/v1/webhooks', key, undefined, headers)).body.map(
    (webhook: { id: string }) => webhook.id,
  )
}

test("another number's or tenant's webhook is 404 on every route and in no list", async (t) => {
  const made = await service.api('POST', '/v1/webhooks', number.key, { url: receiver.endpoint('/mine'), events: ['*'] })
  const id: string = made.body.id
  await service.api('POST', `/v1/webhooks/${id}/test`, number.key)
  const {
    body: {
      logs: [item],
    },
  } = await until('the test is logged', async () => {
    const logs = await service.api('GET', `/v1/webhooks/${id}/logs`, number.key)
    return logs.body.logs.length > 0 ? logs : null
  })
  const routes: [method: string, path: string, body?: object][] = [
    ['GET', ''],
    ['PATCH', '', { active: false }],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/secret'],
    ['GET', '/logs'],
    ['POST', `/logs/${item.id}/redeliver`],
  ]
  const outsiders: [who: string, key: string, headers?: Record<string, string>][] = [
    ['another number', sibling.key],
    ['another tenant', stranger.tenantKey],
    ["another tenant's number", stranger.number.key],
    ['the tenant, narrowed to another number', service.tenantKey, { 'x-channel-number-id': sibling.id }],
  ]
  for (const [who, key, headers] of outsiders) {
    for (const [method, path, body] of routes) {
      const answer = await service.api(method, `/v1/webhooks/${id}${path}`, key, body, headers)
      t.deepEqual([answer.status, answer.body.code], [404, 'WEBHOOK_NOT_FOUND'], `${who}: ${method} ${path}`)
    }
    t.false((await listedIds(key, headers)).includes(id), who)
  }
  // The number may have other events, for example when its device is away for a moment.
  t.is(receiver.at('/mine').filter(({ event }) => event === item.event).length, 1, 'nobody else had it send anything')
  t.true(
    (await service.api('GET', `/v1/webhooks/${id}`, service.tenantKey)).body.active,
    'the tenant itself still sees it, unchanged',
  )
  t.true((await listedIds(service.tenantKey)).includes(id))
  t.is((await service.api('DELETE', `/v1/webhooks/${id}`, service.tenantKey)).status, 200)
})

test("a log item of one webhook is not delivered again through another's path", async (t) => {
  const hooks = await Promise.all(
    ['/one', '/two'].map((path) =>
      service.api('POST', '/v1/webhooks', sibling.key, { url: receiver.endpoint(path), events: [] }),
    ),
  )
  const [one, two] = hooks.map(({ body }) => body.id as string)
  const { body: item } = await service.api('POST', `/v1/webhooks/${one}/test`, sibling.key)
  t.is((await service.api('POST', `/v1/webhooks/${two}/logs/${item.id}/redeliver`, sibling.key)).status, 404)
  t.deepEqual(receiver.at('/two'), [])
})

test('a tenant key names the number; what it does not own is not found', async (t) => {
  const body = { url: receiver.endpoint('/named'), events: ['call.ended'] }
  const none = await service.api('POST', '/v1/webhooks', service.tenantKey, body)
  t.deepEqual([none.status, none.body.code], [400, 'NUMBER_REQUIRED'])
  const foreign = await service.api('POST', '/v1/webhooks', service.tenantKey, {
    ...body,
    channelNumberId: stranger.number.id,
  })
  t.deepEqual([foreign.status, foreign.body.code], [404, 'NUMBER_NOT_FOUND'])
  const mismatch = await service.api('POST', '/v1/webhooks', sibling.key, { ...body, channelNumberId: number.id })
  t.deepEqual([mismatch.status, mismatch.body.code], [400, 'NUMBER_MISMATCH'])
  const made = await service.api('POST', '/v1/webhooks', service.tenantKey, { ...body, channelNumberId: sibling.id })
  t.deepEqual([made.status, made.body.channelNumberIds], [201, [sibling.id]])
})

test("events of one number reach no other number's webhook", async (t) => {
  const paths = [
    ['/of-number', number],
    ['/of-sibling', sibling],
    ['/of-stranger', stranger.number],
  ] as const
  for (const [path, owner] of paths)
    await service.api('POST', '/v1/webhooks', owner.key, { url: receiver.endpoint(path), events: ['*'] })
  const call = await service.placeCall(number, '5511990000002')
  await service.placeCall(sibling, '5511990000002')
  await receiver.until('/of-number', 1, ({ event }) => event === 'call.ended')
  await receiver.until('/of-sibling', 1, ({ event }) => event === 'call.ended')
  t.deepEqual(receiver.at('/of-stranger'), [])
  t.false(receiver.at('/of-sibling').some(({ body }) => String(body).includes(call.id)))
  t.true(receiver.at('/of-number').some(({ body }) => String(body).includes(call.id)))
})
