import test from 'ava'
import { proto } from 'baileys'
import { until } from '../../../test/helpers/until.ts'
import { link, sharedScope, type Linked } from './helpers/linked.ts'
import { startEngineProcess } from './helpers/engine-process.ts'
import { temporaryFolder } from './helpers/open-store.ts'
import { networkFor } from './network/started.ts'
import type { Network } from './network/network.ts'
import { wordsOf } from './network/phone-messages.ts'

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type

const { scope, end } = sharedScope()
let network: Network
let ana: Linked

test.before('a number is linked', async () => {
  network = await networkFor(scope)
  const engine = await startEngineProcess(scope, network, temporaryFolder(scope))
  ana = await link(scope, network, engine.port, '5511900000001', { settings: { stories: true } })
})

test.after.always('all is closed', end)

const text = (words: string): object => ({ type: 'text', text: words })

test("a text goes out once, and is told as sent, delivered and read with the gateway's own id", async (t) => {
  const bia = network.phone('5511900000102')
  const answer = await ana.client.ask('message.send', { messageId: 'g1', to: bia.number, content: text('hello') })
  const id = String(answer.result?.externalMessageId)
  const received = await bia.find((message) => message.id === id)
  t.deepEqual([received.text, received.from, received.copies], ['hello', ana.number, 1])
  bia.read(received)
  for (const status of ['SENT', 'DELIVERED', 'READ']) {
    const event = await ana.told('message.status', id, (one) => one['status'] === status)
    t.is(event['messageId'], 'g1', status)
  }
  t.is(
    (await ana.client.ask('message.send', { messageId: 'g1', to: bia.number, content: text('hello') })).result
      ?.externalMessageId,
    id,
  )
  t.is(
    ana.client.events.filter(
      ({ ev, externalMessageId, status }) => ev === 'message.status' && externalMessageId === id && status === 'READ',
    ).length,
    1,
  )
})

// [engines.bridge.11] [engines.bridge.12]
test('a sent text is edited and taken back on the phone of its reader, without a status of its own', async (t) => {
  const dina = network.phone('5511900000198')
  const to = dina.number
  const { result } = await ana.client.ask('message.send', { messageId: 'e1', to, content: text('at eight') })
  const id = String(result?.externalMessageId)
  await dina.find((message) => message.id === id)
  for (const [op, fields, type, words] of [
    ['message.edit', { to, text: 'at nine' }, MESSAGE_EDIT, 'at nine'],
    // A gateway that keeps no addresses names no chat.
    ['message.edit', { to: null, text: 'at ten' }, MESSAGE_EDIT, 'at ten'],
    ['message.revoke', { to }, REVOKE, undefined],
  ] as const) {
    const answer = await ana.client.ask(op, { externalMessageId: id, ...fields })
    t.deepEqual(answer.result, {}, JSON.stringify(answer))
    const { message } = await dina.find(
      ({ message: { protocolMessage: told } }) =>
        told?.type === type && told.key?.id === id && wordsOf(told.editedMessage ?? {}) === words,
    )
    t.true(message.protocolMessage?.key?.fromMe)
  }
  await ana.client.ask('message.send', { messageId: 'e2', to, content: text('last') })
  await dina.find((message) => message.text === 'last')
  const statuses = ana.client.events.filter(({ ev }) => ev === 'message.status')
  t.true(statuses.every(({ messageId }) => !String(messageId).startsWith('change ')))
  const unknown = { externalMessageId: '3EB0FFFFFFFFFFFFFFFFFF', text: 'x' }
  t.like(await ana.client.ask('message.edit', { ...unknown, to: null }), { ok: false, error: { code: 'NOT_FOUND' } })
  t.like(await ana.client.ask('message.edit', { ...unknown, to: '120363000000000002@newsletter' }), {
    ok: false,
    error: { code: 'UNSUPPORTED' },
  })
  const theirs = await dina.text(ana.number, 'mine')
  await ana.told('message.received', theirs)
  t.like(await ana.client.ask('message.revoke', { externalMessageId: theirs, to }), {
    ok: false,
    error: { code: 'INVALID' },
  })
})

