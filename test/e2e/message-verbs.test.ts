import test from 'ava'
import {
  historyOf,
  inboxOf,
  newPeer,
  send,
  sendText,
  untilInHistory,
  untilStatus,
  write,
} from '../helpers/message-service.ts'
import { connectOfficial } from '../helpers/official-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

/** A message that reached a peer, with what its reader has of it. */
async function reached(more: object = {}) {
  const peer = newPeer()
  const { id } = await sendText(service, number, peer, 'at eight', more)
  const { externalMessageId } = await untilStatus(service, number, id, ['READ'])
  const item = async (): Promise<any> => {
    const { messages } = await historyOf(service, number, `&peer=${peer}&direction=OUTBOUND`)
    return messages.find((message: any) => message.id === id)
  }
  return { peer, id, externalMessageId, item }
}

const api = (method: string, id: string, body?: object) =>
  service.api(method, `/v1/messages/${encodeURIComponent(id)}`, number.key, body)

// [message-verbs.verbs.1] [message-verbs.verbs.8]
test('an edit reaches the phone of the reader, and stands in the item once it is answered', async (t) => {
  const correlationId = `order-${newPeer()}`
  const { peer, id, externalMessageId, item } = await reached({ correlationId })
  const edited = await api('PATCH', correlationId, { text: 'at nine' })
  t.is(edited.status, 200, edited.text)
  t.like(edited.body, { id, externalMessageId, content: 'at nine' })
  t.like(await item(), { content: 'at nine', editedAt: edited.body.editedAt, revokedAt: null, status: 'READ' })
  const [shown] = await inboxOf(service, peer, number)
  t.like(shown, { externalMessageId, text: 'at nine', revokedAt: null })
  t.truthy(shown.editedAt)
  t.false(
    (await storedEvents(service, number.key)).some(({ data }) => data.content === 'at nine'),
    'nothing tells of it',
  )
})

// [message-verbs.verbs.2] [message-verbs.verbs.8] [events.data.12]
test('a message is taken back from its reader, and event message.revoked tells of it once', async (t) => {
  const { peer, id, externalMessageId, item } = await reached()
  const revoked = await api('DELETE', externalMessageId)
  t.is(revoked.status, 200, revoked.text)
  t.deepEqual(revoked.body, { id, externalMessageId, revokedAt: revoked.body.revokedAt })
  t.like(await item(), { content: null, revokedAt: revoked.body.revokedAt, status: 'READ' })
  const [shown] = await inboxOf(service, peer, number)
  t.like(shown, { externalMessageId, text: null })
  t.truthy(shown.revokedAt)
  const told = (await storedEvents(service, number.key)).filter(
    ({ event, data }) => event === 'message.revoked' && data.messageId === externalMessageId,
  )
  t.deepEqual(
    told.map(({ data }) => data),
    [
      {
        id,
        messageId: externalMessageId,
        channelNumberId: number.id,
        correlationId: id,
        fromMe: true,
        createdAt: revoked.body.revokedAt,
      },
    ],
  )
  for (const [method, body] of [
    ['DELETE', undefined],
    ['PATCH', { text: 'again' }],
  ] as const) {
    const late = await api(method, id, body)
    t.deepEqual([late.status, late.body.code], [409, 'MESSAGE_INVALID_STATE'])
  }
})

// [message-verbs.verbs.3] [message-verbs.verbs.10]
test('a peer is shown that the number types, once a second, and on OFFICIAL her last message is read by it', async (t) => {
  const shown = async (peer: string) =>
    (await service.control('GET', `/peers/${peer}/typing`)).body.typing.map(({ from, state }: any) => [from, state])
  const type = (of: PairedNumber, body: object) => service.api('POST', '/v1/messages/typing', of.key, body)
  const peer = newPeer()
  t.deepEqual((await type(number, { to: peer, state: 'recording' })).body, { forwarded: true, read: false })
  t.deepEqual(await shown(peer), [[number.digits, 'recording']])
  const official = await connectOfficial(service)
  t.deepEqual((await type(official, { to: newPeer(), state: 'typing' })).body, { forwarded: false, read: false })
  const user = newPeer()
  const written = await untilInHistory(service, official, await write(service, user, official))
  const { conversationId } = written
  t.is(written.conversationUnreadCount, 1)
  t.deepEqual((await type(official, { conversationId, state: 'typing' })).body, { forwarded: true, read: true })
  t.deepEqual(await shown(user), [[official.digits, 'typing']])
  t.is((await untilInHistory(service, official, written.externalMessageId)).conversationUnreadCount, 0)
  const soon = await Promise.all(['typing', 'paused', 'typing'].map((state) => type(number, { to: peer, state })))
  t.true(soon.filter(({ body }) => body.forwarded).length <= 1)
})

// [message-verbs.verbs.9]
test("what somebody else wrote, what waits, and what is another number's cannot be changed", async (t) => {
  const peer = newPeer()
  const inbound = await write(service, peer, number)
  const deliverAt = new Date(Date.now() + 3_600_000).toISOString()
  const { id: waiting } = await send(service, number, { destinationNumber: peer, text: 'later', deliverAt })
  const { id } = await reached()
  const other = await service.pairNumber()
  const foreign = await service.api('DELETE', `/v1/messages/${id}`, other.key)
  t.is(foreign.status, 404)
  for (const [what, ...expected] of [
    [waiting, 409, 'MESSAGE_INVALID_STATE'],
    [inbound, 409, 'MESSAGE_INVALID_STATE'],
  ] as const) {
    const { status, body } = await api('DELETE', what)
    t.deepEqual([status, body.code], expected)
  }
})

// [message-verbs.none.1] [message-verbs.none.2]
test('votes, headers and keys make no unread message, and an invitation is one with its words', async (t) => {
  const peer = newPeer()
  for (const type of ['pollUpdate', 'encReaction', 'secretEncrypted', 'album', 'e2e_notification', 'statusMention'])
    await write(service, peer, number, { type, content: { type } })
  const invited = await write(service, peer, number, {
    type: 'groupInvite',
    content: { type: 'groupInvite', groupInvite: { groupName: 'Runners', caption: 'Join us' } },
  })
  t.like(await untilInHistory(service, number, invited), { content: 'Runners\nJoin us', conversationUnreadCount: 1 })
  const { messages } = await historyOf(service, number, `&peer=${peer}`)
  t.is(messages.length, 1)
})
