import test from 'ava'
import { DEVICE_OP_NAMES, DEVICE_OPS } from '../../../../src/domain/device-ops.ts'
import { fail, refuse, succeed } from '../../../../src/domain/errors.ts'
import { DEFAULT_SETTINGS } from '../../../../src/domain/number.ts'
import { addOfficial, officialRig } from '../../official-rig.ts'
import { applySettings, connectedNumber, createRig, pass, settled } from '../../rig.ts'

const NOT_CONNECTED = { ok: false, error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } }

test('each command asks the device, whose answer is the answer', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { directory } = rig
  for (const op of DEVICE_OP_NAMES) {
    const { question, answer } = DEVICE_OPS[op].example
    t.deepEqual(await directory.askDevice(numberId, op, question), succeed(answer))
    t.is(rig.driver.last.asked.at(-1), `${op} ${JSON.stringify(question)}`)
  }
  t.deepEqual(await directory.askNumber(numberId, 'ReadMessages', { externalMessageIds: ['a', 'b'] }), succeed(null))
  t.is(rig.driver.last.asked.at(-1), 'read a b')
  t.is(rig.driver.last.asked.length, DEVICE_OP_NAMES.length + 1)
})

// [message-verbs.verbs.1] [message-verbs.verbs.2]
test('what the device changed of a message is stored before the asker is answered', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { editMessage, revokeMessage } = DEVICE_OPS
  t.deepEqual(await rig.directory.askDevice(numberId, 'editMessage', editMessage.example.question), succeed({}))
  t.deepEqual(await rig.directory.askDevice(numberId, 'revokeMessage', revokeMessage.example.question), succeed({}))
  const { externalMessageId, text } = editMessage.example.question
  t.like(rig.messages.changes, [
    { externalMessageId, kind: 'EDIT', isAsked: true, edited: { messageType: 'text', content: { text } } },
    { externalMessageId, kind: 'REVOKE', isAsked: true, edited: null },
  ])
  await rig.directory.askDevice(numberId, 'listGroups', {})
  rig.driver.last.deviceAnswer = () => fail(refuse('NOT_FOUND', 'No such message'))
  await rig.directory.askDevice(numberId, 'revokeMessage', revokeMessage.example.question)
  t.is(rig.messages.changes.length, 2, 'a refusal changes nothing')
})

test('a change that cannot be stored is refused, though the device made it', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.rows.failing = 4
  const asked = rig.directory.askDevice(numberId, 'editMessage', DEVICE_OPS.editMessage.example.question)
  await pass(rig, 3_000)
  t.like(await asked, { ok: false, error: { code: 'UNAVAILABLE' } })
  t.deepEqual(rig.messages.changes, [])
})

// [message-verbs.verbs.3]
test('of what is typed to one peer one a second is passed on, and the rest is answered without', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const show = (to: string) =>
    rig.directory.askDevice(numberId, 'showTyping', { to, state: 'typing', lastInboundId: null })
  const count = () => rig.driver.last.asked.filter((what) => what.startsWith('showTyping')).length
  t.deepEqual(await show('551'), succeed({ forwarded: true, read: false }))
  t.deepEqual(await show('551'), succeed({ forwarded: false, read: false }))
  t.deepEqual(await show('552'), succeed({ forwarded: true, read: false }))
  rig.clock.advance(999)
  t.deepEqual(await show('551'), succeed({ forwarded: false, read: false }))
  rig.clock.advance(1)
  t.deepEqual(await show('551'), succeed({ forwarded: true, read: false }))
  t.is(count(), 3)
})

test('a number whose session lacks an operation refuses it', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { onOpen } = rig.driver
  rig.driver.onOpen = (session) => {
    Object.assign(session, { devices: {} })
    onOpen(session)
  }
  t.like(await rig.directory.askDevice(numberId, 'listGroups', {}), {
    ok: false,
    error: { code: 'FEATURE_NOT_SUPPORTED' },
  })
})

