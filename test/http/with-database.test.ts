import test from 'ava'
import { MOVE_ANSWERS } from '../../migrations/0006-owned-answers.ts'
import type { ExecutionContext } from 'ava'
import { createHash, randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { openStores } from '../../src/storage/stores.ts'
import * as messages from '../../src/http/routes/messages/schema.ts'
import * as schema from '../../src/http/routes/webhooks/schema.ts'
import { ANY_LETTER } from '../helpers/any-letter.ts'
import { BUILT_PAGES } from '../helpers/built-pages.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { serve } from '../helpers/http-app.ts'
import { noMetrics } from '../helpers/silent.ts'
import { World } from '../helpers/world.ts'
import { succeed } from '../../src/domain/errors.ts'
import { createSessions } from '../../src/commands/sessions/sessions.ts'
import { LOGIN_WINDOW_MS } from '../../src/domain/user.ts'
import { ScryptPasswords } from '../../src/process/passwords.ts'

const database = sharedDatabase(test, openTestDatabase)

/** The application over the real stores, with a new tenant. */
async function open(t: ExecutionContext) {
  const world = new World()
  const cipher = new AesCipher(randomBytes(32))
  const stores = openStores({ database: database(), cipher, clock: world.clock })
  const { key } = await stores.tenants.create('Acme')
  const client = await serve(t, world, {
    numbers: stores.numbers,
    keys: stores.keys,
    calls: stores.calls,
    pairing: stores.pairing,
    idempotency: stores.idempotency,
    webhooks: stores.webhooks,
    messages: stores.messages,
    embedSessions: stores.embedSessions,
    branding: stores.branding,
    builtAssets: BUILT_PAGES,
  })
  return { world, client, cipher, key, body: { name: 'Desk', number: '5511900001111' } }
}

test('a number lives from creation to removal', async (t) => {
  const { world, client, key, body } = await open(t)
  const created = await client.send('POST', '/v1/numbers', { key, body: { ...body, settings: { rejectCall: true } } })
  t.is(created.status, 201)
  t.is((await client.send('POST', '/v1/numbers', { key, body })).body.code, 'NUMBER_ALREADY_EXISTS')
  const path = `/v1/numbers/${created.body.id}`
  const patched = await client.send('PATCH', path, {
    key,
    body: { settings: { rejectCall: null, readMessages: true }, piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 },
  })
  t.deepEqual(
    [patched.body.settings.rejectCall, patched.body.settings.readMessages, patched.body.piiRetentionDays],
    [null, true, 7],
  )
  t.deepEqual((await client.send('GET', '/v1/numbers', { key })).body, [patched.body])
  t.is((await client.send('GET', '/v1/subscription', { key })).body.usedNumbers, 1)
  t.deepEqual((await client.send('GET', '/v1/calls', { key: created.body.apiKey.key })).body, { calls: [] })
  world.directory.script = { Remove: () => succeed(null) }
  t.is((await client.send('DELETE', path, { key })).status, 200)
  t.is((await client.send('GET', '/v1/status', { key: created.body.apiKey.key })).status, 401)
  t.deepEqual((await client.send('GET', '/v1/numbers', { key })).body, [])
})

test('keys are shown, replaced and refused', async (t) => {
  const { client, key, body } = await open(t)
  const created = await client.send('POST', '/v1/numbers', { key, body })
  const [item] = (await client.send('GET', '/v1/api-keys', { key })).body
  t.is(item.key, created.body.apiKey.key)
  t.is(item.keyId, created.body.apiKey.keyId)
  t.is((await client.send('GET', '/v1/status', { headers: { 'x-api-key-id': item.keyId } })).status, 200)
  const replaced = await client.send('POST', '/v1/api-keys', { key, body: { channelNumberId: created.body.id } })
  t.is((await client.send('GET', '/v1/status', { key: item.key })).status, 401)
  t.is((await client.send('GET', '/v1/status', { headers: { 'x-api-key-id': item.keyId } })).status, 401)
  const own = await client.send('POST', '/v1/api-keys/regenerate', { key: replaced.body.key })
  t.is(own.body.channelNumberId, created.body.id)
  t.is((await client.send('GET', '/v1/status', { key: own.body.key })).status, 200)
})

test('a first answer that was kept for a key id moves to the number, and is replayed after the key was rotated too', async (t) => {
  const { world, client, cipher, key, body } = await open(t)
  const { apiKey, id } = (await client.send('POST', '/v1/numbers', { key, body })).body
  const sent = JSON.stringify({ to: '5511999990001' })
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  const first = '{"id":"call_01kb0000000000000000000000","externalCallId":"e","status":"INITIATED"}'
  // The SQL is spelled out because rows of an older version must stay readable for a day after an upgrade.
  await database().query(
    'insert into idempotent_requests (key_id_hash, key, fingerprint, claimed_at, status, sealed_body) values ($1, $2, $3, $4::timestamptz, 201, $5)',
    [
      digest(apiKey.keyId),
      'order-7',
      digest(`POST /v1/calls\n${sent}`),
      new Date(world.clock.now()).toISOString(),
      cipher.seal(first, `idempotent-answer:${digest(apiKey.keyId)}:order-7`),
    ],
  )
  await database().query(MOVE_ANSWERS)
  const rotated = await client.send('POST', '/v1/api-keys', { key, body: { channelNumberId: id } })
  const again = await client.send('POST', '/v1/calls', {
    key: rotated.body.key,
    body: sent,
    headers: { 'idempotency-key': 'order-7', 'content-type': 'application/json' },
  })
  t.deepEqual([again.status, again.text, again.headers.get('idempotency-replayed')], [201, first, 'true'])
  t.false(world.directory.asked.some(({ type }) => type === 'PlaceCall'))
})

test('a number key rotated between two sends with one Idempotency-Key sends one message', async (t) => {
  const { client, key, body } = await open(t)
  const { apiKey, id } = (await client.send('POST', '/v1/numbers', { key, body })).body
  const send = (as: string) =>
    client.send('POST', '/v1/messages/send', {
      key: as,
      body: { destinationNumber: '5511999990001', text: 'once' },
      headers: { 'idempotency-key': 'k' },
    })
  const first = await send(apiKey.key)
  const rotated = (await client.send('POST', '/v1/api-keys', { key, body: { channelNumberId: id } })).body
  const again = await send(rotated.key)
  t.deepEqual([again.status, again.text, again.headers.get('idempotency-replayed')], [202, first.text, 'true'])
  t.is((await client.send('GET', '/v1/messages/history?direction=OUTBOUND', { key: rotated.key })).body.total, 1)
})

// [branding.routes.6] [pairing.create.4] [pairing.create.7]
test('a link is followed, revoked by a newer one, and an answer is replayed with its secrets', async (t) => {
  const { client, key, body } = await open(t)
  const make = (idempotencyKey: string) =>
    client.send('POST', '/v1/numbers/remote-pairing', {
      key,
      body: { ...body, branding: { companyName: 'Acme', button: { label: 'Go' } } },
      headers: { 'idempotency-key': idempotencyKey },
    })
  const first = await make('a')
  t.is((await make('a')).body.remotePairingToken, first.body.remotePairingToken)
  const view = await client.send('GET', `/v1/remote-pairing/${first.body.remotePairingToken}`)
  t.is(view.body.branding.companyName, 'Acme')
  t.deepEqual(view.body.branding.button, { label: 'Go' })
  const second = await make('b')
  t.is((await client.send('GET', `/v1/remote-pairing/${first.body.remotePairingToken}`)).status, 404)
  t.is((await client.send('GET', `/v1/remote-pairing/${second.body.remotePairingToken}/status`)).body.state, 'CLOSE')
})

test('one of many links made at once for a new number wins, and none fails', async (t) => {
  const { client, key, body } = await open(t)
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => client.send('POST', '/v1/numbers/remote-pairing', { key, body })),
  )
  t.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  t.is(new Set(replies.map((reply) => reply.body.numberId)).size, 1)
  const views = await Promise.all(
    replies.map((reply) => client.send('GET', `/v1/remote-pairing/${reply.body.remotePairingToken}`)),
  )
  t.is(views.filter(({ status }) => status === 200).length, 1)
})

