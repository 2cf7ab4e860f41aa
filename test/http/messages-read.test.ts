import test from 'ava'
import type { ExecutionContext } from 'ava'
import { fail, refuse } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import * as conversations from '../../src/http/routes/conversations/schema.ts'
import * as schema from '../../src/http/routes/messages/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import type { Referral } from '../../src/domain/referral.ts'

async function open(t: ExecutionContext) {
  const world = new World()
  const client = await serve(t, world)
  const get = (path: string, key = world.numberKey.raw) => client.send('GET', path, { key })
  const send = (method: string, path: string, body: unknown) =>
    client.send(method, path, { key: world.numberKey.raw, body })
  return { world, client, get, send, number: world.number }
}

// [messages.routes.1]
test('a message is read by its id, its correlationId or its upstream id', async (t) => {
  const { world, get, number } = await open(t)
  const message = world.messages.add(number, {
    direction: 'OUTBOUND',
    status: 'FAILED',
    to: '5511999990001',
    correlationId: 'order 4711/a',
    externalMessageId: 'wamid.HBg+/=',
    sentAt: new Date(1_000),
    failedAt: new Date(2_000),
    errorCode: 'CHANNEL_NOT_EXIST',
    errorMessage: 'not registered',
  })
  for (const id of [message.id, 'order 4711/a', 'wamid.HBg+/=']) {
    const { status, body } = await get(`/v1/messages/${encodeURIComponent(id)}`)
    t.is(status, 200, id)
    t.deepEqual(schema.message.parse(body), body)
    t.like(body, {
      id: message.id,
      status: 'FAILED',
      direction: 'OUTBOUND',
      destinationNumber: '5511999990001',
      correlationId: 'order 4711/a',
      externalMessageId: 'wamid.HBg+/=',
      type: 'text',
      template: null,
      createdAt: message.createdAt.toISOString(),
      sentAt: '1970-01-01T00:00:01.000Z',
      deliveredAt: null,
      readAt: null,
      failedAt: '1970-01-01T00:00:02.000Z',
      errorCode: 'CHANNEL_NOT_EXIST',
      errorMessage: 'not registered',
    })
  }
})

test('a message of another number, an unknown one and an endless id are 404 without a code', async (t) => {
  const { world, get } = await open(t)
  const foreign = world.messages.add(world.foreignNumber, { correlationId: 'theirs' })
  for (const id of [foreign.id, 'theirs', 'msg_00000000000000000000000000', 'a'.repeat(256)]) {
    const { status, body } = await get(`/v1/messages/${id}`)
    t.deepEqual([status, body.code], [404, undefined])
  }
  t.false(world.messages.asked.includes('a'.repeat(256)))
})

// [messages.routes.2]
test('messages that wait are canceled, others are told with a reason', async (t) => {
  const { world, send, number } = await open(t)
  const waiting = world.messages.add(number, { status: 'QUEUED' })
  const sent = world.messages.add(number, { status: 'SENT' })
  const foreign = world.messages.add(world.foreignNumber, { status: 'QUEUED' })
  const { status, body } = await send('DELETE', '/v1/messages/cancel', {
    messageIds: [waiting.id, sent.id, foreign.id, waiting.id],
  })
  t.is(status, 200)
  t.deepEqual(schema.canceled.parse(body), body)
  t.deepEqual([body.cancelled, body.failed.map(({ id }: { id: string }) => id)], [[waiting.id], [sent.id, foreign.id]])
  for (const messageIds of [[], Array.from({ length: 101 }, () => 'a'), ['a'.repeat(256)], 'a', undefined])
    t.is((await send('DELETE', '/v1/messages/cancel', { messageIds })).status, 400)
})

