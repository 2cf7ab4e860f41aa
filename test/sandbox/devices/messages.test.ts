import test from 'ava'
import { until } from '../../helpers/until.ts'
import { GATEWAY_NUMBER, startPlayground, type BridgeClient } from '../bridge-client.ts'

const PEER = '551199000'

function send(client: BridgeClient, to: string, messageId: string = `m-${to}`) {
  return client.result('message.send', { messageId, to, content: { type: 'text', text: 'hello' } })
}

for (const [digits, expected, isReached] of [
  ['0001', ['SENT', 'DELIVERED', 'READ'], true],
  ['0002', ['SENT', 'DELIVERED'], true],
  ['0003', ['SENT'], false],
  ['0006', ['SENT', 'DELIVERED', 'READ'], true],
  ['0007', ['SENT', 'FAILED'], false],
  ['1234', ['SENT', 'DELIVERED', 'READ'], true],
] as const) {
  // [sandbox.listening.4] [sandbox.peers.1] [sandbox.peers.2] [sandbox.peers.3] [sandbox.peers.6] [sandbox.peers.7]
  // [sandbox.peers.9] [sandbox.control.9]
  test(`a message to a peer ending in ${digits} is reported ${expected.join(', ')}`, async (t) => {
    const { sandbox, get, link } = await startPlayground()
    const { client } = await link(GATEWAY_NUMBER)
    const { externalMessageId } = await send(client, PEER + digits)
    await until('the last status came', () => client.all('message.status').length >= expected.length)
    const statuses = client.all('message.status')
    t.deepEqual(
      statuses.map(({ status }) => status),
      [...expected],
    )
    t.true(statuses.every((event) => event.externalMessageId === externalMessageId))
    t.is(statuses.at(-1)?.error?.code, digits === '0007' ? 'FAILED' : undefined)
    const { messages } = await get(`/control/peers/${PEER}${digits}/inbox`)
    t.deepEqual(
      messages.map((message: any) => message.text),
      isReached ? ['hello'] : [],
    )
    await sandbox.close()
  })
}

