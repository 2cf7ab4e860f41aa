import test from 'ava'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { PEER } from '../contracts/message-world.ts'
import { openInboxApp, receivedBy, type InboxApp } from './inbox-app.ts'

const database = sharedDatabase(test, openTestDatabase)

const STARTS = { startConversation: true }
const TO = '4915100000042'

function start(app: InboxApp, token: string, body: object, key?: string, number = app.one.number.id) {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  return app.ask(token, 'POST', `/numbers/${number}/conversations`, body, headers)
}

function find(app: InboxApp, token: string, to: string, number = app.one.number.id) {
  return app.ask(token, 'GET', `/numbers/${number}/conversations?with=${encodeURIComponent(to)}`)
}

/** Makes the second number of the application one of the official platform. */
async function withOfficial(app: InboxApp) {
  await database().query(`update channel_numbers set provider = 'OFFICIAL' where id = $1`, [app.two.number.id])
  return app.token({ ...STARTS, channelNumberIds: [app.two.number.id] })
}

// [embeds.starts.3] [embeds.starts.4]
test('the first message to somebody is accepted as any send, and its answer names the conversation', async (t) => {
  const app = await openInboxApp(t, database())
  const token = await app.token(STARTS)
  const before = await find(app, token, '+49 151 00000042')
  t.deepEqual(
    [before.status, before.body],
    [200, { address: TO, conversation: null, canSend: { free: true, reason: null } }],
  )
  const sent = await start(app, token, { destinationNumber: '+49 151 00000042', text: 'hello', correlationId: 'mine' })
  t.is(sent.status, 202)
  t.deepEqual(Object.keys(sent.body), ['id', 'correlationId', 'status', 'createdAt', 'conversationId'])
  t.deepEqual(app.world.directory.queued, [app.one.number.id])
  const { conversationId } = sent.body
  const shown = await app.ask(token, 'GET', `/conversations/${conversationId}`)
  t.like(shown.body, { id: conversationId, from: TO, numberId: app.one.number.id, lastMessageDirection: 'OUTBOUND' })
  const { body } = await app.ask(token, 'GET', `/conversations/${conversationId}/messages`)
  t.like(body.messages[0], { id: sent.body.id, content: 'hello', correlationId: 'mine', status: 'QUEUED' })
  t.deepEqual((await find(app, token, TO)).body.conversation, shown.body, 'it is found from then on')
})

test('a conversation that is there already is written on in, wherever it stands', async (t) => {
  const app = await openInboxApp(t, database())
  await receivedBy(app, app.one)
  const token = await app.token(STARTS)
  const [there] = (await app.ask(token, 'GET', '/conversations')).body.conversations
  await app.ask(token, 'POST', `/conversations/${there.id}/archive`)
  t.is((await find(app, token, PEER)).body.conversation.id, there.id)
  t.is((await start(app, token, { destinationNumber: PEER, text: 'hello' })).body.conversationId, there.id)
})

test('a first message that is repeated goes out once for one Idempotency-Key', async (t) => {
  const app = await openInboxApp(t, database())
  const token = await app.token(STARTS)
  const body = { destinationNumber: TO, text: 'hello' }
  const first = await start(app, token, body, 'once')
  const again = await start(app, token, body, 'once')
  t.deepEqual([again.status, again.headers.get('idempotency-replayed'), again.body], [202, 'true', first.body])
  t.deepEqual(app.world.directory.queued, [app.one.number.id])
  const other = await start(app, token, { ...body, text: 'other' }, 'once')
  t.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
})

