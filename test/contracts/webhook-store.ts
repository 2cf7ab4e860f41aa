import type { TestFn } from 'ava'
import { newId } from '../../src/domain/ids.ts'
import type { Webhook } from '../../src/domain/webhook.ts'
import type { NewWebhook, WebhookScope, WebhookStore } from '../../src/ports/stores/webhook-store.ts'
import { newNumber, ownedNumber, type MakeWorld, type Owned } from './world.ts'

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

export function newWebhook(owned: Pick<Owned, 'tenantId' | 'number'>, fields: Partial<NewWebhook> = {}): NewWebhook {
  return {
    tenantId: owned.tenantId,
    numberId: owned.number.id,
    name: 'Orders',
    url: 'https://shop.example/hook',
    events: ['*'],
    secret: SECRET,
    ...fields,
  }
}

/** Adds a webhook to a number, without a limit. */
export async function makeWebhook(webhooks: Pick<WebhookStore, 'create'>, webhook: NewWebhook): Promise<Webhook> {
  const made = await webhooks.create(webhook, Infinity)
  if (!made) throw new Error('there is always room for one more')
  return made
}

const PAGE = { limit: 50, event: null, status: null, before: null }

/** What every WebhookStore does. */
export function webhookStoreSuite(test: TestFn, name: string, makeWorld: MakeWorld): void {
  test(`${name}: a webhook is read back as it was made and changed`, async (t) => {
    const world = makeWorld()
    const { webhooks } = world.stores
    const owned = await ownedNumber(world)
    const scope = { tenantId: owned.tenantId, numberId: null }
    const made = await makeWebhook(webhooks, newWebhook(owned, { events: ['call.ended', 'messages'] }))
    t.like(made, {
      numberId: owned.number.id,
      name: 'Orders',
      url: 'https://shop.example/hook',
      active: true,
      lastTriggered: null,
      disabledReason: null,
    })
    t.deepEqual(made.events, ['call.ended', 'messages'])
    t.deepEqual(await webhooks.find(scope, made.id), made)
    world.clock.advance(1000)
    const patched = await webhooks.patch(scope, made.id, {
      name: null,
      events: [],
      active: false,
      url: 'https://shop.example/new',
    })
    t.deepEqual(patched, {
      ...made,
      name: null,
      events: [],
      active: false,
      url: 'https://shop.example/new',
      updatedAt: new Date(world.clock.now()),
    })
    t.deepEqual(await webhooks.list(scope), patched ? [patched] : [])
    t.true(await webhooks.remove(scope, made.id))
    t.false(await webhooks.remove(scope, made.id))
    t.deepEqual(await webhooks.list(scope), [])
  })

  test(`${name}: of many webhooks made at once a number has as many as it may (security case 13)`, async (t) => {
    const world = makeWorld()
    const { webhooks } = world.stores
    const [owned, other] = [await ownedNumber(world), await ownedNumber(world)]
    for (let count = 0; count < 19; count++) await makeWebhook(webhooks, newWebhook(owned))
    const made = await Promise.all(Array.from({ length: 30 }, () => webhooks.create(newWebhook(owned), 20)))
    t.is(made.filter(Boolean).length, 1)
    const [first, ...others] = await webhooks.list({ tenantId: owned.tenantId, numberId: owned.number.id })
    t.is(others.length, 19)
    t.truthy(await webhooks.create(newWebhook(other), 20), 'another number counts its own')
    if (first) await webhooks.remove({ tenantId: owned.tenantId, numberId: null }, first.id)
    t.truthy(await webhooks.create(newWebhook(owned), 20), 'one that is gone counts no more')
  })

  test(`${name}: webhooks of another tenant, another number or nobody are invisible to everything`, async (t) => {
    const world = makeWorld()
    const { webhooks } = world.stores
    const [own, other] = [await ownedNumber(world), await ownedNumber(world)]
    const sibling = await world.stores.numbers.create(newNumber(own.tenantId))
    if (!sibling.ok) throw new Error('the second number could not be made')
    const made = await makeWebhook(webhooks, newWebhook(own))
    const strangers: WebhookScope[] = [
      { tenantId: other.tenantId, numberId: null },
      { tenantId: other.tenantId, numberId: other.number.id },
      { tenantId: other.tenantId, numberId: own.number.id },
      { tenantId: own.tenantId, numberId: sibling.value.number.id },
    ]
    for (const scope of strangers) {
      t.deepEqual(await webhooks.list(scope), [])
      t.is(await webhooks.find(scope, made.id), null)
      t.is(await webhooks.patch(scope, made.id, { active: false }), null)
      t.false(await webhooks.rotateSecret(scope, made.id, SECRET, new Date()))
      t.is(await webhooks.logs(scope, made.id, PAGE), null)
      t.is(await webhooks.loggedEvent(scope, made.id, newId('log')), null)
      t.false(await webhooks.remove(scope, made.id))
    }
    const ownScope = { tenantId: own.tenantId, numberId: own.number.id }
    t.is(await webhooks.find(ownScope, newId('wh')), null)
    t.is(await webhooks.find(ownScope, 'wh_\0'), null)
    t.deepEqual(await webhooks.find(ownScope, made.id), made)
    t.deepEqual(await webhooks.logs(ownScope, made.id, PAGE), [])
    await t.throwsAsync(makeWebhook(webhooks, newWebhook(own, { tenantId: other.tenantId })), {
      message: /does not exist/,
    })
  })

  test(`${name}: a removed number takes its webhooks out of sight`, async (t) => {
    const world = makeWorld()
    const { webhooks, numbers } = world.stores
    const owned = await ownedNumber(world)
    const scope = { tenantId: owned.tenantId, numberId: null }
    const made = await makeWebhook(webhooks, newWebhook(owned))
    t.true(await numbers.remove(owned.tenantId, owned.number.id))
    t.deepEqual(await webhooks.list(scope), [])
    t.is(await webhooks.find(scope, made.id), null)
    t.is(await webhooks.patch(scope, made.id, { active: true }), null)
    t.is(await webhooks.logs(scope, made.id, PAGE), null)
    t.false(await webhooks.remove(scope, made.id))
  })
}
