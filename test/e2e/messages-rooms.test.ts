import test from 'ava'
import { png } from '../files/make-media.ts'
import {
  historyOf,
  newPeer,
  numbersOfBothKinds,
  send,
  untilInHistory,
  untilTold,
  write,
  type BothNumbers,
} from '../helpers/message-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import { Receiver } from '../helpers/receiver.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let numbers: BothNumbers
let receiver: Receiver

test.before(async () => {
  receiver = await Receiver.open()
  service = await joinService()
  numbers = await numbersOfBothKinds(service)
})

test.after.always(async () => {
  await receiver?.close()
})

/** The events of a number. It waits for a last message, so that all earlier events are there. */
async function toldUntilLast(number: PairedNumber): Promise<string[]> {
  const last = await write(service, newPeer(), number, { text: 'last' })
  await untilTold(service, number, 'message.received', last)
  return (await storedEvents(service, number.key))
    .filter(({ data }) => data.messageId !== last && data.messageId !== undefined)
    .map(({ data }) => data.messageId)
}

async function patch(number: PairedNumber, settings: object): Promise<void> {
  const { status, text } = await service.api('PATCH', `/v1/numbers/${number.id}`, service.tenantKey, { settings })
  if (status !== 200) throw new Error(text)
}

test('messages of a group are told as message.group, listed with their group, and form one conversation', async (t) => {
  const number = numbers.UNOFFICIAL
  const [ana, ben] = [newPeer(), newPeer()]
  const id = `${ana}@g.us`
  const first = await write(service, ana, number, { text: 'hi all', group: { id, name: 'Friends' }, fromName: 'Ana' })
  const second = await write(service, ben, number, { text: 'hi Ana', group: { id, name: 'Friends' }, fromName: 'Ben' })
  const { data } = await untilTold(service, number, 'message.group', first)
  t.like(data, {
    from: `+${ana}`,
    participantName: 'Ana',
    groupId: id,
    groupName: 'Friends',
    content: 'hi all',
    to: `+${number.digits}`,
    fromMe: false,
  })
  await untilTold(service, number, 'message.group', second)
  const { body } = await service.api('GET', `/v1/messages/group?groupId=${id}`, number.key)
  t.like(body, { total: 2, page: 1, totalPages: 1 })
  t.deepEqual(
    body.messages.map(({ from, groupId, groupName }: any) => [from, groupId, groupName]),
    [
      [ben, id, 'Friends'],
      [ana, id, 'Friends'],
    ],
  )
  const {
    body: { conversations },
  } = await service.api('GET', '/v1/conversations', number.key)
  const [conversation, ...others] = conversations.filter(({ from }: any) => from === id)
  t.like(conversation, {
    type: 'GROUP',
    from: id,
    fromName: 'Friends',
    unreadCount: 2,
    lastMessagePreview: 'hi Ana',
    windowExpiresAt: null,
  })
  t.deepEqual(others, [])
  // The messages that we sent are listed separately.
  const { id: sent } = await send(service, number, { groupId: id, text: 'welcome' })
  const ours = await until('ours is listed', async () => {
    const { body: page } = await service.api('GET', `/v1/messages/group?groupId=${id}&direction=OUTBOUND`, number.key)
    return page.total === 1 ? page : null
  })
  t.like(ours.messages[0], { id: sent, direction: 'OUTBOUND', to: id, groupName: 'Friends' })
  t.is((await service.api('GET', `/v1/messages/group?groupId=${id}&pageSize=1`, number.key)).body.totalPages, 2)
})

// [numbers.settings.3] [events.subscription.5]
test('posts of channels are told as message.newsletter and are dropped when the number ignores them', async (t) => {
  const number = await service.pairNumber()
  const newsletter = { id: '55@newsletter', name: 'News' }
  const post = await write(service, newPeer(), number, { text: 'extra', newsletter })
  const { data } = await untilTold(service, number, 'message.newsletter', post)
  t.like(data, { from: newsletter.id, participantName: 'News', content: 'extra' })
  const {
    body: {
      conversations: [conversation],
    },
  } = await service.api('GET', '/v1/conversations', number.key)
  t.like(conversation, { type: 'NEWSLETTER', from: newsletter.id, fromName: 'News' })
  await patch(number, { ignoreNewsletters: true })
  const ignored = await write(service, newPeer(), number, { text: 'more', newsletter })
  t.deepEqual(await toldUntilLast(number), [post])
  const { body } = await service.api('GET', '/v1/conversations', number.key)
  t.false(JSON.stringify(body).includes('more'))
  t.is((await service.api('GET', `/v1/messages/${ignored}`, number.key)).status, 404)
  await patch(number, { ignoreNewsletters: false })
  const again = await write(service, newPeer(), number, { text: 'again', newsletter })
  await untilTold(service, number, 'message.newsletter', again)
})