test('a webhook lives from creation to removal, seen by its number and its tenant alone', async (t) => {
  const { client, key, body } = await open(t)
  const [one, two] = await Promise.all(
    [body, { ...body, number: '5511900002222' }].map(
      async (number) => (await client.send('POST', '/v1/numbers', { key, body: number })).body,
    ),
  )
  const other = await open(t)
  const made = await client.send('POST', '/v1/webhooks', {
    key,
    body: {
      url: 'https://receiver.example/',
      name: 'CRM',
      events: ['*', 'messages', 'call.ended'],
      channelNumberId: one.id,
    },
  })
  t.is(made.status, 201)
  const webhook = schema.webhook.parse(made.body)
  t.deepEqual(webhook.events, ['*', 'call.ended'])
  const path = `/v1/webhooks/${webhook.id}`
  for (const caller of [key, one.apiKey.key])
    t.deepEqual((await client.send('GET', path, { key: caller })).body, webhook)
  const outsiders = [
    [client, two.apiKey.key, {}],
    [other.client, other.key, {}],
    [client, key, { 'x-channel-number-id': two.id }],
  ] as const
  for (const [by, caller, headers] of outsiders) {
    t.is((await by.send('GET', path, { key: caller, headers })).body.code, 'WEBHOOK_NOT_FOUND')
    t.deepEqual((await by.send('GET', '/v1/webhooks', { key: caller, headers })).body, [])
    t.is((await by.send('DELETE', path, { key: caller, headers })).status, 404)
  }
  t.like((await client.send('PATCH', path, { key, body: { name: null, active: false, events: [] } })).body, {
    id: webhook.id,
    name: null,
    active: false,
    events: [],
  })
  const rotated = await client.send('POST', `${path}/secret`, { key: one.apiKey.key })
  t.deepEqual([rotated.status, rotated.body.id], [200, webhook.id])
  t.not(rotated.body.secret, made.body.secret)
  t.deepEqual((await client.send('GET', `${path}/logs?event=call.ended`, { key })).body, {
    webhookId: webhook.id,
    logs: [],
  })
  t.is((await client.send('POST', `${path}/logs/log_01kb0000000000000000000000/redeliver`, { key })).status, 404)
  t.deepEqual((await client.send('DELETE', path, { key })).body, { deleted: true, id: webhook.id })
  t.is((await client.send('GET', path, { key })).status, 404)
})