// [embeds.starts.1] [embeds.starts.2]
test('a session starts no conversation unless it was minted for that, nor learns what another one started', async (t) => {
  const app = await openInboxApp(t, database())
  const [may, plain] = [await app.token(STARTS), await app.token()]
  t.true((await app.ask(may, 'GET', '/session')).body.startConversation)
  t.false((await app.ask(plain, 'GET', '/session')).body.startConversation)
  const body = { destinationNumber: TO, text: 'hello' }
  t.is((await start(app, may, body, 'shared')).status, 202)
  const refused = await start(app, plain, body, 'shared')
  t.deepEqual(
    [refused.status, refused.body.code, refused.headers.get('idempotency-replayed')],
    [403, 'PERMISSION_DENIED', null],
  )
  const asked = await find(app, plain, TO)
  t.deepEqual([asked.status, asked.body.code], [403, 'PERMISSION_DENIED'])
})

test('the list of sessions says which of them may start conversations', async (t) => {
  const app = await openInboxApp(t, database())
  await app.token()
  await app.token(STARTS)
  const { body } = await app.client.send('GET', '/v1/embed/sessions', { key: app.tenantKey })
  t.deepEqual(
    body.sessions.map(({ startConversation }: { startConversation: boolean }) => startConversation),
    [true, false],
  )
})

test('a session starts nothing from a number that it does not cover, of its account or of another', async (t) => {
  const app = await openInboxApp(t, database())
  const token = await app.token(STARTS)
  for (const { number } of [app.two, app.foreign]) {
    const sent = await start(app, token, { destinationNumber: TO, text: 'x' }, 'k', number.id)
    t.deepEqual([sent.status, sent.body.code], [404, 'NUMBER_NOT_FOUND'])
    const found = await find(app, token, TO, number.id)
    t.deepEqual([found.status, found.body.code], [404, 'NUMBER_NOT_FOUND'])
  }
  t.deepEqual(app.world.directory.queued, [])
})

test('what is no phone number, and a message that is none, are refused by field', async (t) => {
  const app = await openInboxApp(t, database())
  const token = await app.token(STARTS)
  const fault = async (body: object) => {
    const reply = await start(app, token, body)
    return [reply.status, reply.body.details?.[0]?.path]
  }
  t.deepEqual(await fault({ text: 'x' }), [400, 'destinationNumber'])
  t.deepEqual(await fault({ destinationNumber: '0151 000', text: 'x' }), [400, 'destinationNumber'])
  t.deepEqual(await fault({ destinationNumber: TO, text: ' ' }), [400, 'text'])
  t.is((await start(app, token, { destinationNumber: TO })).status, 400)
  t.is((await start(app, token, { destinationNumber: TO, text: 'x', templateId: 'y' })).status, 400)
  t.is((await find(app, token, 'Ann')).status, 400)
  const hidden = await start(app, token, { destinationNumber: 'US.13491208655302741918', text: 'x' })
  t.is(hidden.status, 400, 'a user who hides the number is known to OFFICIAL numbers alone')
})

// [embeds.starts.5] [embeds.starts.6]
test('where the window is closed only a template begins a conversation, as the session says of each number', async (t) => {
  const app = await openInboxApp(t, database())
  const token = await withOfficial(app)
  const { id } = app.two.number
  const numbers = (await app.ask(token, 'GET', '/session')).body.numbers
  t.like(numbers[0], { id, startsFree: false })
  t.like((await app.ask(await app.token(), 'GET', '/session')).body.numbers[0], { startsFree: true })
  t.deepEqual((await find(app, token, TO, id)).body.canSend, { free: false, reason: 'WINDOW_CLOSED' })
  const text = await start(app, token, { destinationNumber: TO, text: 'x' }, undefined, id)
  t.deepEqual([text.status, text.body.code], [422, 'OFFICIAL_OUTSIDE_24H_WINDOW'])
  const template = await start(app, token, { destinationNumber: TO, templateId: 'welcome' }, undefined, id)
  t.regex(template.body.error, /template/i, 'a template is not held back')
  t.deepEqual((await app.ask(token, 'GET', '/conversations')).body.conversations, [], 'and nothing was begun')
  await receivedBy(app, app.two)
  t.true((await find(app, token, PEER, id)).body.canSend.free)
  t.is((await start(app, token, { destinationNumber: PEER, text: 'x' }, undefined, id)).status, 202)
})
