import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import * as schema from '../../src/http/routes/webhooks/schema.ts'
import { isSecret } from '../../src/domain/webhook-secret.ts'
import { makeWebhook } from '../contracts/webhook-store.ts'
import { openSiblings, postWebhook } from './sibling-webhooks.ts'

const URL = 'https://receiver.example/hooks'
const UNKNOWN = 'wh_01kb0000000000000000000000'

// [webhooks.routes.1] [webhooks.routes.2] [webhooks.routes.3] [webhooks.object.2] [webhooks.object.3]
test('a number key makes a webhook for its number, and its secret is shown once', async (t) => {
  const { world, client, key } = await openSiblings(t)
  const { status, body } = await postWebhook(client, key, { name: ' CRM ' })
  t.is(status, 201)
  t.deepEqual(schema.createdWebhook.parse(body), body)
  t.like(body, {
    name: 'CRM',
    url: URL,
    active: true,
    events: ['*'],
    channelNumberIds: [world.number.id],
    lastTriggered: null,
    disabledReason: null,
  })
  t.regex(body.id, /^wh_[0-9a-z]{26}$/)
  t.is(Buffer.from(body.secret.slice('whsec_'.length), 'base64').length, 32)
  t.deepEqual(world.webhooks.secrets.get(body.id), [{ secret: body.secret, until: null }])
  const shown = schema.webhook.parse(body)
  for (const [method, path, sent] of [
    ['GET', `/${body.id}`, undefined],
    ['PATCH', `/${body.id}`, {}],
  ] as const) {
    t.deepEqual((await client.send(method, `/v1/webhooks${path}`, { key, body: sent })).body, shown)
  }
  t.deepEqual((await client.send('GET', '/v1/webhooks', { key })).body, [shown])
})

test('a webhook made twice with one Idempotency-Key is one webhook with one secret', async (t) => {
  const { world, client, key } = await openSiblings(t)
  const first = await postWebhook(client, key, {}, { 'idempotency-key': 'one' })
  const again = await postWebhook(client, key, {}, { 'idempotency-key': 'one' })
  t.deepEqual(again.body, first.body)
  t.is(again.headers.get('idempotency-replayed'), 'true')
  t.is(world.webhooks.rows.size, 1)
})

// [webhooks.routes.10] [webhooks.routes.11] [webhooks.object.1]
test('the number of a webhook is the one that key, body and header agree on', async (t) => {
  const { world, client, key, tenantKey, sibling } = await openSiblings(t)
  const own = world.number.id
  const other = sibling.number.id
  const foreign = world.foreignNumber.id
  const header = (id: string) => ({ 'x-channel-number-id': id })
  const cases: [string, object, Record<string, string>, number, string][] = [
    [key, {}, {}, 201, own],
    [key, { channelNumberId: own }, header(own), 201, own],
    [key, { channelNumberId: null }, {}, 201, own],
    [key, { channelNumberId: other }, {}, 400, 'NUMBER_MISMATCH'],
    [key, { channelNumberId: foreign }, {}, 400, 'NUMBER_MISMATCH'],
    [key, {}, header(other), 404, 'NUMBER_NOT_FOUND'],
    [tenantKey, { channelNumberId: own }, {}, 201, own],
    [tenantKey, {}, header(other), 201, other],
    [tenantKey, { channelNumberId: other }, header(other), 201, other],
    [tenantKey, { channelNumberId: own }, header(other), 400, 'NUMBER_MISMATCH'],
    [tenantKey, {}, {}, 400, 'NUMBER_REQUIRED'],
    [tenantKey, { channelNumberId: null }, {}, 400, 'NUMBER_REQUIRED'],
    [tenantKey, { channelNumberId: foreign }, {}, 404, 'NUMBER_NOT_FOUND'],
    [tenantKey, { channelNumberId: foreign }, header(own), 404, 'NUMBER_NOT_FOUND'],
    [tenantKey, { channelNumberId: 'x' }, {}, 404, 'NUMBER_NOT_FOUND'],
    [tenantKey, {}, header(foreign), 404, 'NUMBER_NOT_FOUND'],
  ]
  for (const [caller, body, headers, status, expected] of cases) {
    const title = JSON.stringify([caller === key ? 'number key' : 'tenant key', body, headers])
    const reply = await postWebhook(client, caller, body, headers)
    t.is(reply.status, status, title)
    t.is(status === 201 ? reply.body.channelNumberIds[0] : reply.body.code, expected, title)
  }
})