test('a message is sent once however often it is asked for with one key, and read by all of its ids', async (t) => {
  const { world, client, key, body } = await open(t)
  const { body: number } = await client.send('POST', '/v1/numbers', { key, body })
  const as = (method: string, path: string, sent?: unknown, headers: Record<string, string> = {}) =>
    client.send(method, path, { key: number.apiKey.key, body: sent, headers })
  const message = { destinationNumber: '+55 11 99999-0001', text: 'Hello 👋', correlationId: 'order 1' }
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => as('POST', '/v1/messages/send', message, { 'idempotency-key': 'k' })),
  )
  t.deepEqual(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size, 1)
  t.is(replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length, 7)
  const [first] = replies
  t.like(first?.body, { status: 'QUEUED', correlationId: 'order 1', sourceNumber: '5511900001111' })
  t.is(world.directory.queued.length, 1)
  const reused = await as('POST', '/v1/messages/send', { ...message, text: 'Other' }, { 'idempotency-key': 'k' })
  t.is(reused.body.code, 'IDEMPOTENCY_KEY_REUSED')
  const refused = () => as('POST', '/v1/messages/send', { destinationNumber: 'x' }, { 'idempotency-key': 'refused' })
  t.is((await refused()).text, (await refused()).text)
  for (const id of [first?.body.id, 'order 1'])
    t.like((await as('GET', `/v1/messages/${encodeURIComponent(id)}`)).body, {
      id: first?.body.id,
      status: 'QUEUED',
      direction: 'OUTBOUND',
      destinationNumber: '5511999990001',
    })
  const history = (await as('GET', '/v1/messages/history?direction=OUTBOUND&peer=%2B5511999990001')).body
  t.like(history, { total: 1, page: 1, pageSize: 30, totalPages: 1 })
  t.deepEqual(messages.messagePage.parse(history), history)
  t.like(history.messages[0], {
    id: first?.body.id,
    content: 'Hello 👋',
    from: '5511900001111',
    to: '5511999990001',
    redacted: false,
    media: null,
  })
  const { conversations } = (await as('GET', '/v1/conversations')).body
  t.like(conversations[0], {
    id: history.messages[0].conversationId,
    type: 'DIRECT',
    from: '5511999990001',
    unreadCount: 0,
    lastMessagePreview: 'Hello 👋',
  })
  t.deepEqual((await as('POST', '/v1/messages/read', { conversationId: conversations[0].id })).body, { read: 0 })
  t.deepEqual((await as('GET', '/v1/messages/unread')).body.messages, [])
  t.deepEqual((await as('GET', '/v1/messages/group')).body.messages, [])
})