// [messages.routes.3] [rest.paging.1]
test('history is a page of one direction, newest first, inbound unless asked', async (t) => {
  const { world, get, number } = await open(t)
  for (let i = 0; i < 5; i++) world.messages.add(number)
  const outbound = world.messages.add(number, { direction: 'OUTBOUND', status: 'SENT' })
  world.messages.add(world.foreignNumber)
  const { body } = await get('/v1/messages/history?page=2&pageSize=2')
  t.deepEqual(schema.messagePage.parse(body), body)
  t.like(body, { total: 5, page: 2, pageSize: 2, totalPages: 3, notice: undefined })
  t.deepEqual(
    body.messages.map(({ externalMessageId }: any) => externalMessageId),
    ['ext-2', 'ext-1'],
  )
  const { body: sent } = await get('/v1/messages/history?direction=OUTBOUND&peer=%2B55%2011%2099999-0001')
  t.deepEqual(
    sent.messages.map(({ id }: any) => id),
    [outbound.id],
  )
  t.like(world.messages.asked.at(-1), {
    direction: 'OUTBOUND',
    peer: '5511999990001',
    startDate: null,
    endDate: null,
    page: 1,
    pageSize: 30,
  })
  t.is((await get('/v1/messages/history?direction=BOTH')).status, 400)
  await get('/v1/messages/history?peer=120363000000000001%40g.us')
  t.like(world.messages.asked.at(-1), { peer: '120363000000000001@g.us' })
})

test('history takes the id of a user who hides the number on OFFICIAL numbers, and is 400 FEATURE_NOT_SUPPORTED on others', async (t) => {
  const world = new World()
  const { key } = world.addOfficial()
  const client = await serve(t, world)
  t.is((await client.send('GET', '/v1/messages/history?peer=US.13491', { key: key.raw })).status, 200)
  t.like(world.messages.asked.at(-1), { peer: 'US.13491' })
  const { status, body } = await client.send('GET', '/v1/messages/history?peer=US.13491', { key: world.numberKey.raw })
  t.deepEqual([status, body.code], [400, 'FEATURE_NOT_SUPPORTED'])
})

const REFERRAL: Referral = {
  sourceId: '120219999999999999',
  sourceType: 'ad',
  sourceUrl: 'https://fb.me/x',
  headline: 'Shoes',
  body: 'New ones',
  mediaType: 'image',
  imageUrl: 'https://cdn.example/a.jpg',
  videoUrl: null,
  thumbnailUrl: null,
  welcomeMessage: 'Hello',
  ctwaClid: 'click',
  adName: 'Ad',
  adsetId: '2',
  adsetName: 'Set',
  campaignId: '3',
  campaignName: 'Campaign',
  namesResolvedAt: new Date('2026-01-05T12:00:00Z'),
}

// [messages.item.4] [referrals.objects.2] [messages.item.1] [media.inbound.2] [rest.surface.2] [rest.surface.3]
test('an item shows media by the kind of number, and what else the message says', async (t) => {
  const { world, get, number } = await open(t)
  const media = { id: null, url: 'https://files.example/a.jpg', mimeType: 'image/jpeg', fileName: 'a.jpg' }
  const message = world.messages.add(number, {
    type: 'image',
    quotedMessageId: 'ext-9',
    content: {
      text: 'Look',
      media,
      location: { latitude: 1 },
      contacts: [{ name: 'Bo' }],
      reaction: { messageId: 'ext-1', emoji: null },
      interactive: { id: 'yes' },
    },
    referral: REFERRAL,
  })
  const { body } = await get('/v1/messages/history')
  t.deepEqual(body.messages, [
    {
      id: message.id,
      conversationId: 'conv_1',
      direction: 'INBOUND',
      type: 'image',
      content: 'Look',
      from: '5511999990001',
      to: number.number,
      fromName: 'Ana',
      externalMessageId: 'ext-0',
      status: 'RECEIVED',
      quotedMessageId: 'ext-9',
      media: { provider: 'UNOFFICIAL', ...media },
      referral: { ...REFERRAL, namesResolvedAt: '2026-01-05T12:00:00.000Z' },
      reaction: { messageId: 'ext-1', emoji: null },
      location: { latitude: 1 },
      contacts: [{ name: 'Bo' }],
      interactive: { id: 'yes' },
      upstream: null,
      editedAt: null,
      revokedAt: null,
      redacted: false,
      createdAt: message.createdAt.toISOString(),
      sentAt: null,
      deliveredAt: null,
      readAt: null,
      failedAt: null,
      groupId: null,
      groupName: null,
      conversationUnreadCount: 0,
    },
  ])
})