// [rest.order.1]
test('the number is settled before the rest of the body is looked at', async (t) => {
  const { client, key, tenantKey, sibling } = await openSiblings(t)
  const wrong = { url: 'nothing', events: 5 }
  t.is((await postWebhook(client, tenantKey, wrong)).body.code, 'NUMBER_REQUIRED')
  t.is((await postWebhook(client, key, { ...wrong, channelNumberId: sibling.number.id })).body.code, 'NUMBER_MISMATCH')
  const mistyped = await postWebhook(client, tenantKey, { channelNumberId: 5 })
  t.is(mistyped.status, 400)
  t.deepEqual(
    mistyped.body.details.map(({ path }: { path: string }) => path),
    ['channelNumberId'],
  )
})

const INVALID: Record<string, object> = {
  'no url': { url: undefined },
  'an ftp url': { url: 'ftp://receiver.example/' },
  'a script': { url: 'javascript:alert(1)' },
  'a path': { url: '/hooks' },
  'an endless url': { url: `https://receiver.example/${'x'.repeat(2_048)}` },
  'a name of nothing': { name: ' ' },
  'an endless name': { name: 'x'.repeat(121) },
  'events as text': { events: '*' },
  'a secret without whsec_': { secret: Buffer.alloc(32).toString('base64') },
  'a secret of 23 bytes': { secret: `whsec_${Buffer.alloc(23).toString('base64')}` },
  'a secret of 65 bytes': { secret: `whsec_${Buffer.alloc(65).toString('base64')}` },
  'a secret that is no base64': { secret: `whsec_${'!'.repeat(44)}` },
}
for (const [what, body] of Object.entries(INVALID)) {
  test(`a webhook with ${what} is refused without a code`, async (t) => {
    const { world, client, key } = await openSiblings(t)
    const reply = await postWebhook(client, key, body)
    t.is(reply.status, 400)
    t.is(reply.body.code, undefined)
    t.is(reply.body.details[0].path, Object.keys(body)[0])
    t.is(world.webhooks.rows.size, 0)
  })
}

test('a secret of the client is used, and shown in the first answer', async (t) => {
  const { world, client, key } = await openSiblings(t)
  for (const bytes of [24, 64]) {
    const secret = `whsec_${Buffer.alloc(bytes, 0xfb).toString('base64')}`
    const { status, body } = await postWebhook(client, key, { secret })
    t.is(status, 201)
    t.is(body.secret, secret)
    t.is(world.webhooks.secrets.get(body.id)?.[0]?.secret, secret)
  }
})

test('an address is stored and shown as browsers write it', async (t) => {
  const { world, client, key } = await openSiblings(t)
  const { status, body } = await postWebhook(client, key, { url: 'HTTPS://Example.COM:443/a b' })
  t.deepEqual([status, body.url], [201, 'https://example.com/a%20b'])
  t.is(world.webhooks.rows.get(body.id)?.url, 'https://example.com/a%20b')
  t.deepEqual(world.checkedUrls, ['https://example.com/a%20b'])
  const moved = await client.send('PATCH', `/v1/webhooks/${body.id}`, { key, body: { url: 'http://Other.example' } })
  t.is(moved.body.url, 'http://other.example/')
  const withPassword = 'https://user:pw@example.com/'
  world.urlFaults.set(withPassword, 'forbidden')
  const refused = await postWebhook(client, key, { url: withPassword })
  t.deepEqual(
    [refused.status, refused.body.details],
    [400, [{ path: 'url', message: 'must not contain a user name or password' }]],
  )
})