// [sandbox.peers.4] [sandbox.peers.8]
test('a peer ending in 0004 has no account, and one ending in 0008 stays silent', async (t) => {
  const { sandbox, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  t.is(
    await client.refusal('message.send', { messageId: 'm1', to: `${PEER}0004`, content: { type: 'text', text: 'x' } }),
    'NOT_REGISTERED',
  )
  await send(client, `${PEER}0008`)
  await send(client, `${PEER}0001`)
  await until('the other message was read', () => client.all('message.status').length === 3)
  t.deepEqual(await get(`/control/peers/${PEER}0008/inbox`), { messages: [] })
  await sandbox.close()
})

// [sandbox.peers.5]
test('a peer ending in 0005 writes the same text back, quoting the message', async (t) => {
  const { sandbox, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const { externalMessageId } = await send(client, `${PEER}0005`)
  const reply = await client.event('message.received')
  t.is(reply.content.text, 'hello')
  t.is(reply.from, `${PEER}0005`)
  t.is(reply.quoted, externalMessageId)
  await sandbox.close()
})

test('a peer and the owner of the number edit what they wrote and take it back', async (t) => {
  const { sandbox, post, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const sent = await send(client, `${PEER}0001`)
  const { body: written } = await post(`/control/peers/${PEER}0001/messages`, { to: GATEWAY_NUMBER, text: 'first' })
  for (const { externalMessageId } of [sent, written]) {
    t.is((await post(`/control/messages/${externalMessageId}/edit`, { text: 'second', timestamp: 5 })).status, 202)
    t.is((await post(`/control/messages/${externalMessageId}/revoke`, { timestamp: 6 })).status, 202)
  }
  await until('all came', () => client.all('message.revoked').length === 2)
  t.like(client.all('message.edited')[1], {
    externalMessageId: written.externalMessageId,
    timestamp: 5,
    content: { type: 'text', text: 'second' },
  })
  t.like(client.all('message.revoked')[0], { externalMessageId: sent.externalMessageId, timestamp: 6 })
  t.is((await post('/control/messages/unknown/revoke', {})).status, 404)
  t.is((await post(`/control/messages/${written.externalMessageId}/edit`, {})).status, 400)
  await sandbox.close()
})

// [bridge.ops.4]
test('a repeated message id gives the same answer and delivers once', async (t) => {
  const { sandbox, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const first = await send(client, `${PEER}0002`, 'same')
  t.deepEqual(await send(client, `${PEER}0002`, 'same'), first)
  const other = await send(client, `${PEER}0002`, 'other')
  t.notDeepEqual(other, first)
  await until('both were delivered', () => client.all('message.status').length === 4)
  t.is((await get(`/control/peers/${PEER}0002/inbox`)).messages.length, 2)
  await sandbox.close()
})

// [sandbox.control.4]
test('an inbound message carries what the peer gave, and shows when it was read', async (t) => {
  const { sandbox, get, post, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const media = { url: 'http://127.0.0.1/a.png', mimeType: 'image/png' }
  const { status, body } = await post(`/control/peers/+${PEER}0001/messages`, {
    to: GATEWAY_NUMBER,
    type: 'image',
    media,
    group: { id: '1@g.us' },
    quoted: 'q1',
  })
  t.is(status, 201)
  const event = await client.event('message.received')
  t.like(event, {
    externalMessageId: body.externalMessageId,
    from: `${PEER}0001`,
    to: GATEWAY_NUMBER,
    historical: false,
    quoted: 'q1',
    group: { id: '1@g.us' },
    content: { type: 'image', media },
  })
  t.is((await get(`/control/peers/${PEER}0001/outbox`)).messages[0].isRead, false)
  await client.result('message.read', { externalMessageIds: [body.externalMessageId, 'unknown'] })
  t.is((await get(`/control/peers/${PEER}0001/outbox`)).messages[0].isRead, true)
  await sandbox.close()
})

test('a peer cannot write to a number that is not linked', async (t) => {
  const { sandbox, post } = await startPlayground()
  const { status, body } = await post(`/control/peers/${PEER}0001/messages`, { to: GATEWAY_NUMBER, text: 'hi' })
  t.is(status, 409)
  t.is(body.code, 'NOT_CONNECTED')
  await sandbox.close()
})

test('numbers are checked against the table of peers', async (t) => {
  const { sandbox, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  t.deepEqual(await client.result('number.check', { numbers: [`+${PEER}0001`, `${PEER}0004`, 'x'] }), [
    { input: `+${PEER}0001`, exists: true, number: `${PEER}0001`, name: 'Peer 0001' },
    { input: `${PEER}0004`, exists: false, number: null, name: null },
    { input: 'x', exists: false, number: null, name: null },
  ])
  await sandbox.close()
})

test('settings show at the control API, and alwaysOnline shows as presence', async (t) => {
  const { sandbox, get, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  t.is((await get(`/control/devices/${GATEWAY_NUMBER}`)).presence, 'unavailable')
  await client.result('settings.set', {
    settings: {
      rejectCall: true,
      msgRejectCall: 'busy',
      alwaysOnline: true,
      readMessages: null,
      ignoreGroups: null,
      ignoreStatus: null,
    },
  })
  const { presence, settings } = await get(`/control/devices/${GATEWAY_NUMBER}`)
  t.is(presence, 'available')
  t.like(settings, { rejectCall: true, msgRejectCall: 'busy' })
  await sandbox.close()
})

// [sandbox.control.15] [engines.peers.1] [engines.peers.3] [engines.peers.4] [engines.peers.5]
test('a peer is known by an id first, and by number and id once the network knows both', async (t) => {
  const { sandbox, get, post, link } = await startPlayground()
  const { client } = await link(GATEWAY_NUMBER)
  const [lid, phone, form] = ['123456780001@lid', `${PEER}0001`, `${PEER}4321`]
  await post(`/control/peers/${lid}/messages`, { to: GATEWAY_NUMBER, text: 'hidden' })
  await until('the message is told', () => client.all('message.received').length > 0)
  t.like(client.all('message.received')[0], { from: lid, fromName: 'Peer 0001' })
  const sent = async (to: string, messageId: string): Promise<any> => await send(client, to, messageId)
  t.deepEqual(Object.keys(await sent(lid, 'm1')), ['externalMessageId'])
  const unregistered = { to: '123456780004@lid', media: { kind: 'webrtc', sdp: 'v=0' } }
  t.is(await client.refusal('call.offer', unregistered), 'NOT_REGISTERED')
  await post(`/control/devices/${GATEWAY_NUMBER}/peers`, { phone, lid, forms: [form] })
  await until('the peer is told', () => client.all('session.peer').length > 0)
  t.like(client.all('session.peer')[0], { phone, lid })
  t.like(await sent(lid, 'm2'), { number: phone, lid })
  t.like(await sent(form, 'm3'), { number: phone, lid })
  t.deepEqual(await client.result('number.check', { numbers: [form, `${PEER}0005`] }), [
    { input: form, exists: true, number: phone, name: 'Peer 0001', lid },
    { input: `${PEER}0005`, exists: true, number: `${PEER}0005`, name: 'Peer 0005' },
  ])
  await until('both arrived', async () => (await get(`/control/peers/${phone}/inbox`)).messages.length === 2)
  t.deepEqual(
    (await get(`/control/peers/${lid}/inbox`)).messages.map(({ to }: any) => to),
    [lid, lid, form],
  )
  await sandbox.close()
})
