import test from 'ava'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCaches } from '../../src/http/caches.ts'
import { describedRoutes } from '../../src/http/described-routes.ts'
import { opensTo } from '../../src/http/request/access.ts'
import { FILE_ANSWER_BYTES } from '../../src/http/middlewares/rate-limited.ts'
import { INBOX_PATH } from '../../src/http/routes/inbox/facts.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { bearer } from '../helpers/embeds.ts'
import { receivedBy } from './inbox-app.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { PEER } from '../contracts/message-world.ts'
import { newSecretId } from '../../src/domain/ids.ts'
import { NO_CONTENT } from '../../src/domain/message.ts'
import { talking } from './talking-inbox.ts'

const database = sharedDatabase(test, openTestDatabase)

// [embeds.inbox-routes.3] [embeds.inbox-routes.4] [embeds.inbox-routes.5] [embeds.inbox-routes.6]
test('conversations and their messages are shown, and marked as read', async (t) => {
  const { app, token, message, id } = await talking(t, database())
  const list = await app.ask(token, 'GET', '/conversations')
  t.is(list.status, 200)
  t.is(list.body.nextBefore, null)
  t.like(list.body.conversations[0], {
    numberId: app.one.number.id,
    provider: 'UNOFFICIAL',
    from: PEER,
    fromName: 'Ann',
    unreadCount: 1,
    lastMessageDirection: 'INBOUND',
    lastMessageStatus: 'RECEIVED',
    lastMessageType: 'text',
    canSend: { free: true, reason: null },
  })
  t.deepEqual((await app.ask(token, 'GET', `/conversations/${id}`)).body, list.body.conversations[0])
  const span = await app.ask(token, 'GET', `/conversations/${id}/messages`)
  t.deepEqual([span.body.hasOlder, span.body.hasNewer], [false, false])
  t.like(span.body.messages[0], {
    id: message.id,
    content: 'hi there',
    quoted: null,
    errorCode: null,
    errorMessage: null,
    media: null,
  })
  t.deepEqual((await app.ask(token, 'POST', `/conversations/${id}/read`)).body, { read: 1 })
  t.deepEqual((await app.ask(token, 'GET', '/conversations?filter=unread')).body.conversations, [])
})

test('pages continue by nextBefore, and a value that names no page is refused', async (t) => {
  const { app, token } = await talking(t, database())
  await receivedBy(app, app.one, { peer: '4915100000009', from: '4915100000009' })
  const first = await app.ask(token, 'GET', '/conversations?limit=1')
  const second = await app.ask(token, 'GET', `/conversations?limit=1&before=${first.body.nextBefore}`)
  t.deepEqual(
    [first, second].map(({ body }) => body.conversations[0].from),
    ['4915100000009', PEER],
  )
  t.is(second.body.nextBefore, null)
  for (const query of ['limit=0', 'limit=101', 'before=x', 'filter=read'])
    t.is((await app.ask(token, 'GET', `/conversations?${query}`)).status, 400, query)
  t.is((await app.ask(token, 'GET', '/conversations/conv_x/messages?before=a&after=b')).status, 400)
})

// [embeds.inbox-routes.7]
test('a text is accepted like any send, once for one Idempotency-Key, and can quote', async (t) => {
  const { app, token, message, id } = await talking(t, database())
  const send = () =>
    app.ask(
      token,
      'POST',
      `/conversations/${id}/messages`,
      { text: 'hello', quotedMessageId: message.id, correlationId: 'mine' },
      { 'idempotency-key': 'k1' },
    )
  const [first, again] = [await send(), await send()]
  t.is(first.status, 202)
  t.deepEqual(Object.keys(first.body), ['id', 'correlationId', 'status', 'createdAt'])
  t.like(first.body, { correlationId: 'mine', status: 'QUEUED' })
  t.deepEqual(again.body, first.body)
  t.deepEqual(app.world.directory.queued, [app.one.number.id])
  const { body } = await app.ask(token, 'GET', `/conversations/${id}/messages?around=${first.body.id}`)
  t.deepEqual(
    body.messages.map((one: { id: string }) => one.id),
    [first.body.id, message.id],
  )
  t.like(body.messages[0], {
    status: 'QUEUED',
    correlationId: 'mine',
    quoted: { id: message.id, direction: 'INBOUND', type: 'text', content: 'hi there' },
  })
  t.is((await app.ask(token, 'POST', `/conversations/${id}/messages`, { text: 'x'.repeat(4_097) })).status, 400)
  t.is((await app.ask(token, 'POST', `/conversations/${id}/messages`, {})).status, 400)
  for (const text of [' ', '\n\n', '\u200B'])
    t.is((await app.ask(token, 'POST', `/conversations/${id}/messages`, { text })).status, 400, JSON.stringify(text))
})