// [webhooks.object.4]
test('an address the guard refuses is refused when a webhook is made and when it is changed', async (t) => {
  const { world, client, key } = await openSiblings(t)
  const { body: webhook } = await postWebhook(client, key)
  t.deepEqual(world.checkedUrls, [URL])
  const inside = 'http://169.254.169.254/latest'
  const odd = 'http://[not-an-address]:x/'
  world.urlFaults.set(inside, 'forbidden').set(`${URL}/broken`, 'invalid')
  for (const [method, path] of [
    ['POST', ''],
    ['PATCH', `/${webhook.id}`],
  ] as const) {
    const forbidden = await client.send(method, `/v1/webhooks${path}`, { key, body: { url: inside } })
    t.is(forbidden.status, 400)
    t.is(forbidden.body.code, 'WEBHOOK_URL_FORBIDDEN')
    t.is(forbidden.body.details[0].path, 'url')
    const broken = await client.send(method, `/v1/webhooks${path}`, { key, body: { url: `${URL}/broken` } })
    t.deepEqual([broken.status, broken.body.code, broken.body.details[0].path], [400, undefined, 'url'])
    t.is((await client.send(method, `/v1/webhooks${path}`, { key, body: { url: odd } })).status, 400)
  }
  t.is(world.webhooks.rows.size, 1)
  t.is(world.webhooks.rows.get(webhook.id)?.url, URL)
})

// [webhooks.object.6]
test('an event that does not exist is INVALID_EVENT and named by its place', async (t) => {
  const { client, key } = await openSiblings(t)
  const { body: webhook } = await postWebhook(client, key)
  for (const [method, path] of [
    ['POST', ''],
    ['PATCH', `/${webhook.id}`],
  ] as const) {
    const { status, body } = await client.send(method, `/v1/webhooks${path}`, {
      key,
      body: { url: URL, events: ['call.ended', 'call.over', 'history'] },
    })
    t.is(status, 400)
    t.is(body.code, 'INVALID_EVENT')
    t.deepEqual(
      body.details.map((item: { path: string }) => item.path),
      ['events.1', 'events.2'],
    )
  }
})

// [webhooks.object.7] [leads.event.1]
test('events the kind of number cannot emit are dropped from the list', async (t) => {
  const { world, client, key, tenantKey } = await openSiblings(t)
  const asked = [
    '*',
    'call.ended',
    'call.ended',
    'messages',
    'message.reply',
    'lead.received',
    'call.permission_updated',
    'message.received',
  ]
  const unofficial = await postWebhook(client, key, { events: asked })
  t.deepEqual(unofficial.body.events, ['*', 'call.ended', 'lead.received', 'message.received'])
  const official = world.addNumber(world.tenantId, '5511955554444', { provider: 'OFFICIAL' })
  const native = await postWebhook(client, tenantKey, { events: asked, channelNumberId: official.number.id })
  t.deepEqual(native.body.events, [
    '*',
    'call.ended',
    'messages',
    'message.reply',
    'lead.received',
    'call.permission_updated',
  ])
  const patched = await client.send('PATCH', `/v1/webhooks/${native.body.id}`, {
    key: tenantKey,
    body: { events: ['message.received', 'flows'] },
  })
  t.deepEqual(patched.body.events, ['flows'])
})

test('no events, an empty list and null are one: nothing is subscribed', async (t) => {
  const { client, key } = await openSiblings(t)
  for (const events of [undefined, [], null]) t.deepEqual((await postWebhook(client, key, { events })).body.events, [])
})