// [engines.bridge.13]
test('that the number writes is shown in the chat of its reader, named or known by a message of hers', async (t) => {
  const [device] = network.devices(ana.number)
  const emma = network.phone('5511900000197')
  const lastInboundId = await emma.text(ana.number, 'are you there?')
  await ana.told('message.received', lastInboundId)
  for (const fields of [
    { to: emma.number, state: 'typing' },
    { to: null, lastInboundId, state: 'recording' },
    { to: emma.number, state: 'paused' },
  ]) {
    const answer = await ana.client.ask('message.typing', { lastInboundId: null, ...fields })
    t.deepEqual(answer.result, { forwarded: true, read: false }, JSON.stringify(answer))
  }
  await until('all three were shown', () => device?.chatStates.length === 3)
  t.deepEqual(
    device?.chatStates.map(({ to, state }) => [to.split('@')[0], state]),
    ['composing', 'composing audio', 'paused'].map((state) => [emma.number, state]),
  )
  for (const [fields, code] of [
    [{ to: emma.number, state: 'sleeping' }, 'INVALID'],
    [{ to: null, state: 'typing' }, 'NOT_FOUND'],
  ] as const)
    t.like(await ana.client.ask('message.typing', fields), { ok: false, error: { code } })
})

test('a text comes in with its writer, is answered with a quote, and marked read', async (t) => {
  const cleo = network.phone('5511900000103', 'Cleo')
  const id = await cleo.text(ana.number, 'a question')
  const event = await ana.told('message.received', id)
  t.like(event, {
    from: cleo.number,
    fromName: 'Cleo',
    to: ana.number,
    historical: false,
    content: { type: 'text', text: 'a question' },
  })
  const answer = await ana.client.ask('message.send', {
    messageId: 'g2',
    to: cleo.number,
    content: text('an answer'),
    quoted: id,
  })
  const received = await cleo.find((message) => message.id === answer.result?.externalMessageId)
  t.is(received.message.extendedTextMessage?.contextInfo?.stanzaId, id)
  t.is(received.message.extendedTextMessage?.contextInfo?.quotedMessage?.conversation, 'a question')
  t.deepEqual((await ana.client.ask('message.read', { externalMessageIds: [id, 'unknown'] })).result, {})
  await cleo.receipt(id, 'read')
  t.pass()
})

test('a message edited and taken back is told by its id', async (t) => {
  const dora = network.phone('5511900000105')
  const id = await dora.text(ana.number, 'frist')
  await ana.told('message.received', id)
  await dora.edit(ana.number, id, 'first')
  t.like(await ana.told('message.edited', id), { from: dora.number, content: { type: 'text', text: 'first' } })
  await dora.revoke(ana.number, id)
  t.like(await ana.told('message.revoked', id), { from: dora.number })
})

test('nobody changes what another wrote, nor what we wrote', async (t) => {
  const [dora, mallory] = [network.phone('5511900000105'), network.phone('5511900000166')]
  const theirs = await dora.text(ana.number, 'as it is')
  await ana.told('message.received', theirs)
  const ours = (
    await ana.client.ask('message.send', { messageId: 'g-kept', to: mallory.number, content: text('a price') })
  ).result?.externalMessageId
  for (const id of [theirs, ours]) {
    await mallory.edit(ana.number, id, 'forged')
    await mallory.revoke(ana.number, id)
  }
  await ana.told('message.received', await mallory.text(ana.number, 'later'))
  t.deepEqual(
    ana.client.events.filter(
      ({ ev, externalMessageId }) =>
        (ev === 'message.edited' || ev === 'message.revoked')
        && (externalMessageId === theirs || externalMessageId === ours),
    ),
    [],
  )
})

test('a reaction is told, and one of ours reaches the writer', async (t) => {
  const eva = network.phone('5511900000106')
  const id = await eva.text(ana.number, 'like me')
  await ana.told('message.received', id)
  const answer = await ana.client.ask('message.send', {
    messageId: 'g3',
    to: eva.number,
    content: { type: 'reaction', reaction: { messageId: id, emoji: '👍' } },
  })
  const reaction = await eva.find((message) => message.id === answer.result?.externalMessageId)
  t.is(reaction.message.reactionMessage?.text, '👍')
  t.is(reaction.message.reactionMessage?.key?.id, id)
  // Of a message of the number itself the engine need not have kept anything.
  const own = await ana.client.ask('message.send', {
    messageId: `own-${id}`,
    to: eva.number,
    content: { type: 'reaction', reaction: { messageId: '3EB0LONGAGO', emoji: '👍', fromMe: true } },
  })
  const onOwn = await eva.find((message) => message.id === own.result?.externalMessageId)
  t.like(onOwn.message.reactionMessage?.key, { id: '3EB0LONGAGO', fromMe: true })
  const back = await eva.react(ana.number, id, '🎉')
  t.like(await ana.told('message.received', back), {
    content: { type: 'reaction', reaction: { messageId: id, emoji: '🎉' } },
  })
})

test('a message that the owner writes on the phone is told with its recipient', async (t) => {
  const id = await ana.phone.text('5511900000107', 'from my pocket')
  t.like(await ana.told('message.sent_elsewhere', id), {
    from: ana.number,
    to: '5511900000107',
    content: { type: 'text', text: 'from my pocket' },
  })
})