test('only a message that waits for its time is canceled, and nobody else sees it', async (t) => {
  const { world, client, key, body } = await open(t)
  const other = await open(t)
  const [one, two] = await Promise.all(
    [body, { ...body, number: '5511900002222' }].map(
      async (number) => (await client.send('POST', '/v1/numbers', { key, body: number })).body,
    ),
  )
  const { body: foreign } = await other.client.send('POST', '/v1/numbers', { key: other.key, body: other.body })
  const send = async (fields: object) =>
    (
      await client.send('POST', '/v1/messages/send', {
        key: one.apiKey.key,
        body: { destinationNumber: '5511999990001', text: 'a', ...fields },
      })
    ).body.id
  const later = await send({ deliverAt: new Date(world.clock.now() + 60_000).toISOString() })
  const now = await send({})
  for (const [by, stranger] of [
    [client, two.apiKey.key],
    [other.client, foreign.apiKey.key],
  ] as const) {
    t.is((await by.send('GET', `/v1/messages/${later}`, { key: stranger })).status, 404)
    t.deepEqual(
      (await by.send('DELETE', '/v1/messages/cancel', { key: stranger, body: { messageIds: [later] } })).body.cancelled,
      [],
    )
    t.deepEqual((await by.send('GET', '/v1/messages/history?direction=OUTBOUND', { key: stranger })).body.messages, [])
  }
  const { body: canceled } = await client.send('DELETE', '/v1/messages/cancel', {
    key: one.apiKey.key,
    body: { messageIds: [later, now] },
  })
  t.deepEqual([canceled.cancelled, canceled.failed.map(({ id }: { id: string }) => id)], [[later], [now]])
  t.is((await client.send('GET', `/v1/messages/${later}`, { key: one.apiKey.key })).body.status, 'CANCELED')
})