test('a number has 20 webhooks at most, another number its own 20', async (t) => {
  const { world, client, key, sibling } = await openSiblings(t)
  for (let i = 0; i < 20; i++) t.is((await postWebhook(client, key)).status, 201)
  const { status, body } = await postWebhook(client, key)
  t.deepEqual([status, body.code], [409, 'WEBHOOK_LIMIT_EXCEEDED'])
  t.is((await postWebhook(client, sibling.key.raw)).status, 201)
  t.is(world.webhooks.rows.size, 21)
})

// [webhooks.routes.2]
test('a number key lists the webhooks of its number, a tenant key those of all or of the one it names', async (t) => {
  const { world, client, key, tenantKey, sibling } = await openSiblings(t)
  const own = (await postWebhook(client, key)).body.id
  const other = (await postWebhook(client, sibling.key.raw)).body.id
  await postWebhook(client, world.foreignKey.raw)
  const ids = async (caller: string, headers: Record<string, string> = {}) => {
    const { body } = await client.send('GET', '/v1/webhooks', { key: caller, headers })
    return body.map(({ id }: { id: string }) => id)
  }
  t.deepEqual(await ids(key), [own])
  t.deepEqual(await ids(tenantKey), [own, other])
  t.deepEqual(await ids(tenantKey, { 'x-channel-number-id': sibling.number.id }), [other])
})

const ON_ONE: [string, string, object?][] = [
  ['GET', ''],
  ['PATCH', '', { url: 'nothing' }],
  ['DELETE', ''],
  ['POST', '/test'],
  ['POST', '/secret'],
  ['GET', '/logs'],
  ['POST', '/logs/LOG/redeliver'],
]
// [webhooks.routes.12]
for (const [method, end, body] of ON_ONE) {
  test(`${method} /v1/webhooks/{id}${end} answers 404 for every webhook the key may not see`, async (t) => {
    const { world, client, key, tenantKey, sibling } = await openSiblings(t)
    const webhooks = await Promise.all(
      [sibling.number, world.foreignNumber].map(({ tenantId, id }) =>
        makeWebhook(world.webhooks, { tenantId, numberId: id, name: null, url: URL, events: [], secret: 'whsec_' }),
      ),
    )
    const [other, foreign] = webhooks.map((webhook) => ({ id: webhook.id, log: world.webhooks.addLog(webhook).id }))
    const header = { 'x-channel-number-id': world.number.id }
    const cases = [
      [key, other, {}],
      [key, foreign, {}],
      [tenantKey, foreign, {}],
      [tenantKey, other, header],
      [tenantKey, { id: UNKNOWN, log: newId('log') }, {}],
      [tenantKey, { id: 'wh_x', log: 'x' }, {}],
    ] as const
    for (const [caller, target, headers] of cases) {
      const path = `/v1/webhooks/${target?.id}${end.replace('LOG', target?.log ?? '')}`
      const valid = body && { url: URL }
      const reply = await client.send(method, path, { key: caller, headers, ...(valid ? { body: valid } : {}) })
      t.deepEqual([reply.status, reply.body.code], [404, 'WEBHOOK_NOT_FOUND'], path)
    }
    t.is(world.webhooks.rows.size, 2)
    t.deepEqual([world.deliveries.tested, world.deliveries.redelivered], [[], []])
    t.true([...world.webhooks.secrets.values()].every((secrets) => secrets.length === 1))
  })
}

// [webhooks.routes.4]
test('PATCH changes what it names and leaves the rest', async (t) => {
  const { world, client, key } = await openSiblings(t)
  const { body: webhook } = await postWebhook(client, key, { name: 'CRM' })
  const path = `/v1/webhooks/${webhook.id}`
  const paused = await client.send('PATCH', path, { key, body: { active: false } })
  t.like(paused.body, { active: false, name: 'CRM', url: URL, events: ['*'] })
  const moved = await client.send('PATCH', path, { key, body: { url: `${URL}/2`, name: null, events: [] } })
  t.like(moved.body, { active: false, name: null, url: `${URL}/2`, events: [] })
  world.webhooks.put({ ...world.webhooks.rows.get(webhook.id)!, disabledReason: 'GONE' })
  t.is((await client.send('GET', path, { key })).body.disabledReason, 'GONE')
  t.like((await client.send('PATCH', path, { key, body: { active: true } })).body, {
    active: true,
    disabledReason: null,
  })
  for (const body of [{ active: 'yes' }, { url: null }, { events: null }, { name: '' }])
    t.is((await client.send('PATCH', path, { key, body })).status, 400, JSON.stringify(body))
})