test('dates are inclusive, and a plain end date takes its whole day in', async (t) => {
  const { world, get } = await open(t)
  const range = async (query: string) => {
    const { status } = await get(`/v1/messages/history?${query}`)
    const { startDate, endDate } = world.messages.asked.at(-1) as { startDate: Date | null; endDate: Date | null }
    return [status, startDate?.toISOString(), endDate?.toISOString()]
  }
  t.deepEqual(await range('startDate=2026-01-05&endDate=2026-01-05'), [
    200,
    '2026-01-05T00:00:00.000Z',
    '2026-01-05T23:59:59.999Z',
  ])
  t.deepEqual(await range('startDate=2026-01-05T10:00:00Z'), [200, '2026-01-05T10:00:00.000Z', undefined])
  t.deepEqual(await range('endDate=2026-01-05T10:00:00%2B02:00'), [200, undefined, '2026-01-05T08:00:00.000Z'])
  t.deepEqual(await range('endDate=2026-01-05T10:00:00+02:00'), [200, undefined, '2026-01-05T08:00:00.000Z'])
})

// [rest.errors.15]
for (const path of ['/v1/messages/history', '/v1/messages/group']) {
  test(`dates of ${path} that are none or in the wrong order are INVALID_DATE_RANGE`, async (t) => {
    const { world, get } = await open(t)
    for (const query of [
      'startDate=yesterday',
      'endDate=2026-02-30',
      'endDate=',
      'startDate=1767614400',
      'startDate=2026-01-06&endDate=2026-01-05',
      'startDate=2026-01-05&startDate=2026-01-06',
    ]) {
      const { status, body } = await get(`${path}?${query}`)
      t.deepEqual([status, body.code], [400, 'INVALID_DATE_RANGE'], query)
    }
    t.deepEqual(world.messages.asked, [])
  })
}

// [rest.errors.16]
for (const path of ['/v1/messages/history', '/v1/messages/group', '/v1/messages/unread', '/v1/conversations']) {
  test(`pages of ${path} are read kindly, and not beyond 10,000 rows`, async (t) => {
    const { get } = await open(t)
    const paging = async (query: string) => {
      const { body } = await get(`${path}?${query}`)
      return [body.page, body.pageSize]
    }
    t.deepEqual(await paging(''), [1, 30])
    for (const odd of ['0', '-1', 'two', '1.5', ''])
      t.deepEqual(await paging(`page=${odd}&pageSize=${odd}`), [1, 30], odd)
    t.deepEqual(await paging('page=2&page=3'), [1, 30])
    t.deepEqual(await paging('page=3&pageSize=1000'), [3, 100])
    t.deepEqual(await paging('page=100&pageSize=100'), [100, 100])
    for (const deep of ['page=101&pageSize=100', 'page=334', 'page=999999999999999']) {
      const { status, body } = await get(`${path}?${deep}`)
      t.deepEqual([status, body.code], [400, 'INVALID_PAGINATION'], deep)
    }
  })
}

// [messages.routes.4] [messages.routes.5]
test('unread and group messages carry their conversation', async (t) => {
  const { world, get, number } = await open(t)
  world.messages.add(number, { conversationUnreadCount: 3 })
  world.messages.add(number, { groupId: '1203@g.us', groupName: 'Support' })
  const unread = await get('/v1/messages/unread')
  t.deepEqual(schema.messagePage.parse(unread.body), unread.body)
  t.deepEqual(
    unread.body.messages.map(({ conversationUnreadCount }: any) => conversationUnreadCount),
    [3],
  )
  const group = await get('/v1/messages/group?groupId=1203%40g.us')
  t.like(group.body.messages[0], { groupId: '1203@g.us', groupName: 'Support' })
  t.like(world.messages.asked.at(-1), { groupId: '1203@g.us' })
  const official = world.addOfficial()
  t.deepEqual((await get('/v1/messages/group', official.key.raw)).body.messages, [])
})