test('no text in a body, path or key is a fault of the database', async (t) => {
  const { client, key, body } = await open(t)
  const { body: created } = await client.send('POST', '/v1/numbers', { key, body })
  const text = fc.string({ unit: ANY_LETTER, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(text, text, fc.stringMatching(/^[\x20-\x7e]{1,60}$/), async (a, b, header) => {
      const sent = [
        client.send('PATCH', `/v1/numbers/${created.id}`, { key, body: { name: a, settings: { msgRejectCall: b } } }),
        client.send('POST', '/v1/api-keys', { key, body: { channelNumberId: a } }),
        client.send('POST', '/v1/numbers/remote-pairing', {
          key,
          body: { ...body, branding: { companyName: a, button: { [b]: a } } },
          headers: { 'idempotency-key': header },
        }),
        client.send('POST', '/v1/webhooks', {
          key,
          body: {
            url: `https://a.example/${encodeURIComponent(a.toWellFormed())}`,
            name: b,
            events: ['*'],
            channelNumberId: created.id,
          },
        }),
        client.send('GET', `/v1/calls/${encodeURIComponent(a.toWellFormed())}`, { key: created.apiKey.key }),
        client.send('POST', '/v1/messages/send', {
          key: created.apiKey.key,
          body: { destinationNumber: '5511999990001', text: a, correlationId: b, quotedMessageId: a },
          headers: { 'idempotency-key': `send ${header}` },
        }),
        client.send('GET', `/v1/messages/${encodeURIComponent(a.toWellFormed())}`, { key: created.apiKey.key }),
        client.send('GET', `/v1/messages/history?peer=${encodeURIComponent(a.toWellFormed())}`, {
          key: created.apiKey.key,
        }),
        ...['/chat?s=', '/connect?h=', '/connect/preview?title=', '/connect/'].map((page) =>
          client.send('GET', `${page}${encodeURIComponent(a.toWellFormed()).replace(/^\.+$/, 'x')}`),
        ),
        client.send('POST', '/v1/messages/read', { key: created.apiKey.key, body: { messageIds: [a, b] } }),
      ]
      return (await Promise.all(sent)).every(({ status }) => status < 500)
    }),
    { numRuns: 15 },
  )
  t.pass()
})

test('over 100 tries an address that nobody has takes as long as a wrong password', async (t) => {
  const world = new World()
  const stores = openStores({ database: database(), cipher: new AesCipher(randomBytes(32)), clock: world.clock })
  const { tenantId } = await stores.tenants.create('Acme')
  const passwords = new ScryptPasswords({ cost: { log2N: 10, r: 8, p: 1 } })
  const hash = await passwords.hash('the right password', { address: '', isKnown: true })
  const invited = await stores.users.create(tenantId, { email: 'timed@example.com', role: 'AGENT', name: null })
  if (!hash.ok || !invited.ok) return t.fail('nobody was made')
  await stores.webSessions.open(
    { invitation: invited.value.invitation.token, passwordHash: hash.value, name: null },
    { address: null, userAgent: null },
  )
  const ports = { ...stores, passwords, baseUrl: 'https://api.example', metrics: noMetrics }
  const sessions = createSessions({ ...ports, revokeCallers: async () => {} })
  const took = async (email: string, address: string) => {
    const fromMs = performance.now()
    const outcome = await sessions.signInWithPassword(
      { email, password: 'a wrong password', countedAddress: address, browser: null },
      { address, userAgent: null },
    )
    t.is(outcome.ok ? 'ok' : outcome.error.code, 'INVALID_CREDENTIALS')
    return performance.now() - fromMs
  }
  let slower = 0
  const tries = 100
  // The attempts alternate in pairs, either one first, so that other load on the machine affects both equally.
  for (let i = 0; i < tries; i++) {
    if (i % 50 === 0) world.clock.advance(LOGIN_WINDOW_MS)
    const emails = ['timed@example.com', 'nobody@example.com']
    const [first, second] = i % 4 < 2 ? emails : emails.toReversed()
    const times = {
      [first ?? '']: await took(first ?? '', `203.0.113.${i}`),
      [second ?? '']: await took(second ?? '', `203.0.113.${i}`),
    }
    if ((times['nobody@example.com'] ?? 0) > (times['timed@example.com'] ?? 0)) slower++
  }
  // Without a difference this is a coin toss: the bound is five standard deviations from the middle.
  t.true(Math.abs(slower - tries / 2) < (5 * Math.sqrt(tries)) / 2, `slower ${slower} times of ${tries}`)
})