// [webhooks.routes.5]
test('a removed webhook is gone at once', async (t) => {
  const { client, key } = await openSiblings(t)
  const { body } = await postWebhook(client, key)
  const path = `/v1/webhooks/${body.id}`
  t.deepEqual((await client.send('DELETE', path, { key })).body, { deleted: true, id: body.id })
  for (const method of ['GET', 'DELETE'])
    t.is((await client.send(method, path, { key })).body.code, 'WEBHOOK_NOT_FOUND')
  t.deepEqual((await client.send('GET', '/v1/webhooks', { key })).body, [])
})

// [webhooks.routes.7]
test('rotation answers a new secret and until when the one before signs too', async (t) => {
  const { world, client, key } = await openSiblings(t)
  const { body: webhook } = await postWebhook(client, key)
  const { status, body } = await client.send('POST', `/v1/webhooks/${webhook.id}/secret`, { key })
  t.is(status, 200)
  const until = new Date(world.clock.now() + 24 * 3_600_000)
  t.deepEqual(body, { id: webhook.id, secret: body.secret, previousSecretExpiresAt: until.toISOString() })
  t.true(isSecret(body.secret))
  t.not(body.secret, webhook.secret)
  t.deepEqual(world.webhooks.secrets.get(webhook.id), [
    { secret: body.secret, until: null },
    { secret: webhook.secret, until },
  ])
})

// [events.subscription.6]
test('the device of a number that is paired or pairing is asked for stories exactly while a webhook wants them', async (t) => {
  const { world, client } = await openSiblings(t)
  world.directory.script = { ApplySettings: () => new Promise(() => {}) }
  const asked = () => world.directory.asked.splice(0)
  const send = async (method: string, path: string, body?: unknown) =>
    (await client.send(method, path, { key: world.numberKey.raw, body })).body
  const applied = [{ type: 'ApplySettings', fields: { settings: world.number.settings } }]
  const { id } = await send('POST', '/v1/webhooks', { url: 'https://a.example/', events: ['call.ended'] })
  t.deepEqual(asked(), [], 'nothing about stories changed')
  const path = `/v1/webhooks/${id}`
  for (const change of [
    { events: ['message.stories'] },
    { active: false },
    { active: true },
    { events: ['message.received'] },
    { events: ['*'] },
  ]) {
    await send('PATCH', path, change)
    t.deepEqual(asked(), applied as never, JSON.stringify(change))
  }
  await send('PATCH', path, { name: 'Other', events: ['*', 'call.ended'] })
  t.deepEqual(asked(), [])
  await send('DELETE', path)
  t.deepEqual(asked(), applied as never)
  world.numbers.put({ id: world.number.id, isPaired: false, state: 'CONNECTING' })
  await send('POST', '/v1/webhooks', { url: 'https://c.example/', events: ['*'] })
  t.deepEqual(asked(), applied as never, 'its session has begun: it reads nothing more when the code is scanned')
  world.numbers.put({ id: world.number.id, state: 'CLOSE' })
  await send('POST', '/v1/webhooks', { url: 'https://a.example/', events: ['*'] })
  world.numbers.put({ id: world.number.id, isPaired: true, provider: 'OFFICIAL' })
  await send('POST', '/v1/webhooks', { url: 'https://b.example/', events: ['*'] })
  t.deepEqual(asked(), [], 'a number without a session reads it when it connects; OFFICIAL has no stories')
})