test('a refusal of the device is the answer', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.driver.last.deviceAnswer = () => fail(refuse('NOT_FOUND', 'No such group'))
  t.like(await rig.directory.askDevice(numberId, 'getGroup', { groupId: '2@g.us' }), {
    ok: false,
    error: { code: 'NOT_FOUND' },
  })
})

test('a number that is not connected refuses commands to its device, except marking as read, which the rows keep', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  t.like(await rig.directory.askDevice(numberId, 'listGroups', {}), NOT_CONNECTED)
  t.like(await rig.directory.askDevice(numberId, 'checkNumbers', { numbers: ['1'] }), NOT_CONNECTED)
  t.deepEqual(await rig.directory.askNumber(numberId, 'ReadMessages', { externalMessageIds: ['a'] }), succeed(null))
})

test('an OFFICIAL number out of memory is started to tell upstream what was read', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  t.deepEqual(await rig.directory.askNumber(numberId, 'ReadMessages', { externalMessageIds: ['a'] }), succeed(null))
  t.deepEqual(rig.driver.last.asked, ['read a'])
})

test('a slow device holds nobody else up, and an ask it leaves open is refused as the number stops, not asked again', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.driver.last.deviceAnswer = (op) => (op === 'createGroup' ? new Promise(() => {}) : succeed([]))
  const slow = rig.directory.askDevice(numberId, 'createGroup', { subject: 'Team', participants: [] })
  await settled()
  t.true((await rig.directory.askDevice(numberId, 'listGroups', {})).ok)
  rig.driver.last.raise({ type: 'incomingCall', externalCallId: 'bad', from: null, sdp: 's' })
  await pass(rig, 5_000)
  t.like(await slow, { ok: false, error: { code: 'TIMEOUT' } })
  t.is(rig.driver.sessions.flatMap(({ asked }) => asked).filter((what) => what.startsWith('create')).length, 1)
})

test('a session that is asked while it is about to open is asked once it is open', async (t) => {
  const wanted = Promise.withResolvers<boolean>()
  const rig = createRig({ wantsStories: () => wanted.promise })
  const numberId = rig.rows.addNumber({ credentials: 'secret' })
  const settings = { ...DEFAULT_SETTINGS, alwaysOnline: true }
  const applied = applySettings(rig, numberId, { settings })
  const out = rig.directory.askNumber(numberId, 'Logout', {})
  await settled()
  t.is(rig.driver.sessions.length, 0)
  wanted.resolve(true)
  t.deepEqual(await applied, succeed(null))
  t.deepEqual(await out, succeed(null))
  t.like(rig.driver.last.opening, { settings, wantsStories: true })
  t.true(rig.driver.last.asked.includes('logout'))
  t.is(rig.rows.connectionOf(numberId).credentials, null)
})

test('a number that stops while its session is about to open leaves none open', async (t) => {
  const wanted = Promise.withResolvers<boolean>()
  const rig = createRig({ wantsStories: () => wanted.promise })
  const numberId = rig.rows.addNumber({ credentials: 'secret' })
  const asked = rig.directory.askNumber(numberId, 'CurrentCode', {})
  await asked
  const stopping = rig.directory.stop()
  await settled()
  wanted.resolve(true)
  await stopping
  await settled()
  t.true(rig.driver.sessions.every(({ isClosed }) => isClosed))
  t.is(rig.driver.sessions.length, 0)
})

// [engines.peers.4]
test('a check of numbers names who is known by other digits or an id, before it is answered', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const [typed, known, lid] = ['551199990001', '5511999990001', '1@lid']
  rig.driver.last.deviceAnswer = () =>
    succeed([
      { input: typed, exists: true, number: known, name: null, lid },
      { input: '5511999990002', exists: true, number: '5511999990002', name: null },
      { input: '5511999990003', exists: false, number: '551199990003', name: null, lid: '3@lid' },
    ])
  t.true((await rig.directory.askDevice(numberId, 'checkNumbers', { numbers: [typed] })).ok)
  t.deepEqual(rig.messages.names, [{ addresses: [known, typed, lid] }])
})