// [numbers.settings.7]
test('a number that ignores groups stores and tells nothing of them, and hears its direct messages', async (t) => {
  const number = await service.pairNumber({ ignoreGroups: true })
  const ignored = await write(service, newPeer(), number, { text: 'noise', group: '66@g.us' })
  t.deepEqual(await toldUntilLast(number), [])
  t.is((await service.api('GET', `/v1/messages/${ignored}`, number.key)).status, 404)
  t.is((await service.api('GET', '/v1/messages/group', number.key)).body.total, 0)
})

// [events.data.10]
test('stories are asked of the engine only while a webhook wants them, are told without `to`, and are not stored', async (t) => {
  const number = await service.pairNumber()
  const peer = newPeer()
  const isAsked = async () =>
    (await service.control('GET', `/devices/${number.digits}`)).body.settings.ignoreStatus === false
    || (await service.control('GET', `/devices/${number.digits}`)).body.settings.ignoreStatus === null
  const post = async () =>
    (
      await service.control('POST', `/peers/${peer}/messages`, {
        to: number.digits,
        type: 'image',
        text: 'my day',
        story: true,
        media: { base64: (await png()).toString('base64'), mimeType: 'image/png' },
      })
    ).body
  t.false(await isAsked())
  t.is((await post()).isDelivered, false)
  const hook = await service.api('POST', '/v1/webhooks', number.key, {
    url: receiver.endpoint('/stories'),
    events: ['message.stories'],
  })
  await until('the engine is asked', isAsked)
  const story = await post()
  t.true(story.isDelivered)
  const [arrival] = await receiver.until('/stories', 1)
  const { event, data } = JSON.parse(String(arrival?.body))
  t.is(event, 'message.stories')
  t.false('to' in data)
  t.like(data, { messageId: story.externalMessageId, from: `+${peer}`, type: 'image', mediaCaption: 'my day' })
  t.deepEqual(Buffer.from(await (await fetch(data.mediaLink)).arrayBuffer()), await png())
  t.is((await service.api('GET', `/v1/messages/${story.externalMessageId}`, number.key)).status, 404)
  t.is((await historyOf(service, number)).total, 0)
  t.deepEqual((await service.api('GET', '/v1/conversations', number.key)).body.conversations, [])
  // Nobody is asked when the number's settings ignore statuses, and when no webhook wants them.
  await patch(number, { ignoreStatus: true })
  await until('the engine is not asked', async () => !(await isAsked()))
  await patch(number, { ignoreStatus: null })
  await until('the engine is asked', isAsked)
  await service.api('DELETE', `/v1/webhooks/${hook.body.id}`, number.key)
  await until('the engine is not asked', async () => !(await isAsked()))
})

for (const [imports, delivers] of [
  [true, true],
  [true, false],
  [false, true],
] as const) {
  // [numbers.settings.2] [numbers.settings.4] [events.subscription.7] [events.subscription.8]
  test(`history of the device is ${imports ? 'imported' : 'not imported'} and ${imports && delivers ? 'told' : 'not told'} with historyImportEnabled ${imports} and webhookHistoricalMessages ${delivers}`, async (t) => {
    const number = await service.pairNumber({ historyImportEnabled: imports, webhookHistoricalMessages: delivers })
    const peer = newPeer()
    const at = Date.now() - 30 * 86_400_000
    const old = [0, 1].map((step) => ({
      from: peer,
      text: `old ${step}`,
      timestamp: at + step * 1_000,
      fromName: 'Ana',
    }))
    const { body } = await service.control('POST', `/devices/${number.digits}/history`, { messages: old })
    t.is(body.delivered, imports ? 2 : 0)
    const {
      body: { messages: outbox },
    } = await service.control('GET', `/peers/${peer}/outbox`)
    for (const { externalMessageId } of outbox) await untilInHistory(service, number, externalMessageId)
    t.deepEqual(
      await toldUntilLast(number),
      imports && delivers ? outbox.map(({ externalMessageId }: any) => externalMessageId) : [],
    )
    const { messages } = await historyOf(service, number, `&peer=${peer}`)
    t.deepEqual(
      messages.map(({ content, createdAt }: any) => [content, createdAt]),
      imports ? [1, 0].map((step) => [`old ${step}`, new Date(at + step * 1_000).toISOString()]) : [],
    )
    // Messages of the history are not unread.
    t.is((await service.api('GET', '/v1/messages/unread', number.key)).body.total, 1)
  })
}