// [engines.baileys-duties.5]
test('a sender known by a private id gets his number: told with the message, or asked for', async (t) => {
  const fay = network.phone('5511900000108')
  fay.hide({ numberKnown: true })
  t.is((await ana.told('message.received', await fay.text(ana.number, 'hidden')))['from'], fay.number)
})

test('a private id that nobody tells is the sender until it is known, without a second message', async (t) => {
  const gil = network.phone('5511900000109')
  gil.hide({ numberKnown: false })
  const first = await gil.text(ana.number, 'who am I')
  t.regex(String((await ana.told('message.received', first))['from']), /^\d+@lid$/)
  gil.revealNumber()
  const second = await gil.text(ana.number, 'it is me')
  t.is((await ana.told('message.received', second))['from'], gil.number)
  t.is(
    ana.client.events.filter(({ ev, externalMessageId }) => ev === 'message.received' && externalMessageId === first)
      .length,
    1,
  )
})

// [bridge.ops.6]
test('numbers are checked in their order; one without account is told so, and cannot be written to', async (t) => {
  const { result } = await ana.client.ask('number.check', {
    numbers: ['+55 11 90000-0110', '5511900000004', 'nonsense'],
  })
  t.deepEqual(result, [
    { input: '+55 11 90000-0110', exists: true, number: '5511900000110', name: null },
    { input: '5511900000004', exists: false, number: null, name: null },
    { input: 'nonsense', exists: false, number: null, name: null },
  ])
  const refused = await ana.client.ask('message.send', {
    messageId: 'g4',
    to: '5511900000004',
    content: text('nobody'),
  })
  t.like(refused.error, { code: 'NOT_REGISTERED', retryable: false })
})

// [bridge.ops.11] [bridge.events.6]
test('a call rings, is listed, and rejected; another is missed', async (t) => {
  const hal = network.phone('5511900000111')
  const call = hal.call(ana.number)
  const ringing = await ana.client.find(({ ev, callId }) => ev === 'call.incoming' && callId === call.id)
  t.is(ringing['from'], hal.number)
  t.deepEqual(
    (await ana.client.ask('calls.list')).result.filter(({ callId }: { callId: string }) => callId === call.id),
    [{ callId: call.id, callRef: null, state: 'RINGING' }],
  )
  t.true((await ana.client.ask('call.reject', { callId: call.id })).ok)
  await hal.callState(call.id, 'rejected')
  await ana.client.find(({ ev, callId, reason }) => ev === 'call.ended' && callId === call.id && reason === 'declined')
  t.like((await ana.client.ask('call.reject', { callId: call.id })).error, { code: 'UNKNOWN_CALL' })
  const missed = hal.call(ana.number)
  await ana.client.find(({ ev, callId }) => ev === 'call.incoming' && callId === missed.id)
  hal.endCall(missed.id)
  await ana.client.find(({ ev, callId }) => ev === 'call.ended' && callId === missed.id)
  for (const [op, fields] of [
    ['call.offer', { to: hal.number, media: {} }],
    ['call.accept', { callId: 'x', media: {} }],
  ] as const) {
    t.like((await ana.client.ask(op, fields)).error, { code: 'CALL_AUDIO_UNSUPPORTED', retryable: false })
  }
})

// [engines.baileys-duties.6] [numbers.settings.7]
test('settings show on the network at once: online only when asked for, and what comes marked read', async (t) => {
  const [device] = network.devices(ana.number)
  // The message tells the engine the account's name. The library sends no presence without a name.
  await ana.told('message.sent_elsewhere', await ana.phone.text('5511900000113', 'so they call me'))
  t.not(device?.presence, 'available')
  await ana.client.ask('settings.set', { settings: { alwaysOnline: true, readMessages: true, stories: true } })
  const ida = network.phone('5511900000112')
  const id = await ida.text(ana.number, 'read me')
  await ida.receipt(id, 'read')
  t.is(device?.presence, 'available')
  await ana.client.ask('settings.set', { settings: { alwaysOnline: false, stories: true } })
  await ana.client.ask('number.check', { numbers: [] })
  t.is(device?.presence, 'unavailable')
})

test('unknown operations and malformed requests are refused', async (t) => {
  t.like((await ana.client.ask('page.turn')).error, { code: 'UNSUPPORTED' })
  t.like((await ana.client.ask('number.check', { numbers: 'x' })).error, { code: 'INVALID' })
  t.like((await ana.client.ask('group.get', { groupId: 'x' })).error, { code: 'INVALID' })
  t.like((await ana.client.ask('message.send', { messageId: 'g9', to: 'x y', content: text('hi') })).error, {
    code: 'INVALID',
  })
})
