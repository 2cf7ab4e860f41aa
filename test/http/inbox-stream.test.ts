import test from 'ava'
import type { ExecutionContext } from 'ava'
import { LocalBroadcast } from '../../src/cluster/local.ts'
import type { EmbedSessionId } from '../../src/domain/ids.ts'
import { openInbox } from '../../src/gateway/open-inbox.ts'
import type { ChangedRows, FedChange } from '../../src/ports/inbox-feed.ts'
import { PEER } from '../contracts/message-world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { bearer, HOST_ORIGIN } from '../helpers/embeds.ts'
import { EventReader } from '../helpers/event-reader.ts'
import { asDescribed } from '../helpers/inbox-events.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { serve } from '../helpers/http-app.ts'
import { silentLog } from '../helpers/silent.ts'
import { openInboxApp, receivedBy, type InboxApp } from './inbox-app.ts'
import { until } from '../helpers/until.ts'
import { createStreamReader } from '../../web/ui/stream/sse.ts'

const database = sharedDatabase(test, openTestDatabase)

function listen(t: ExecutionContext, { client }: InboxApp, token: string, lastId = ''): Promise<EventReader> {
  return EventReader.open(
    t,
    `${client.url}/api/public/embed/stream`,
    {
      ...bearer(token, HOST_ORIGIN).headers,
      ...(lastId === '' ? {} : { 'last-event-id': lastId }),
    },
    asDescribed,
  )
}

function sentTo(app: InboxApp, token: string, id: string) {
  return app.ask(token, 'POST', `/conversations/${id}/messages`, { text: 'hello' })
}

// [embeds.stream.1] [embeds.stream.4] [embeds.inbox-routes.12]
test("received and sent messages, statuses, reads and the number's state appear on the stream, in rising order", async (t) => {
  const app = await openInboxApp(t, database())
  const token = await app.token()
  const reader = await listen(t, app, token)
  const hello = await reader.next('hello')
  t.is(hello.id, hello.data.cursor)
  t.true(reader.text.startsWith('retry: 3000\n'))
  const message = await receivedBy(app, app.one)
  const came = await reader.next('message')
  t.like(came.data.message, { id: message.id, content: 'hi there', direction: 'INBOUND', status: 'RECEIVED' })
  const {
    data: { item },
  } = await reader.next('conversation')
  t.like(item, { from: PEER, unreadCount: 1, canSend: { free: true, reason: null } })
  t.deepEqual((await reader.next('unread')).data, { total: 1 })
  const {
    body: { id },
  } = await sentTo(app, token, item.id)
  t.like((await reader.next('message', (data) => data.message.id === id)).data.message, {
    status: 'QUEUED',
    correlationId: id,
  })
  await app.stores.queue.begin(app.one.fence, id)
  await app.stores.queue.settle(app.one.fence, { messageId: id, kind: 'sent', externalMessageId: `up.${id}` })
  const { sentAt, ...sent } = (await reader.next('status', (data) => data.status === 'SENT')).data
  t.deepEqual(sent, {
    id,
    conversationId: item.id,
    status: 'SENT',
    errorCode: null,
    errorMessage: null,
    externalMessageId: `up.${id}`,
  })
  t.false(Number.isNaN(Date.parse(sentAt)))
  await app.stores.inbox.report(app.one.fence, {
    externalMessageId: `up.${id}`,
    messageId: null,
    status: 'READ',
    failure: null,
    at: new Date(),
  })
  await reader.next('status', (data) => data.status === 'READ')
  await reader.next('conversation', (data) => data.item.lastMessageStatus === 'READ')
  await app.ask(token, 'POST', `/conversations/${item.id}/read`)
  await reader.next('unread', (data) => data.total === 0)
  await reader.next('conversation', (data) => data.item.unreadCount === 0)
  await app.stores.numbers.saveConnection(app.one.fence, { state: 'CONNECTING' }, [])
  t.deepEqual((await reader.next('number')).data, { id: app.one.number.id, state: 'CONNECTING' })
  const ids = reader.events.flatMap(({ id: one }) => (one === null ? [] : [BigInt(one)]))
  t.true(ids.every((one, index) => index === 0 || one > (ids[index - 1] ?? 0n)))
})