// [groups.groups.2] [groups.groups.3] [groups.groups.4]
test('groups are made, read and changed on the device, and channels are listed', async (t) => {
  const number = await service.pairNumber()
  const [ana, ben] = [newPeer(), newPeer()]
  t.deepEqual((await service.api('GET', '/v1/groups', number.key)).body, { groups: [] })
  const made = await service.api('POST', '/v1/groups', number.key, { subject: 'Support', participants: [`+${ana}`] })
  t.is(made.status, 201)
  t.regex(made.body.id, /@g\.us$/)
  t.is(made.body.name, 'Support')
  const path = `/v1/groups/${made.body.id}`
  const members = async () =>
    (await service.api('GET', path, number.key)).body.participants.map((one: any) => one.number).toSorted()
  t.deepEqual(await members(), [ana, number.digits].toSorted())
  t.is((await service.api('POST', `${path}/participants`, number.key, { participants: [ben] })).status, 200)
  t.deepEqual(await members(), [ana, ben, number.digits].toSorted())
  t.is((await service.api('DELETE', `${path}/participants`, number.key, { participants: [ana] })).status, 200)
  t.deepEqual(await members(), [ben, number.digits].toSorted())
  t.deepEqual((await service.api('GET', '/v1/groups', number.key)).body, {
    groups: [{ id: made.body.id, name: 'Support' }],
  })
  t.is((await service.api('GET', '/v1/groups/999@g.us', number.key)).status, 404)
  const { body: channel } = await service.control('POST', `/devices/${number.digits}/newsletters`, { name: 'News' })
  t.deepEqual((await service.api('GET', '/v1/newsletters', number.key)).body, {
    newsletters: [{ id: channel.id, name: 'News' }],
  })
})

test('numbers are checked in the order they were given, by the number key or by the tenant key that names the number', async (t) => {
  const number = numbers.UNOFFICIAL
  const [known, unknown] = ['+55 11 99999-0001', '5511999990004']
  const body = { numbers: [known, unknown] }
  const byNumber = await service.api('POST', '/v1/numbers/check', number.key, body)
  t.is(byNumber.status, 200)
  t.deepEqual(
    byNumber.body.map(({ input, exists, number: digits }: any) => [input, exists, digits]),
    [
      [known, true, '5511999990001'],
      [unknown, false, byNumber.body[1].number],
    ],
  )
  const byTenant = await service.api('POST', '/v1/numbers/check', service.tenantKey, body, {
    'x-channel-number-id': number.id,
  })
  t.deepEqual(byTenant.body, byNumber.body)
  t.is((await service.api('POST', '/v1/numbers/check', number.key, { numbers: [] })).status, 400)
  t.is((await service.api('POST', '/v1/numbers/check', number.key, { numbers: Array(101).fill(known) })).status, 400)
})

test('routes that ask the device answer 409 while the number is not connected, and 400 on OFFICIAL numbers', async (t) => {
  const number = await service.pairNumber()
  await service.api('POST', `/v1/numbers/${number.id}/logout`, service.tenantKey)
  await service.untilState(number.id, 'CLOSE')
  const asks: [method: string, path: string, body?: object][] = [
    ['GET', '/v1/groups'],
    ['POST', '/v1/groups', { subject: 'a' }],
    ['GET', '/v1/groups/1@g.us'],
    ['POST', '/v1/groups/1@g.us/participants', { participants: [newPeer()] }],
    ['DELETE', '/v1/groups/1@g.us/participants', { participants: [newPeer()] }],
    ['GET', '/v1/newsletters'],
    ['POST', '/v1/numbers/check', { numbers: [newPeer()] }],
  ]
  for (const [method, path, body] of asks) {
    const closed = await service.api(method, path, number.key, body)
    t.deepEqual([closed.status, closed.body.code], [409, 'CHANNEL_INSTANCE_NOT_CONNECTED'], `${method} ${path}`)
    const official = await service.api(method, path, numbers.OFFICIAL.key, body)
    t.deepEqual([official.status, official.body.code], [400, 'FEATURE_NOT_SUPPORTED'], `${method} ${path}`)
  }
  // Reads of stored messages still work.
  for (const path of ['/v1/messages/history', '/v1/messages/unread', '/v1/messages/group', '/v1/conversations'])
    t.is((await service.api('GET', path, number.key)).status, 200, path)
})
