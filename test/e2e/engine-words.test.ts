import test from 'ava'
import {
  eventsOf,
  failSends,
  historyOf,
  inboxOf,
  newPeer,
  sendRequests,
  sendText,
  untilEvents,
  untilStatus,
  untilTold,
} from '../helpers/message-service.ts'
import { storedEvents } from '../helpers/receiver-ledger.ts'
import type { PairedNumber, Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

let service: Service
let number: PairedNumber

test.before(async () => {
  service = await joinService()
  number = await service.pairNumber()
})

async function read(one: PairedNumber): Promise<any> {
  return (await service.api('GET', `/v1/numbers/${one.id}`, service.tenantKey)).body
}

async function phone(one: PairedNumber, act: string, body: object = {}): Promise<any> {
  const { status, body: answer, text } = await service.control('POST', `/devices/${one.digits}/${act}`, body)
  if (status >= 300) throw new Error(`${act}: ${status} ${text}`)
  return answer
}

async function item(peer: string, externalMessageId: string): Promise<any> {
  return await until(`${externalMessageId} is in the history`, async () =>
    (await historyOf(service, number, `&peer=${peer}&direction=OUTBOUND`)).messages.find(
      (one: any) => one.externalMessageId === externalMessageId,
    ),
  )
}

// [engines.bridge.1] [engines.bridge.6]
test('a number shows the engine that holds it, and how the network thinks of it', async (t) => {
  // A number of its own: what a link had not acknowledged when it broke is told again, and another test breaks one.
  const one = await service.pairNumber()
  t.like(await read(one), { engine: { name: 'sandbox' } })
  t.true((await read(one)).engine.capabilities.includes('callAudio'))
  await phone(one, 'health', { level: 'restricted', code: '463', text: 'Nobody new can be written to' })
  await until('the warning is shown', async () => (await read(one)).health.level === 'restricted')
  t.like((await read(one)).health, { level: 'restricted', code: '463', text: 'Nobody new can be written to' })
  await phone(one, 'health', { level: 'ok' })
  await until('it is over', async () => (await read(one)).health.level === 'ok')
  t.like((await read(one)).health, { code: null, text: null })
})

// [engines.bridge.4]
test('a message that the owner writes on the phone is a sent message of the number, and is told once as such', async (t) => {
  const peer = newPeer()
  const { externalMessageId } = await phone(number, 'messages', { to: peer, text: 'from my pocket' })
  const { data } = await untilTold(service, number, 'message.sent', externalMessageId)
  t.like(data, {
    fromMe: true,
    from: `+${number.digits}`,
    to: `+${peer}`,
    destination: `+${peer}`,
    type: 'text',
    content: 'from my pocket',
    correlationId: null,
    channelNumberId: number.id,
    groupId: null,
  })
  t.is(data.id, data.internalMessageId)
  t.like(await item(peer, externalMessageId), { id: data.id, direction: 'OUTBOUND', content: 'from my pocket' })
  t.like(await untilStatus(service, number, data.id, ['READ']), { externalMessageId, status: 'READ' })
  await phone(number, 'drop')
  const { externalMessageId: next } = await phone(number, 'messages', { to: peer, text: 'second' })
  await untilTold(service, number, 'message.sent', next)
  const told = (await storedEvents(service, number.key)).filter(
    ({ data: { messageId, id } }) => messageId === externalMessageId && id !== undefined,
  )
  t.deepEqual(
    told.map(({ event }) => event),
    ['message.sent'],
  )
  const { unreadCount } = (await service.api('GET', '/v1/conversations', number.key)).body.conversations.find(
    ({ from }: any) => from === peer,
  )
  t.is(unreadCount, 0)
})

// [engines.bridge.5]
test('the history shows messages that the owner wrote on the phone in their current state, also after an edit or a revocation there', async (t) => {
  const peer = newPeer()
  const { externalMessageId: edited } = await phone(number, 'messages', { to: peer, text: 'frist' })
  const { externalMessageId: revoked } = await phone(number, 'messages', { to: peer, text: 'a secret' })
  await service.control('POST', `/messages/${edited}/edit`, { text: 'first' })
  await service.control('POST', `/messages/${revoked}/revoke`)
  await until('the edit shows', async () => (await item(peer, edited)).editedAt !== null)
  await until('the revocation shows', async () => (await item(peer, revoked)).revokedAt !== null)
  t.like(await item(peer, edited), { content: 'first', revokedAt: null })
  t.like(await item(peer, revoked), { content: null })
})

// [engines.bridge.7]
test('statuses that overtake the answer of their send name the message: it is read before the engine answers, and told once', async (t) => {
  const one = await service.pairNumber()
  const peer = newPeer()
  // The first answer is lost and the second one is held back, so the statuses arrive long before any answer.
  await failSends(service, one, { drop: 'after' })
  await failSends(service, one, { delayMs: 600_000 })
  const { id } = await sendText(service, one, peer, 'overtaken')
  const message = await untilStatus(service, one, id, ['READ'])
  const [got, ...more] = await inboxOf(service, peer, one)
  t.deepEqual([got.externalMessageId, more], [message.externalMessageId, []])
  await untilEvents(service, one, id, 'message.read')
  const events = (await eventsOf(service, one, id)).map(({ event }) => event)
  t.deepEqual(events, [...new Set(events)])
  t.true((await sendRequests(service, one)).length <= 2)
})

// [engines.baileys-duties.7]
test('calls of an engine without audio are refused at once by name; those that come in ring on and can be declined', async (t) => {
  const one = await service.pairNumber()
  await phone(one, 'engine', { capabilities: ['text', 'calls'] })
  await phone(one, 'drop')
  await until('the engine says so', async () => !(await read(one)).engine.capabilities.includes('callAudio'))
  const refusal = (capability: string) => ({
    code: 'FEATURE_NOT_SUPPORTED',
    details: { engine: 'sandbox', capability },
  })
  const placed = await service.api('POST', '/v1/calls', one.key, { to: newPeer() })
  t.is(placed.status, 400)
  t.like(placed.body, refusal('callAudio'))
  const groups = await service.api('GET', '/v1/groups', one.key)
  t.deepEqual([groups.status, groups.body.details], [400, refusal('groups').details])
  await service.control('POST', `/peers/${newPeer()}/calls`, { to: one.digits })
  const [call] = await until('it rings', async () => {
    const { calls } = (await service.api('GET', '/v1/calls', one.key)).body
    return calls.length > 0 ? calls : null
  })
  t.is(call.direction, 'INBOUND')
  const accepted = await service.api('POST', `/v1/calls/${call.id}/accept`, one.key)
  t.is(accepted.status, 400)
  t.like(accepted.body, refusal('callAudio'))
  t.is((await service.api('GET', `/v1/calls/${call.id}`, one.key)).body.status, 'RINGING')
  t.is((await service.api('POST', `/v1/calls/${call.id}/reject`, one.key)).status, 200)
  t.is((await service.untilCall(one, call.id, ['REJECTED'])).status, 'REJECTED')
})
