import test from 'ava'
import * as schema from '../../src/http/routes/canned-replies/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { talking } from './talking-inbox.ts'

const database = sharedDatabase(test, openTestDatabase)

// [canned-replies.routes.1] [canned-replies.routes.2] [canned-replies.routes.3] [canned-replies.routes.4]
// [canned-replies.object.1] [canned-replies.scope.1]
test('canned replies are kept, listed by shortcut, changed and removed with the key of the tenant', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const ask = (method: string, path = '', body?: unknown) =>
    client.send(method, `/v1/canned-replies${path}`, { key: world.tenantKey.raw, body })
  const hours = {
    key: world.tenantKey.raw,
    headers: { 'idempotency-key': 'hours' },
    body: { shortcut: ' Hours ', text: ' From 9 to 17 ' },
  }
  const made = await client.send('POST', '/v1/canned-replies', hours)
  t.is(made.status, 201)
  t.deepEqual((await client.send('POST', '/v1/canned-replies', hours)).body, made.body, 'sent again, it is the same')
  t.like(made.body, { shortcut: 'hours', text: ' From 9 to 17 ' })
  t.deepEqual(schema.cannedReply.parse(made.body), made.body)
  const bye = (await ask('POST', '', { shortcut: 'bye', text: 'Bye' })).body
  t.is((await ask('POST', '', { shortcut: 'BYE', text: 'Bye' })).body.code, 'CANNED_REPLY_EXISTS')
  t.deepEqual((await ask('GET')).body, { cannedReplies: [bye, made.body] })
  t.is((await ask('PATCH', `/${bye.id}`, { text: 'See you' })).body.text, 'See you')
  t.deepEqual((await ask('DELETE', `/${bye.id}`)).body, { deleted: true, id: bye.id })
  t.is((await ask('DELETE', `/${bye.id}`)).status, 404)
  t.is((await ask('PATCH', `/${bye.id}`, {})).body.code, 'CANNED_REPLY_NOT_FOUND')
  t.is((await client.send('GET', '/v1/canned-replies', { key: world.numberKey.raw })).status, 403)
})

// [canned-replies.object.2] [canned-replies.object.3]
test('a canned reply needs a shortcut of one word and a text that a message can have', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  for (const [body, path] of [
    [{ shortcut: 'two words', text: 'x' }, 'shortcut'],
    [{ shortcut: '', text: 'x' }, 'shortcut'],
    [{ shortcut: '/x', text: 'x' }, 'shortcut'],
    [{ shortcut: 'x'.repeat(33), text: 'x' }, 'shortcut'],
    [{ shortcut: 'x', text: ' ' }, 'text'],
    [{ shortcut: 'x', text: 'x'.repeat(4_097) }, 'text'],
    [{ shortcut: 'x' }, 'text'],
  ] as const) {
    const refused = await client.send('POST', '/v1/canned-replies', { key: world.tenantKey.raw, body })
    t.is(refused.status, 400, JSON.stringify(body).slice(0, 60))
    t.is(refused.body.details[0].path, path)
  }
  const body = { shortcut: 'grüße', text: '\u{1F600}'.repeat(4_096) }
  t.is((await client.send('POST', '/v1/canned-replies', { key: world.tenantKey.raw, body })).status, 201)
})

// [canned-replies.routes.5]
test('the canned replies of the account are there for an inbox, those of others are not', async (t) => {
  const { app, token } = await talking(t, database())
  const { cannedReplies } = app.stores
  await cannedReplies.create(app.one.tenantId, { shortcut: 'hours', text: 'From 9 to 17' })
  const { tenantId } = await app.stores.tenants.create('Other')
  await cannedReplies.create(tenantId, { shortcut: 'theirs', text: 'Theirs' })
  const { status, body } = await app.ask(token, 'GET', '/canned-replies')
  t.is(status, 200)
  t.deepEqual(
    body.cannedReplies.map(({ shortcut, text }: any) => [shortcut, text]),
    [['hours', 'From 9 to 17']],
  )
})