test('content that privacy withholds is null, and a notice says why', async (t) => {
  const { world, get, number } = await open(t)
  world.messages.add(number, {
    content: null,
    from: null,
    fromName: null,
    to: null,
    isRedacted: true,
    conversationUnreadCount: 1,
  })
  world.messages.talk(number, { peer: null, peerName: null, lastMessagePreview: null })
  const paths = ['/v1/messages/history', '/v1/messages/unread', '/v1/conversations']
  const notices = async () => Promise.all(paths.map(async (path) => (await get(path)).body.notice))
  t.like((await get('/v1/messages/history')).body.messages[0], {
    content: null,
    from: null,
    to: null,
    fromName: null,
    media: null,
    redacted: true,
  })
  t.deepEqual(await notices(), [undefined, undefined, undefined])
  world.numbers.put({ id: number.id, piiMode: 'STORE_X_DAYS', piiRetentionDays: 7 })
  t.deepEqual(await notices(), ['PII_RETENTION_WINDOW', 'PII_RETENTION_WINDOW', 'PII_RETENTION_WINDOW'])
  world.messages.rows.splice(0)
  t.is((await get('/v1/messages/history')).body.notice, undefined)
  world.numbers.put({ id: number.id, piiMode: 'RELAY_ONLY' })
  t.deepEqual(await notices(), ['PII_RELAY_ONLY', 'PII_RELAY_ONLY', 'PII_RELAY_ONLY'])
})

// [messages.routes.7] [messages.routes.8]
test('conversations show whom they are with and until when free texts may be sent', async (t) => {
  const { world, get, number } = await open(t)
  const talk = world.messages.talk(number, { windowExpiresAt: new Date(86_400_000) })
  world.messages.talk(world.foreignNumber)
  const { body } = await get('/v1/conversations')
  t.deepEqual(conversations.conversationPage.parse(body), body)
  t.deepEqual(body.conversations, [
    {
      id: talk.id,
      type: 'DIRECT',
      from: '5511999990001',
      fromName: 'Ana',
      identities: [{ kind: 'PHONE', value: '5511999990001', since: '1970-01-01T00:00:00.000Z' }],
      unreadCount: 2,
      lastMessageAt: '1970-01-01T00:00:01.000Z',
      lastMessagePreview: 'Hi',
      windowExpiresAt: '1970-01-02T00:00:00.000Z',
      createdAt: '1970-01-01T00:00:00.000Z',
    },
  ])
  t.like(body, { total: 1, totalPages: 1 })
})

// [messages.routes.6]
test('a conversation or some messages are marked read, and upstream is told behind the answer', async (t) => {
  const { world, send, number } = await open(t)
  const talk = world.messages.talk(number)
  const [one, two] = [
    world.messages.add(number, { conversationId: talk.id }),
    world.messages.add(number, { conversationId: talk.id }),
  ]
  world.directory.script = { ReadMessages: () => fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'closed')) }
  t.deepEqual((await send('POST', '/v1/messages/read', { conversationId: talk.id })).body, { read: 2 })
  t.deepEqual(world.directory.asked[0], {
    type: 'ReadMessages',
    fields: { externalMessageIds: [one.externalMessageId, two.externalMessageId] },
  })
  world.directory.script = { ReadMessages: () => new Promise(() => {}) }
  t.deepEqual((await send('POST', '/v1/messages/read', { messageIds: [one.id, one.id, 'unknown'] })).body, { read: 1 })
  t.deepEqual((await send('POST', '/v1/messages/read', { messageIds: ['unknown'] })).body, { read: 0 })
  t.is(world.directory.asked.length, 2, 'nobody is asked when nothing was unread')
})

test('a request to mark as read names exactly one target, and one of its own number', async (t) => {
  const { world, send } = await open(t)
  const foreign = world.messages.talk(world.foreignNumber)
  for (const conversationId of [foreign.id, newId('conv')])
    t.deepEqual((await send('POST', '/v1/messages/read', { conversationId })).status, 404)
  for (const body of [{}, { conversationId: 'a', messageIds: ['b'] }, { messageIds: [] }, { conversationId: '' }])
    t.is((await send('POST', '/v1/messages/read', body)).status, 400)
  t.deepEqual(world.directory.asked, [])
})
