import test from 'ava'
import {
  historyOf,
  KINDS,
  newPeer,
  numbersOfBothKinds,
  reachablePeer,
  sendText,
  untilInHistory,
  untilStatus,
  write,
  type BothNumbers,
  type Kind,
} from '../helpers/message-service.ts'
import { connectOfficial, type OfficialNumber } from '../helpers/official-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let numbers: BothNumbers

test.before(async () => {
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

async function ownNumber(kind: Kind, settings?: object): Promise<PairedNumber> {
  return kind === 'OFFICIAL' ? await connectOfficial(service) : await service.pairNumber(settings)
}

async function get(number: PairedNumber, path: string): Promise<any> {
  const { status, body, text } = await service.api('GET', path, number.key)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return body
}

/** The upstream ids of the peer's messages that the peer sees as read. */
async function readIds(peer: string): Promise<string[]> {
  const { body } = await service.control('GET', `/peers/${peer}/outbox`)
  return body.messages.filter(({ isRead }: any) => isRead).map(({ externalMessageId }: any) => externalMessageId)
}

/** The peer writes some texts. Resolves to the upstream's ids once all texts are stored. */
async function written(number: PairedNumber, peer: string, texts: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const text of texts) ids.push(await write(service, peer, number, { text }))
  for (const id of ids) await untilInHistory(service, number, id)
  return ids
}

for (const kind of KINDS) {
  test(`${kind}: unread messages are counted by conversation until they are read, and the peer sees it`, async (t) => {
    const number = await ownNumber(kind)
    const [ana, ben] = [newPeer(), newPeer()]
    const ofAna = await written(number, ana, ['one', 'two', 'three'])
    const ofBen = await written(number, ben, ['four'])
    const unread = await get(number, '/v1/messages/unread')
    t.is(unread.total, 4)
    t.deepEqual(
      unread.messages.map(({ content }: any) => content),
      ['four', 'three', 'two', 'one'],
    )
    t.deepEqual(
      unread.messages.map(({ conversationUnreadCount }: any) => conversationUnreadCount),
      [1, 3, 3, 3],
    )
    const { conversations } = await get(number, '/v1/conversations')
    t.deepEqual(
      conversations.map(({ from, unreadCount, type }: any) => [from, unreadCount, type]),
      [
        [ben, 1, 'DIRECT'],
        [ana, 3, 'DIRECT'],
      ],
    )

    // Two messages from Ana: one by our id, one by the upstream's. Unknown ids are ignored.
    const [, two, one] = unread.messages.slice(1).map(({ id }: any) => id)
    const some = await service.api('POST', '/v1/messages/read', number.key, {
      messageIds: [one, ofAna[1], 'msg_00000000000000000000000000'],
    })
    t.deepEqual([some.status, some.body], [200, { read: 2 }])
    t.is((await service.api('POST', '/v1/messages/read', number.key, { messageIds: [one, two] })).body.read, 0, 'once')
    await until('Ana sees them read', async () => (await readIds(ana)).length >= 2)
    t.like(await get(number, '/v1/messages/unread'), { total: 2 })

    const conversation = conversations.find(({ from }: any) => from === ana)
    t.deepEqual(
      (await service.api('POST', '/v1/messages/read', number.key, { conversationId: conversation.id })).body,
      { read: 1 },
    )
    await until('Ana sees all read', async () => (await readIds(ana)).length === 3)
    t.deepEqual((await readIds(ana)).toSorted(), ofAna.toSorted())
    t.deepEqual(await readIds(ben), [])
    const left = await get(number, '/v1/messages/unread')
    t.deepEqual([left.total, left.messages.map(({ externalMessageId }: any) => externalMessageId)], [1, ofBen])
    t.deepEqual(
      (await get(number, '/v1/conversations')).conversations.map(({ unreadCount }: any) => unreadCount),
      [1, 0],
    )
    t.is(
      (
        await service.api('POST', '/v1/messages/read', number.key, {
          conversationId: 'conv_00000000000000000000000000',
        })
      ).status,
      404,
    )
    t.is((await service.api('POST', '/v1/messages/read', number.key, {})).status, 400)
  })

  test(`${kind}: a conversation shows its last message of either side, and the newest comes first`, async (t) => {
    const number = await ownNumber(kind)
    const [ana, ben] = [newPeer(), newPeer()]
    await written(number, ana, ['from Ana'])
    await written(number, ben, ['from Ben'])
    const { id } = await sendText(service, number, ana, 'to Ana')
    await untilStatus(service, number, id, ['READ'])
    const { conversations, total } = await get(number, '/v1/conversations')
    t.is(total, 2)
    t.deepEqual(
      conversations.map(({ from, lastMessagePreview }: any) => [from, lastMessagePreview]),
      [
        [ana, 'to Ana'],
        [ben, 'from Ben'],
      ],
    )
    for (const conversation of conversations) {
      t.regex(conversation.id, /^conv_/)
      t.is(conversation.windowExpiresAt === null, kind === 'UNOFFICIAL')
    }
    const second = await get(number, '/v1/conversations?page=2&pageSize=1')
    t.like(second, { page: 2, pageSize: 1, total: 2, totalPages: 2, conversations: { 0: { from: ben } } })
    // The peer's number in another notation belongs to the same conversation.
    await sendText(service, number, `+${ben.slice(0, 2)} (${ben.slice(2, 4)}) ${ben.slice(4)}`, 'to Ben')
    t.is((await get(number, '/v1/conversations')).total, 2)
  })

  test(`${kind}: history is filtered by direction, peer and dates, and paged without gaps`, async (t) => {
    const number = await ownNumber(kind)
    const [ana, ben] = [newPeer(), newPeer()]
    await written(number, ana, ['a1', 'a2', 'a3'])
    await written(number, ben, ['b1'])
    await untilStatus(service, number, (await sendText(service, number, ana, 'out')).id, ['READ'])
    t.deepEqual((await historyOf(service, number)).messages.map(({ content }: any) => content).toSorted(), [
      'a1',
      'a2',
      'a3',
      'b1',
    ])
    t.deepEqual(
      (await historyOf(service, number, '&direction=OUTBOUND')).messages.map(({ content, status }: any) => [
        content,
        status,
      ]),
      [['out', 'READ']],
    )
    t.is((await historyOf(service, number, `&peer=${encodeURIComponent(`+${ana}`)}`)).total, 3)
    const paged = await Promise.all(
      [1, 2, 3].map((page) => get(number, `/v1/messages/history?peer=${ana}&pageSize=1&page=${page}`)),
    )
    t.deepEqual(
      paged.map(({ messages }) => messages[0].content),
      ['a3', 'a2', 'a1'],
    )
    const [today, tomorrow] = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
    t.is(
      (
        await historyOf(
          service,
          number,
          `&startDate=${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}&endDate=${today}`,
        )
      ).total,
      4,
    )
    t.is((await historyOf(service, number, `&startDate=${tomorrow}&endDate=${tomorrow}`)).total, 0)
    const wrong = await service.api('GET', `/v1/messages/history?startDate=${tomorrow}&endDate=${today}`, number.key)
    t.deepEqual([wrong.status, wrong.body.code], [400, 'INVALID_DATE_RANGE'])
    const deep = await service.api('GET', '/v1/messages/history?page=1000&pageSize=100', number.key)
    t.deepEqual([deep.status, deep.body.code], [400, 'INVALID_PAGINATION'])
  })
}

// [numbers.settings.7]
test('UNOFFICIAL: a number with readMessages marks what comes in as read at once, and one without does not', async (t) => {
  for (const readMessages of [true, null]) {
    const number = await service.pairNumber({ readMessages })
    const [first, second] = [newPeer(), newPeer()]
    const [id = ''] = await written(number, first, ['hello'])
    if (readMessages) await until('the peer sees it read', async () => (await readIds(first)).includes(id))
    await written(number, second, ['another'])
    if (!readMessages) t.deepEqual(await readIds(first), [])
    t.is((await get(number, '/v1/messages/unread')).total, 2, 'the service itself has not shown it to anybody')
  }
})

test('UNOFFICIAL: messages that were marked read while the number was not connected count as read here', async (t) => {
  const number = await service.pairNumber()
  const peer = newPeer()
  const [id = ''] = await written(number, peer, ['hello'])
  await service.api('POST', `/v1/numbers/${number.id}/logout`, service.tenantKey)
  await service.untilState(number.id, 'CLOSE')
  t.deepEqual((await service.api('POST', '/v1/messages/read', number.key, { messageIds: [id] })).body, { read: 1 })
  t.is((await get(number, '/v1/messages/unread')).total, 0)
})

test('OFFICIAL: a message that the business writes on its own phone is in the conversation as sent, is not unread, and is told only natively', async (t) => {
  const number = numbers.OFFICIAL as OfficialNumber
  const peer = await reachablePeer(service, number)
  const echoed = await service.control('POST', `/official/numbers/${number.phoneId}/echoes`, {
    to: peer,
    text: 'from the shop',
  })
  t.true(echoed.status < 300)
  const { externalMessageId } = echoed.body
  const item = await untilInHistory(service, number, externalMessageId, `&direction=OUTBOUND&peer=${peer}`)
  t.like(item, {
    direction: 'OUTBOUND',
    status: 'SENT',
    content: 'from the shop',
    from: number.digits,
    to: peer,
    conversationUnreadCount: 1,
  })
  t.false((await storedEvents(service, number.key)).some(({ data }) => data.messageId === externalMessageId))
})

test('UNOFFICIAL: a message that the owner writes on another device is in the conversation as sent, and is not unread', async (t) => {
  const number = await service.pairNumber()
  const group = { id: '88@g.us', name: 'Own' }
  const own = await write(service, number.digits, number, { text: 'from my phone', group })
  const item = await untilInHistory(service, number, own, '&direction=OUTBOUND')
  t.like(item, {
    direction: 'OUTBOUND',
    status: 'SENT',
    content: 'from my phone',
    from: number.digits,
    groupId: group.id,
  })
  t.is((await get(number, '/v1/messages/unread')).total, 0)
})

test('calls and messages with one peer are of one conversation, in reads and in events', async (t) => {
  const number = await service.pairNumber()
  const peer = newPeer('0002')
  await write(service, peer, number, { text: 'call me' })
  const [conversation] = await until('the conversation is listed', async () => {
    const { body } = await service.api('GET', '/v1/conversations', number.key)
    return body.conversations.length > 0 ? body.conversations : null
  })
  const placed = await service.placeCall(number, peer)
  const call = await service.untilCall(number, placed.id, ['REJECTED'])
  t.is(call.conversationId, conversation.id)
  const told = (await service.events(number)).filter(({ event }) => event === 'call.ended')
  t.deepEqual(
    told.map(({ data }) => data.conversationId),
    [conversation.id],
  )
})
