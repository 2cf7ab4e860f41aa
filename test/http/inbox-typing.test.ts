import test from 'ava'
import { LocalBroadcast } from '../../src/cluster/local.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { openInbox } from '../../src/gateway/open-inbox.ts'
import type { FedChange } from '../../src/ports/inbox-feed.ts'
import { conversationIdOf } from '../../src/storage/conversations/conversation-id.ts'
import { PEER } from '../contracts/message-world.ts'
import { bearer, HOST_ORIGIN } from '../helpers/embeds.ts'
import { EventReader } from '../helpers/event-reader.ts'
import { asDescribed } from '../helpers/inbox-events.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { silentLog } from '../helpers/silent.ts'
import { until } from '../helpers/until.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { receivedBy } from './inbox-app.ts'
import { talking } from './talking-inbox.ts'

const database = sharedDatabase(test, openTestDatabase)

// [embeds.typing.1]
test('the person of a conversation is shown that the number writes, by the same ask as any typing', async (t) => {
  const { app, token, id, message } = await talking(t, database())
  const { directory } = app.world
  directory.script.showTyping = () => succeed({ forwarded: true, read: true })
  for (const state of ['typing', 'recording', 'paused']) {
    const { status, body } = await app.ask(token, 'POST', `/conversations/${id}/typing`, { state })
    t.deepEqual([status, body], [200, { forwarded: true, read: true }])
    t.like(directory.asked.at(-1), {
      type: 'showTyping',
      fields: { to: message.peer, lastInboundId: message.externalMessageId, state },
    })
  }
  // The read mark of upstream is that of the row.
  t.is((await app.ask(token, 'GET', `/conversations/${id}`)).body.unreadCount, 0)
  t.is((await app.ask(token, 'POST', `/conversations/${id}/typing`, { state: 'asleep' })).status, 400)
  directory.script.showTyping = () => fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'closed'))
  const closed = await app.ask(token, 'POST', `/conversations/${id}/typing`, { state: 'typing' })
  t.deepEqual([closed.status, closed.body.code], [409, 'CHANNEL_INSTANCE_NOT_CONNECTED'])
})

// [embeds.inbox-routes.13] [embeds.typing.1]
test('nothing is shown in conversations of other numbers, nor in channels', async (t) => {
  const { app, token } = await talking(t, database())
  await receivedBy(app, app.two)
  const [beside] = (await app.ask(await app.token({ channelNumberIds: [app.two.number.id] }), 'GET', '/conversations'))
    .body.conversations
  const channel = '120363000000000002@newsletter'
  await receivedBy(app, app.one, {
    peer: channel,
    from: channel,
    conversationType: 'NEWSLETTER',
    peerName: 'Acme news',
  })
  const { conversations } = (await app.ask(token, 'GET', '/conversations')).body
  const news = conversations.find(({ type }: { type: string }) => type === 'NEWSLETTER')
  for (const [id, expected] of [
    [beside.id, [404, 'CONVERSATION_NOT_FOUND']],
    ['conv_unknown', [404, 'CONVERSATION_NOT_FOUND']],
    [news.id, [400, 'FEATURE_NOT_SUPPORTED']],
  ] as const) {
    const { status, body } = await app.ask(token, 'POST', `/conversations/${id}/typing`, { state: 'typing' })
    t.deepEqual([status, body.code], [...expected])
  }
  t.deepEqual(app.world.directory.asked, [])
})

// [embeds.typing.2] [embeds.typing.3]
test('a stream tells who writes in its conversations, without an id, and nobody who comes later', async (t) => {
  const { app, token, id } = await talking(t, database())
  const listen = (lastId = '') =>
    EventReader.open(
      t,
      `${app.client.url}/api/public/embed/stream`,
      {
        ...bearer(token, HOST_ORIGIN).headers,
        ...(lastId === '' ? {} : { 'last-event-id': lastId }),
      },
      asDescribed,
    )
  const reader = await listen()
  await reader.next('hello')
  const numberId = app.one.number.id
  await app.feed.typed({ numberId, conversationIds: ['conv_unknown'], state: 'typing' })
  await app.feed.typed({ numberId: app.two.number.id, conversationIds: [id as 'conv_'], state: 'typing' })
  await app.feed.typed({ numberId, conversationIds: ['conv_unknown', id as 'conv_'], state: 'recording' })
  const told = await reader.next('typing')
  t.deepEqual([told.id, told.data], [null, { conversationId: id, state: 'recording' }])
  t.is(reader.events.filter(({ event }) => event === 'typing').length, 1)
  const lastId = reader.lastId
  reader.cut()
  const again = await listen(lastId)
  await again.next('hello')
  await receivedBy(app, app.one)
  await again.next('message')
  t.false(again.events.some(({ event }) => event === 'typing'))
})

// [embeds.typing.3]
test('what one node hears of is told on another, names no person on the way, and is read only where somebody listens', async (t) => {
  const { app, id } = await talking(t, database())
  const clock = new FakeClock()
  const broadcast = new LocalBroadcast(silentLog)
  const passed: string[] = []
  broadcast.subscribe('inbox.typed', (text) => void passed.push(text))
  let reads = 0
  const inboxReads = new Proxy(app.stores.inboxReads, {
    get(store, name, receiver) {
      if (name === 'conversationsOf') reads++
      const value: unknown = Reflect.get(store, name, receiver)
      return typeof value === 'function' ? value.bind(store) : value
    },
  })
  const node = () =>
    openInbox(
      { clock, log: silentLog } as never,
      {
        stores: { ...app.stores, inboxReads },
        cipher: app.cipher,
        broadcast,
        onEvents: () => {},
        onChanged: () => {},
      } as never,
    )
  const [owner, other] = [node(), node()]
  t.teardown(() => [owner.endStreams(), other.endStreams()])
  const typing = { numberId: app.one.number.id, peer: PEER, state: 'typing' } as const
  owner.peerTyping(typing)
  t.is(reads, 0)
  const told: FedChange['change'][] = []
  const joined = other.inboxFeed.join(
    [app.one.number.id],
    { changed: ({ change }) => void told.push(change), ended: () => {} },
    null,
  )
  clock.advance(0)
  await joined
  clock.advance(1_000)
  owner.peerTyping(typing)
  owner.peerTyping({ ...typing, state: 'paused' })
  await until('the other node told it', () => told.some(({ type }) => type === 'typing'))
  t.deepEqual(
    told.filter(({ type }) => type === 'typing'),
    [{ type: 'typing', conversationId: id, state: 'typing' }] as never,
  )
  t.is(id, conversationIdOf(app.cipher, app.one.number.id, PEER))
  t.is(passed.length, 2)
  t.false(passed.some((text) => text.includes(PEER)))
})
