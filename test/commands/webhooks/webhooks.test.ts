import test from 'ava'
import { MAX_WEBHOOKS } from '../../../src/commands/webhooks/create.ts'
import type { WebhookChanges } from '../../../src/commands/webhooks/patch.ts'
import { createWebhooks } from '../../../src/commands/webhooks/webhooks.ts'
import { succeed } from '../../../src/domain/errors.ts'
import { newId } from '../../../src/domain/ids.ts'
import { isSecret } from '../../../src/domain/webhook-secret.ts'
import { World } from '../../helpers/world.ts'
import { silentLog } from '../../helpers/silent.ts'
import { codeOf, valueOf } from '../outcomes.ts'

const URL = 'https://example.com/hooks'

function open() {
  const world = new World()
  const applied: string[] = []
  const ports = {
    numbers: world.numbers,
    webhooks: world.webhooks,
    deliveries: world.deliveries,
    clock: world.clock,
    log: silentLog,
    checkUrl: async (url: string) => world.urlFaults.get(url) ?? null,
    askApplySettings: async (id: string) => {
      applied.push(id)
      return succeed(null)
    },
  }
  const webhooks = createWebhooks(ports)
  const scope = { tenantId: world.tenantId, numberId: world.number.id }
  const create = (events: readonly string[] = ['*'], number = world.number) =>
    webhooks.create({ number, name: null, url: URL, events, secret: null })
  return {
    world,
    ports,
    webhooks,
    scope,
    create,
    applied,
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

test('a new webhook gets a secret and lists each event once, and a number has only so many webhooks', async (t) => {
  const { world, create } = open()
  const { webhook, secret } = valueOf(await create(['call.ended', 'call.ended']))
  t.deepEqual(webhook.events, ['call.ended'])
  t.true(isSecret(secret))
  t.is(codeOf(await create(['no.event'])), 'INVALID_EVENT')
  world.urlFaults.set(URL, 'forbidden')
  t.is(codeOf(await create()), 'WEBHOOK_URL_FORBIDDEN')
  world.urlFaults.set(URL, 'invalid')
  t.is(codeOf(await create()), 'VALIDATION')
  world.urlFaults.clear()
  for (let count = 1; count < MAX_WEBHOOKS; count++) await create()
  t.is(codeOf(await create()), 'WEBHOOK_LIMIT_EXCEEDED')
})

test('a session hears when the wish for stories changes, and only then', async (t) => {
  const { world, webhooks, scope, create, applied, settled } = open()
  const { webhook } = valueOf(await create(['message.stories']))
  await settled()
  t.is(applied.length, 1)
  await webhooks.patch({ scope, id: webhook.id, changes: { name: 'New' } })
  await settled()
  t.is(applied.length, 1)
  await webhooks.patch({ scope, id: webhook.id, changes: { active: false } })
  await settled()
  t.is(applied.length, 2)
  t.is(valueOf(await webhooks.remove({ scope, id: webhook.id })), webhook.id)
  world.numbers.put({ id: world.number.id, state: 'CLOSE', isPaired: false })
  await create(['message.stories'])
  await settled()
  t.is(applied.length, 2, 'a number without a session reads the wish when it connects')
})

test('a patch changes what is given', async (t) => {
  const { world, webhooks, scope, create } = open()
  const { webhook } = valueOf(await create())
  const patch = (changes: WebhookChanges, id: string = webhook.id) => webhooks.patch({ scope, id, changes })
  t.like(valueOf(await patch({ events: ['call.ended'], name: 'CRM' })), {
    events: ['call.ended'],
    name: 'CRM',
    url: URL,
  })
  t.like(valueOf(await patch({})), { name: 'CRM' })
  t.is(codeOf(await patch({ events: ['no.event'] })), 'INVALID_EVENT')
  world.urlFaults.set('http://10.0.0.1', 'forbidden')
  t.is(codeOf(await patch({ url: 'http://10.0.0.1' })), 'WEBHOOK_URL_FORBIDDEN')
  t.is(codeOf(await patch({}, 'wh_x')), 'WEBHOOK_NOT_FOUND')
})

test('no command finds a webhook of another tenant or number', async (t) => {
  const { world, webhooks, create } = open()
  const { id } = valueOf(await create()).webhook
  const scope = { tenantId: world.otherTenantId, numberId: null }
  t.is(codeOf(await webhooks.patch({ scope, id, changes: { name: 'x' } })), 'WEBHOOK_NOT_FOUND')
  t.is(codeOf(await webhooks.remove({ scope, id })), 'WEBHOOK_NOT_FOUND')
  t.is(codeOf(await webhooks.rotateSecret({ scope, id })), 'WEBHOOK_NOT_FOUND')
  t.is(codeOf(await webhooks.redeliver({ scope, id, logId: newId('log') })), 'WEBHOOK_NOT_FOUND')
})

test('both secrets sign for a day after a rotation', async (t) => {
  const { world, webhooks, scope, create } = open()
  const { webhook, secret } = valueOf(await create())
  const rotated = valueOf(await webhooks.rotateSecret({ scope, id: webhook.id }))
  t.not(rotated.secret, secret)
  t.is(rotated.previousUntil.getTime() - world.clock.now(), 24 * 3_600_000)
})

test('only a logged event is delivered again, and only while the webhook is active', async (t) => {
  const { ports, webhooks, scope, create } = open()
  const { id } = valueOf(await create()).webhook
  t.is(codeOf(await webhooks.redeliver({ scope, id, logId: 'log_x' })), 'NOT_FOUND')
  t.is(codeOf(await webhooks.redeliver({ scope, id, logId: newId('log') })), 'NOT_FOUND')
  const eventId = newId('evt')
  ports.webhooks.loggedEvent = async () => eventId
  const logId = newId('log')
  t.deepEqual(valueOf(await webhooks.redeliver({ scope, id, logId })), { webhookId: id, logId, eventId })
  await webhooks.patch({ scope, id, changes: { active: false } })
  t.is(codeOf(await webhooks.redeliver({ scope, id, logId })), 'WEBHOOK_INACTIVE')
})