test('a send that is repeated over a new session goes out once, and another session learns nothing of it', async (t) => {
  const { app, token, id } = await talking(t, database())
  const send = (by: string) =>
    app.ask(by, 'POST', `/conversations/${id}/messages`, { text: 'hello' }, { 'idempotency-key': 'waited' })
  const first = await send(token)
  t.is(first.status, 202)
  const renewed = await app.token({ channelNumberIds: [app.one.number.id, app.two.number.id] })
  await app.ask(token, 'DELETE', '/session')
  const again = await send(renewed)
  t.deepEqual([again.status, again.headers.get('idempotency-replayed'), again.body], [202, 'true', first.body])
  t.deepEqual(app.world.directory.queued, [app.one.number.id])
  const blind = await send(await app.token({ channelNumberIds: [app.two.number.id] }))
  t.deepEqual([blind.status, blind.headers.get('idempotency-replayed')], [404, null])
  t.deepEqual((await send(renewed)).body, first.body, 'nor does it change anything')
})

// [embeds.inbox-routes.14]
test('a channel is not written to, nor a contact of an official number that has been silent for a day', async (t) => {
  const { app, token } = await talking(t, database())
  await receivedBy(app, app.one, { peer: '1@newsletter', from: '1@newsletter', conversationType: 'NEWSLETTER' })
  const channel = (await app.ask(token, 'GET', '/conversations')).body.conversations[0]
  t.deepEqual(channel.canSend, { free: false, reason: 'NEWSLETTER' })
  const refused = await app.ask(token, 'POST', `/conversations/${channel.id}/messages`, { text: 'x' })
  t.deepEqual([refused.status, refused.body.code], [400, 'FEATURE_NOT_SUPPORTED'])
  await database().query(`update channel_numbers set provider = 'OFFICIAL' where id = $1`, [app.two.number.id])
  await receivedBy(app, app.two, { happenedAt: new Date(Date.now() - 25 * 3_600_000) })
  const official = await app.token({ channelNumberIds: [app.two.number.id] })
  const [silent] = (await app.ask(official, 'GET', '/conversations')).body.conversations
  t.deepEqual(silent.canSend, { free: false, reason: 'WINDOW_CLOSED' })
  const late = await app.ask(official, 'POST', `/conversations/${silent.id}/messages`, { text: 'x' })
  t.deepEqual([late.status, late.body.code], [422, 'OFFICIAL_OUTSIDE_24H_WINDOW'])
  await receivedBy(app, app.two)
  t.is((await app.ask(official, 'POST', `/conversations/${silent.id}/messages`, { text: 'x' })).status, 202)
})

// [embeds.inbox-routes.9]
test('the file of a message that has none, or whose file is gone, is 404', async (t) => {
  const { app, token, message } = await talking(t, database())
  t.is((await app.ask(token, 'GET', `/messages/${message.id}/media`)).status, 404)
  const gone = await receivedBy(app, app.one, {
    type: 'image',
    content: { ...NO_CONTENT, media: { id: null, url: null, mimeType: 'image/png', fileName: null } },
  })
  t.is((await app.ask(token, 'GET', `/messages/${gone.id}/media`)).body.code, 'MEDIA_GONE')
})

test('the file of a message counts for its embed as the requests that its size is worth', async (t) => {
  const { app, token } = await talking(t, database())
  const folder = await temporaryDirectory()
  t.teardown(() => folder.remove())
  const [path, fileId, sizeBytes] = [join(folder.path, 'kept'), newSecretId('file'), 2 * FILE_ANSWER_BYTES]
  await writeFile(path, Buffer.alloc(sizeBytes))
  app.world.files.served.set(fileId, { path, mimeType: 'image/png', sizeBytes, fileName: null })
  const { id } = await receivedBy(app, app.one, {
    type: 'image',
    content: { ...NO_CONTENT, media: { id: null, url: null, fileId, mimeType: 'image/png', fileName: null } },
  })
  const left = async (path: string) => {
    const reply = await fetch(`${app.client.url}${INBOX_PATH}${path}`, bearer(token))
    await reply.arrayBuffer()
    return Number(reply.headers.get('ratelimit-remaining'))
  }
  t.is((await left('/session')) - (await left(`/messages/${id}/media`)), 3)
})