test('a message that was edited is told anew, with what it says now', async (t) => {
  const app = await openInboxApp(t, database())
  const message = await receivedBy(app, app.one)
  const reader = await listen(t, app, await app.token())
  await reader.next('hello')
  await app.stores.inbox.change(app.one.fence, {
    externalMessageId: message.externalMessageId,
    kind: 'EDIT',
    at: new Date(),
    edited: { messageType: 'text', content: { ...message.content, text: 'better' } },
  })
  t.like((await reader.next('message')).data.message, { id: message.id, content: 'better' })
})

test('a stream tells of the numbers of its session, and of no others', async (t) => {
  const app = await openInboxApp(t, database())
  const [one, both] = [
    await listen(t, app, await app.token()),
    await listen(t, app, await app.token({ channelNumberIds: [app.one.number.id, app.two.number.id] })),
  ]
  await Promise.all([one.next('hello'), both.next('hello')])
  await receivedBy(app, app.foreign)
  const second = await receivedBy(app, app.two)
  const first = await receivedBy(app, app.one)
  await both.next('unread', ({ total }) => total === 2)
  await one.next('message', ({ message }) => message.id === first.id)
  t.deepEqual(
    both.events.filter(({ event }) => event === 'message').map(({ data }) => data.message.id),
    [second.id, first.id],
  )
  t.deepEqual(
    one.events.filter(({ event }) => event === 'message').map(({ data }) => data.message.id),
    [first.id],
  )
})

// [embeds.inbox-routes.12]
test('a stream that was cut goes on where it was: nothing is lost, nothing comes twice', async (t) => {
  const app = await openInboxApp(t, database())
  const token = await app.token()
  const told: string[] = []
  const wanted: string[] = []
  let lastId = ''
  for (let round = 0; round < 4; round++) {
    wanted.push((await receivedBy(app, app.one, {}, `before ${round}`)).id)
    const reader = await listen(t, app, token, lastId)
    wanted.push((await receivedBy(app, app.one, {}, `while ${round}`)).id)
    // The message before the first connection is not streamed, because the page reads it itself.
    if (round === 0) wanted.shift()
    await reader.next('message', ({ message }) => message.id === wanted[wanted.length - (round % 2 === 0 ? 1 : 2)])
    reader.cut()
    told.push(...reader.events.filter(({ event }) => event === 'message').map(({ data }) => data.message.id))
    t.false(reader.events.some(({ event }) => event === 'resync'))
    lastId = reader.lastId
  }
  const end = await listen(t, app, token, lastId)
  wanted.push((await receivedBy(app, app.one, {}, 'last')).id)
  await end.next('message', ({ message }) => message.id === wanted.at(-1))
  told.push(...end.events.filter(({ event }) => event === 'message').map(({ data }) => data.message.id))
  t.deepEqual(told, wanted)
})

/** What a reader has after each byte of a stream: the number of changes, and the id from which it continues. */
function cutsOf(
  text: string,
  openedAfter: string,
): {
  readonly changes: readonly string[]
  readonly cuts: readonly { readonly count: number; readonly lastId: string }[]
} {
  const reader = createStreamReader(openedAfter)
  const decoder = new TextDecoder()
  const changes: string[] = []
  const cuts = [...Buffer.from(text)].map((byte) => {
    const whole = reader.take(decoder.decode(Uint8Array.of(byte), { stream: true }))
    changes.push(
      ...whole.filter(({ type }) => type !== 'hello' && type !== 'unread').map(({ type, data }) => `${type} ${data}`),
    )
    return { count: changes.length, lastId: reader.lastId ?? '' }
  })
  return { changes, cuts }
}

