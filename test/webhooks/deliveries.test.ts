import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import type { Webhook } from '../../src/domain/webhook.ts'
import type { DeliveryTarget } from '../../src/ports/stores/delivery-store.ts'
import { silentLog } from '../helpers/silent.ts'
import { createDeliveries } from '../../src/webhooks/test.ts'
import { Rig } from './rig.ts'

function open(answer: number = 200) {
  const rig = new Rig()
  rig.behaviour = () => answer
  const deliveries = createDeliveries({
    deliveries: rig.store,
    fetchUrl: rig.fetchUrl,
    clock: rig.clock,
    log: silentLog,
    queued: () => rig.dispatcher.wakeQueue(),
  })
  return { rig, deliveries }
}

function webhookOf({ webhookId, tenantId, numberId, url }: DeliveryTarget): Webhook {
  const now = new Date()
  return {
    id: webhookId,
    tenantId,
    numberId,
    name: null,
    url,
    active: true,
    events: [],
    lastTriggered: null,
    disabledReason: null,
    createdAt: now,
    updatedAt: now,
  }
}

// [webhooks.routes.6]
test('a test sends webhook.test whatever the subscription, answers the attempt and logs it', async (t) => {
  const { rig, deliveries } = open(503)
  const target = rig.store.addWebhook('https://good.example/', { events: [] })
  const log = await deliveries.test(webhookOf(target))
  t.like(log, { webhookId: target.webhookId, event: 'webhook.test', attempt: 1, status: 'FAILED', statusCode: 503 })
  t.deepEqual(rig.store.logs, [log])
  t.deepEqual(rig.store.open, [], 'never retried')
  const [post] = rig.posts
  t.is(post?.headers['x-channel-event'], 'webhook.test')
  const body = JSON.parse(post?.body.toString() ?? '') as {
    id: string
    event: string
    channelNumberId: string
    data: { message: string }
  }
  t.like(body, { id: log.eventId, event: 'webhook.test', channelNumberId: target.numberId })
  t.is(typeof body.data.message, 'string')
})

test('a webhook that is switched off can be tested', async (t) => {
  const { rig, deliveries } = open()
  const target = rig.store.addWebhook('https://good.example/')
  Object.assign(rig.store.webhooks.get(target.webhookId) ?? {}, { active: false })
  t.like(await deliveries.test(webhookOf(target)), { status: 'SUCCESS', statusCode: 200 })
})

// [webhooks.retries.4]
test('a test answered with 410 switches the webhook off', async (t) => {
  const { rig, deliveries } = open(410)
  const target = rig.store.addWebhook('https://good.example/')
  await deliveries.test(webhookOf(target))
  t.is(rig.store.webhooks.get(target.webhookId)?.disabledReason, 'GONE')
})

test('a webhook removed meanwhile is sent nothing', async (t) => {
  const { rig, deliveries } = open()
  const target = rig.store.addWebhook('https://good.example/')
  rig.store.webhooks.delete(target.webhookId)
  t.like(await deliveries.test(webhookOf(target)), { status: 'FAILED', statusCode: 0 })
  t.is(rig.posts.length, 0)
})

// [webhooks.routes.9] [webhooks.delivery.3]
test('a redelivery goes out with the same id as the first time', async (t) => {
  const { rig, deliveries } = open()
  const target = rig.store.addWebhook('https://good.example/')
  const event = rig.store.addEvent(target)
  await rig.started()
  await rig.pass(100)
  t.deepEqual(await deliveries.redeliver(webhookOf(target), event.id), { ok: true, value: null })
  await rig.pass(50)
  t.deepEqual(
    rig.posts.map(({ headers }) => headers['webhook-id']),
    [event.id, event.id],
  )
  t.deepEqual(
    rig.posts.map(({ headers }) => headers['x-webhook-attempt']),
    ['1', '1'],
  )
  await rig.stopped()
})

test('a test can be sent again from its log, under the same id', async (t) => {
  const { rig, deliveries } = open()
  const target = rig.store.addWebhook('https://good.example/')
  const log = await deliveries.test(webhookOf(target))
  await rig.started()
  t.deepEqual(await deliveries.redeliver(webhookOf(target), log.eventId), { ok: true, value: null })
  await rig.pass(50)
  t.deepEqual(
    rig.posts.map(({ headers }) => headers['webhook-id']),
    [log.eventId, log.eventId],
  )
  await rig.stopped()
})

test('an event that is no longer kept cannot be sent again, nor one to a webhook that is switched off', async (t) => {
  const { rig, deliveries } = open()
  const target = rig.store.addWebhook('https://good.example/')
  const event = rig.store.addEvent(target)
  t.like(await deliveries.redeliver(webhookOf(target), newId('evt')), { ok: false, error: { code: 'NOT_FOUND' } })
  t.like(await deliveries.redeliver({ ...webhookOf(target), active: false }, event.id), {
    ok: false,
    error: { code: 'VALIDATION' },
  })
  t.deepEqual(rig.store.open, [])
})