/** Requests to every inbox route that names something of the number. The message has no file. */
function asked({
  app,
  message,
  id,
}: Awaited<ReturnType<typeof talking>>): [route: string, path: string, body?: unknown][] {
  const { id: numberId } = app.one.number
  return [
    ['GET /conversations/{id}', `/conversations/${id}`],
    ['POST /conversations/{id}/read', `/conversations/${id}/read`],
    ['POST /conversations/{id}/unread', `/conversations/${id}/unread`],
    ['POST /conversations/{id}/archive', `/conversations/${id}/archive`],
    ['POST /conversations/{id}/unarchive', `/conversations/${id}/unarchive`],
    ['POST /conversations/{id}/typing', `/conversations/${id}/typing`, { state: 'typing' }],
    ['GET /conversations/{id}/messages', `/conversations/${id}/messages`],
    ['POST /conversations/{id}/messages', `/conversations/${id}/messages`, { text: 'x' }],
    ['POST /messages/{id}/retry', `/messages/${message.id}/retry`],
    ['GET /messages/{id}/media', `/messages/${message.id}/media`],
    ['PATCH /messages/{id}', `/messages/${message.id}`, { text: 'x' }],
    ['DELETE /messages/{id}', `/messages/${message.id}`],
    ['GET /conversations', `/conversations?numberId=${numberId}`],
    ['GET /search', `/search?q=hi&numberId=${numberId}`],
    ['GET /templates', `/templates?numberId=${numberId}`],
    ['GET /numbers/{id}/conversations', `/numbers/${numberId}/conversations?with=${PEER}`],
    ['POST /numbers/{id}/conversations', `/numbers/${numberId}/conversations`, { destinationNumber: PEER, text: 'x' }],
  ]
}

const methodOf = (route: string): string => route.split(' ')[0] ?? ''

/** Routes that concern only the session or its account, and name nothing of a number. */
const OF_SESSIONS = ['GET /session', 'DELETE /session', 'POST /refresh', 'GET /stream', 'GET /canned-replies']