test('cut at any byte, of its first stream or of one it came back to, a reader misses nothing and hears nothing twice', async (t) => {
  const app = await openInboxApp(t, database())
  const isEnd = ({ item }: any) => item.lastMessagePreview === 'the end'
  const first = await listen(t, app, await app.token())
  const { id: begin = '' } = (await first.next('hello')) as { id?: string }
  const message = await receivedBy(app, app.one, {}, 'olá, 你好 👋')
  const {
    data: { item },
  } = await first.next('conversation')
  const {
    body: { id },
  } = await sentTo(app, await app.token(), item.id)
  await first.next('message', (data) => data.message.id === id)
  await app.stores.queue.begin(app.one.fence, id)
  await app.stores.queue.settle(app.one.fence, { messageId: id, kind: 'sent', externalMessageId: `up.${id}` })
  await first.next('status', (data) => data.status === 'SENT')
  await app.stores.numbers.saveConnection(app.one.fence, { state: 'CONNECTING' }, [])
  await first.next('number')
  await receivedBy(app, app.one, {}, 'the end')
  await first.next('conversation', isEnd)

  /** The streams of readers that come back, by the id from which they continue. Each is read to the end. */
  const streams = new Map<string, ReturnType<typeof cutsOf>>()
  const wanted = [begin]
  for (const lastId of wanted) {
    if (streams.has(lastId)) continue
    const reader = await listen(t, app, await app.token(), lastId)
    const isLast = wanted.length > 1 && lastId === first.lastId
    await (isLast ? reader.next('hello') : reader.next('conversation', isEnd))
    reader.cut()
    t.false(reader.events.some(({ event }) => event === 'resync'))
    const read = cutsOf(reader.text, lastId)
    streams.set(lastId, read)
    wanted.push(
      ...new Set(
        [...read.cuts.map((cut) => cut.lastId), ...cutsOf(first.text, '').cuts.map((cut) => cut.lastId)].filter(
          (one) => one !== '',
        ),
      ),
    )
  }
  const all = cutsOf(first.text, '')
  t.true(all.changes.some((change) => change.includes(message.id)) && all.changes.length >= 7)
  t.true(streams.size >= 7)
  t.deepEqual(streams.get(begin)?.changes, all.changes)
  for (const { changes, cuts } of [all, ...streams.values()]) {
    for (const { count, lastId } of cuts) {
      // A reader without an id reads everything anew, so it must have no change yet.
      if (lastId === '') t.is(count, 0)
      else t.deepEqual([...changes.slice(0, count), ...(streams.get(lastId)?.changes ?? ['nowhere'])], changes)
    }
  }
})

// [embeds.stream.5]
test('a node shows what another commits at its next look, half a second later, and at once what that one names', async (t) => {
  const app = await openInboxApp(t, database())
  const clock = new FakeClock()
  const broadcast = new LocalBroadcast(silentLog)
  let tell: (rows: ChangedRows) => void = () => {}
  const node = (onChanged: (own: typeof tell) => void) =>
    openInbox({ clock, log: silentLog } as never, { ...app, broadcast, onEvents: () => {}, onChanged } as never)
  // The application commits on one node, which tells others only through the broadcast. The reader is connected to
  // another node.
  const [other, { inboxFeed, endStreams }] = [node((own) => (tell = own)), node(() => {})]
  t.teardown(() => [other.endStreams(), endStreams()])
  app.feed.changed = (rows) => tell(rows)
  const told: (string | null)[] = []
  const changed = ({ change }: FedChange): void => {
    if (change.type === 'message') told.push(change.message.content?.text ?? null)
  }
  const joined = inboxFeed.join([app.one.number.id], { changed, ended: () => {} }, null)
  clock.advance(0)
  await joined
  const message = await receivedBy(app, app.one)
  clock.advance(500)
  await until('the other node tells it', () => told.length === 1)
  await app.stores.inbox.change(app.one.fence, {
    externalMessageId: message.externalMessageId,
    kind: 'EDIT',
    at: new Date(),
    edited: { messageType: 'text', content: { ...message.content, text: 'better' } },
  })
  await until('it tells the edit too', () => {
    clock.advance(0)
    return told.length === 2
  })
  t.deepEqual(told, ['hi there', 'better'])
})

// [embeds.stream.7]
test('a refresh gives a stream more time and tells it, and takes no place in its order', async (t) => {
  const app = await openInboxApp(t, database())
  const token = await app.token({ ttlSeconds: 60 })
  const reader = await listen(t, app, token)
  await reader.next('hello')
  const { body } = await app.ask(token, 'POST', '/refresh')
  const told = await reader.next('session')
  t.deepEqual([told.data, told.id], [{ expiresAt: body.expiresAt }, null])
})