test('every route that embed tokens open is asked for what is of other numbers', async (t) => {
  const talk = await talking(t, database())
  const deps = talk.app.world.deps()
  const served = describedRoutes({ ...deps, ...createCaches(deps) })
    .filter((route) => opensTo(route, 'embed'))
    .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(INBOX_PATH, '')}`)
  t.deepEqual(served.toSorted(), [...asked(talk).map(([route]) => route), ...OF_SESSIONS].toSorted())
})

// [embeds.inbox-routes.13]
for (const whose of ['another number', 'another tenant']) {
  test(`a token of ${whose} finds nothing of a number by any route of the inbox`, async (t) => {
    const talk = await talking(t, database())
    const { app, message, id } = talk
    const owned = whose === 'another number' ? app.two : app.foreign
    const key = whose === 'another number' ? app.tenantKey : app.foreign.key.raw
    const other = await app.token({ channelNumberIds: [owned.number.id], startConversation: true }, key)
    for (const [route, path, body] of asked(talk)) {
      const reply = await app.ask(other, methodOf(route), path, body)
      t.is(reply.status, 404, route)
      t.notRegex(reply.text, new RegExp(`hi there|Ann|${PEER}|${app.one.number.number}`), route)
    }
    for (const place of ['before', 'after', 'around']) {
      t.is((await app.ask(other, 'GET', `/conversations/${id}/messages?${place}=${message.id}`)).status, 404, place)
    }
    const form = new FormData()
    form.set('mediaType', 'document')
    form.set('file', new Blob(['x']), 'x.txt')
    const sent = await fetch(`${app.client.url}${INBOX_PATH}/conversations/${id}/messages`, {
      method: 'POST',
      body: form,
      headers: bearer(other).headers,
    })
    t.is(sent.status, 404)
    t.is(app.world.files.kept.size, 0)
    const session = await app.ask(other, 'GET', '/session')
    t.deepEqual([session.status, session.body.unreadTotal, session.text.includes(app.one.number.id)], [200, 0, false])
    t.deepEqual((await app.ask(other, 'GET', '/conversations')).body.conversations, [])
    t.deepEqual((await app.ask(other, 'GET', '/search?q=there')).body, { conversations: [], messages: [] })
    const own = (await app.ask(talk.token, 'GET', `/conversations/${id}/messages`)).body.messages
    t.deepEqual(
      own.map((one: { id: string }) => one.id),
      [message.id],
      'nothing was sent',
    )
    t.like(
      (await app.ask(talk.token, 'GET', `/conversations/${id}`)).body,
      { unreadCount: 1, isMarkedUnread: false, archivedAt: null },
      'nothing was read or marked',
    )
  })
}

// [embeds.inbox-routes.6] [embeds.inbox-routes.10]
test('a conversation is searched by itself, and read from a time on; a time that is none is refused', async (t) => {
  const { app, token, id, message } = await talking(t, database())
  const found = async (query: string) => (await app.ask(token, 'GET', `/search?q=there&${query}`)).body
  t.deepEqual(
    (await found(`conversationId=${id}`)).messages.map((one: { message: { id: string } }) => one.message.id),
    [message.id],
  )
  t.deepEqual((await found(`conversationId=${id}`)).conversations, [])
  t.deepEqual((await found('conversationId=conv_none')).messages, [])
  const at = (time: string) => app.ask(token, 'GET', `/conversations/${id}/messages?at=${encodeURIComponent(time)}`)
  const [only] = (await app.ask(token, 'GET', `/conversations/${id}/messages`)).body.messages
  const { status, body } = await at(only.createdAt)
  t.deepEqual([status, body.messages.length, body.hasOlder, body.hasNewer], [200, 1, false, false])
  for (const time of ['yesterday', '2026-01-05', '']) t.is((await at(time)).status, 400, time)
  t.is((await app.ask(token, 'GET', `/conversations/${id}/messages?at=2026-01-05T12:00:00Z&before=x`)).status, 400)
})

test("an id of another number is not found through a conversation of one's own either", async (t) => {
  const { app, message } = await talking(t, database())
  await receivedBy(app, app.two)
  const other = await app.token({ channelNumberIds: [app.two.number.id] })
  const { id } = (await app.ask(other, 'GET', '/conversations')).body.conversations[0]
  for (const place of ['before', 'after', 'around'])
    t.notRegex(
      (await app.ask(other, 'GET', `/conversations/${id}/messages?${place}=${message.id}`)).text,
      new RegExp(message.id),
      place,
    )
  const quoting = await app.ask(other, 'POST', `/conversations/${id}/messages`, {
    text: 'x',
    quotedMessageId: message.id,
  })
  t.true(quoting.status >= 400 && quoting.status < 500, quoting.text)
})

test('no route of the inbox answers a token that is not for it', async (t) => {
  const talk = await talking(t, database())
  const { app } = talk
  const connect = await app.token({ surface: 'connect' })
  for (const [route, path, body] of [...asked(talk), ['GET /stream', '/stream'] as const]) {
    const method = methodOf(route)
    t.is((await app.ask(connect, method, path, body)).body.code, 'SURFACE_NOT_ALLOWED', route)
    t.is((await app.ask('nobody', method, path, body)).body.code, 'INVALID_TOKEN', route)
    t.is(
      (
        await app.client.send(method, INBOX_PATH + path, {
          key: app.tenantKey,
          ...(body === undefined ? {} : { body }),
        })
      ).body.code,
      'INVALID_TOKEN',
      route,
    )
  }
})

test('a sound without a waveform gets one when it is read, and a file that has one is not decoded again', async (t) => {
  const { app, token } = await talking(t, database())
  const fileId = 'file_00000000000000000000000000'
  app.world.files.served.set(fileId, {
    path: import.meta.filename,
    mimeType: 'audio/ogg',
    sizeBytes: 4,
    fileName: null,
  })
  const media = { id: null, url: `http://files/media/${fileId}/a.ogg`, mimeType: 'audio/ogg', fileName: null }
  const note = await receivedBy(app, app.one, { type: 'audio', content: { ...NO_CONTENT, media } })
  const heard = await receivedBy(app, app.one, {
    type: 'audio',
    content: { ...NO_CONTENT, media: { ...media, sizeBytes: 4, waveform: [1] } },
  })
  for (const { id } of [note, heard]) t.is((await app.ask(token, 'GET', `/messages/${id}/media`)).status, 200)
  t.deepEqual(app.world.known, [
    { numberId: app.one.number.id, messageId: note.id, fileId, sizeBytes: 4, sound: null, isUnheard: true },
  ])
})