// [embeds.stream.2]
test('a reader that comes back with an unknown or too old id is told to read everything anew', async (t) => {
  const app = await openInboxApp(t, database())
  const token = await app.token()
  for (const lastId of ['1700000000000123456', 'x', '99999999999999999999999']) {
    const reader = await listen(t, app, token, lastId)
    await reader.next('resync')
    reader.cut()
  }
})

// [embeds.stream.6]
test('a sixth stream of a session is refused, until one of the five ends', async (t) => {
  const app = await openInboxApp(t, database())
  const token = await app.token()
  const readers = await Promise.all(Array.from({ length: 5 }, () => listen(t, app, token)))
  t.is((await app.ask(token, 'GET', '/stream')).status, 429)
  readers[0]?.cut()
  await until('there is room again', async () => {
    const again = await fetch(`${app.client.url}/api/public/embed/stream`, {
      headers: bearer(token, HOST_ORIGIN).headers,
    })
    await again.body?.cancel()
    return again.status === 200
  })
})

// [embeds.marks.3] [embeds.marks.4]
test('every open inbox of a number is told of a mark, of an archived conversation and of its return', async (t) => {
  const app = await openInboxApp(t, database())
  const [token, other] = [await app.token(), await app.token()]
  const [reader, second] = [await listen(t, app, token), await listen(t, app, other)]
  await receivedBy(app, app.one, { isUnread: false })
  const {
    data: { item },
  } = await reader.next('conversation')
  t.like(item, { isMarkedUnread: false, archivedAt: null })
  await app.ask(token, 'POST', `/conversations/${item.id}/unread`)
  for (const one of [reader, second]) {
    await one.next('conversation', (data) => data.item.isMarkedUnread)
    await one.next('unread', (data) => data.total === 1)
  }
  await app.ask(other, 'POST', `/conversations/${item.id}/read`)
  for (const one of [reader, second]) {
    await one.next('conversation', (data) => !data.item.isMarkedUnread)
    await one.next('unread', (data) => data.total === 0)
  }
  await app.ask(token, 'POST', `/conversations/${item.id}/archive`)
  for (const one of [reader, second]) await one.next('conversation', (data) => data.item.archivedAt !== null)
  await receivedBy(app, app.one)
  for (const one of [reader, second])
    await one.next('conversation', ({ item: { unreadCount, archivedAt } }) => unreadCount === 1 && archivedAt === null)
  t.pass()
})

// [embeds.stream.3]
test('the end of its session ends a stream, with the reason; so does the end of the service, without', async (t) => {
  const app = await openInboxApp(t, database())
  const token = await app.token()
  const reader = await listen(t, app, token)
  await reader.next('hello')
  t.is((await app.ask(token, 'DELETE', '/session')).status, 200)
  t.deepEqual((await reader.next('expired')).data, { reason: 'REVOKED' })
  await until('the stream is over', async () => reader.isOver)
  const other = await listen(t, app, await app.token())
  await other.next('hello')
  app.feed.stop()
  await until('the stream is over', async () => other.isOver)
  t.false(other.events.some(({ event }) => event === 'expired'))
})

// [embeds.refresh.4]
test('within 2 s a node that nobody told of the end of a session refuses its token and ends its stream', async (t) => {
  const clock = new FakeClock()
  const app = await openInboxApp(t, database(), (on, world, deps) => serve(on, world, { ...deps, clock }))
  const token = await app.token()
  const reader = await listen(t, app, token)
  await reader.next('hello')
  t.is((await app.ask(token, 'GET', '/session')).status, 200)
  const [id = ''] = token.split('.')
  // Only the row tells of it: the session ends by another node, whose word does not arrive.
  await app.stores.embedSessions.revoke(app.one.tenantId, null, id as EmbedSessionId)
  clock.advance(2_000)
  const refused = await app.ask(token, 'GET', '/session')
  t.deepEqual([refused.status, refused.body.code], [401, 'TOKEN_REVOKED'])
  t.deepEqual((await reader.next('expired')).data, { reason: 'REVOKED' })
  await until('the stream is over', () => reader.isOver)
})
