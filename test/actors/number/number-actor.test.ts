import test from 'ava'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import type { Rig } from '../rig.ts'
import {
  applySettings,
  connectedNumber,
  createRig,
  pass,
  placeCall,
  receiveCall,
  rowOf,
  settled,
  statusOf,
} from '../rig.ts'

const numberRow = ({ rows }: Rig, numberId: NumberId) => ({
  ...rows.numbers.get(numberId),
  ...rows.connectionOf(numberId),
})
const numberEvents = (rig: Rig) => rig.rows.eventNames().filter((name) => name.startsWith('number.'))
const code = (qr: string, expiresInMs = 60_000) => ({ type: 'qr', qr, pairingCode: 'ABCD1234', expiresInMs }) as const

test('pairing waits for the first code and answers every waiter with it', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  const waiting = [1, 2].map(() => rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 }))
  await settled()
  t.is(rig.driver.sessions.length, 1)
  t.is(rig.driver.last.opening.credentials, null)
  t.is(numberRow(rig, numberId).state, 'CONNECTING')
  rig.driver.last.raise(code('qr-1'))
  for (const answer of await Promise.all(waiting))
    t.deepEqual(answer, succeed({ qr: 'qr-1', pairingCode: 'ABCD1234', expiresInMs: 60_000 }))
})

test('a new code replaces the one before, and one that ran out is not shown', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  rig.driver.onOpen = (session) => void session.raise(code('qr-1', 20_000))
  t.like(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 }), { value: { qr: 'qr-1' } })
  rig.driver.last.raise(code('qr-2', 20_000))
  await settled()
  await pass(rig, 5_000)
  t.like(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 }), {
    value: { qr: 'qr-2', expiresInMs: 15_000 },
  })
  await pass(rig, 15_000)
  t.deepEqual(
    await rig.directory.askNumber(numberId, 'CurrentCode', {}),
    succeed({ qr: null, pairingCode: null, expiresInMs: null }),
  )
})

// [numbers.life.6]
test('no code in time is DEVICE_NETWORK_TIMEOUT, and pairing goes on', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  const waiting = rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 })
  await settled()
  await pass(rig, 10_000)
  t.like(await waiting, { ok: false, error: { code: 'DEVICE_NETWORK_TIMEOUT' } })
  t.false(rig.driver.last.isClosed)
})

// [bridge.events.3] [numbers.object.3] [numbers.events.1]
test('a scan stores credentials and OPEN with number.connected, kills the links, and is settled only then', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  rig.driver.onOpen = (session) => void session.raise(code('qr-1'))
  await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 })
  rig.rows.failing = 1
  const seqs = [
    rig.driver.last.raise({ type: 'state', state: 'CONNECTING', reason: null }),
    rig.driver.last.raise({ type: 'credentials', credentials: 'blob' }),
    rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null }),
  ]
  await settled()
  t.false(rig.driver.last.settled.includes(seqs[1] ?? 0))
  await pass(rig, 1_000, 50)
  t.like(numberRow(rig, numberId), { state: 'OPEN', isFullyConnected: true, credentials: 'blob', ackedSeq: 4 })
  t.deepEqual(rig.driver.last.settled, [1, ...seqs])
  t.deepEqual(numberEvents(rig), ['number.connected'])
  t.like(rig.rows.events.at(-1)?.data, { numberId, number: '+551133334444', name: 'Desk', state: 'OPEN' })
  t.is(rig.rows.consumed, 1)
  t.like(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 0 }), {
    ok: false,
    error: { code: 'ALREADY_CONNECTED' },
  })
})

// [numbers.object.3]
test('codes that run out end pairing: CLOSE, no event, and the next connect starts anew', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  const waiting = rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 })
  await settled()
  rig.driver.last.raise({ type: 'state', state: 'CLOSE', reason: 'qr_expired' })
  t.like(await waiting, { ok: false, error: { code: 'DEVICE_NETWORK_TIMEOUT' } })
  t.is(numberRow(rig, numberId).state, 'CLOSE')
  t.true(rig.driver.last.isClosed)
  t.deepEqual(numberEvents(rig), [])
  rig.driver.onOpen = (session) => void session.raise(code('again'))
  t.like(await rig.directory.askNumber(numberId, 'Pair', { waitMs: 10_000 }), { value: { qr: 'again' } })
  t.is(rig.driver.sessions.length, 2)
})

// [numbers.events.2] [numbers.events.1]
test('a link that comes back within 30 s says nothing, a longer gap says number.disconnected once', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.driver.last.linkDown()
  await settled()
  t.is(numberRow(rig, numberId).state, 'CONNECTING')
  await pass(rig, 20_000)
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  t.is(numberRow(rig, numberId).state, 'OPEN')
  t.deepEqual(numberEvents(rig), ['number.connected'])
  rig.driver.last.raise({ type: 'state', state: 'CLOSE', reason: 'network' })
  await settled()
  await pass(rig, 60_000)
  t.deepEqual(numberEvents(rig), ['number.connected', 'number.disconnected'])
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  t.deepEqual(numberEvents(rig), ['number.connected', 'number.disconnected', 'number.connected'])
  t.is(rig.driver.sessions.length, 1)
})

test('logged out from the phone wipes the pairing, says number.disconnected at once and ends calls', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id } = await placeCall(rig, numberId)
  rig.driver.last.raise({ type: 'state', state: 'CLOSE', reason: 'logged_out' })
  await settled()
  t.like(numberRow(rig, numberId), { state: 'CLOSE', credentials: null, isFullyConnected: false })
  t.deepEqual(numberEvents(rig), ['number.connected', 'number.disconnected'])
  t.is(rowOf(rig, id).errorCode, 'PROVIDER_FAILED')
  t.true(rig.driver.last.isClosed)
  t.like(
    await rig.directory.askNumber(numberId, 'PlaceCall', {
      to: '5511999990001',
      bizOpaqueCallbackData: null,
      sdp: null,
    }),
    { ok: false, error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' } },
  )
})

test('a session replaced elsewhere is closed and never opened again by itself', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.driver.last.raise({ type: 'state', state: 'CLOSE', reason: 'replaced' })
  await settled()
  t.true(rig.driver.last.isClosed)
  t.like(numberRow(rig, numberId), { state: 'CLOSE', credentials: 'secret' })
  await pass(rig, 30_000)
  t.is(rig.driver.sessions.length, 1)
})

// [numbers.life.8] [numbers.routes.7]
test('logout unlinks upstream, wipes, and is idempotent', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  t.deepEqual(await rig.directory.askNumber(numberId, 'Logout', {}), succeed(null))
  t.true(rig.driver.last.asked.includes('logout'))
  t.like(numberRow(rig, numberId), { state: 'CLOSE', credentials: null })
  t.deepEqual(numberEvents(rig), ['number.connected', 'number.disconnected'])
  t.deepEqual(await rig.directory.askNumber(numberId, 'Logout', {}), succeed(null))
  t.is(rig.driver.last.asked.filter((what) => what === 'logout').length, 1)
})

test('logout is answered once when the engine says logged_out before it answers', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const session = rig.driver.last
  session.logoutAnswer = () => {
    session.raise({ type: 'state', state: 'CLOSE', reason: 'logged_out' })
    return new Promise(() => {})
  }
  t.deepEqual(await rig.directory.askNumber(numberId, 'Logout', {}), succeed(null))
  t.like(numberRow(rig, numberId), { state: 'CLOSE', credentials: null })
  t.deepEqual(numberEvents(rig), ['number.connected', 'number.disconnected'])
})

test('two logouts at one moment are one, answered twice', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  t.deepEqual(await Promise.all([1, 2].map(() => rig.directory.askNumber(numberId, 'Logout', {}))), [
    succeed(null),
    succeed(null),
  ])
  t.is(rig.driver.last.asked.filter((what) => what === 'logout').length, 1)
  t.deepEqual(numberEvents(rig), ['number.connected', 'number.disconnected'])
})

test('an engine that cannot be reached does not keep a tenant from logging out', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.driver.last.logoutAnswer = () => fail(refuse('DEVICE_NETWORK_TIMEOUT', 'late'))
  t.deepEqual(await rig.directory.askNumber(numberId, 'Logout', {}), succeed(null))
  t.is(numberRow(rig, numberId).credentials, null)
})

// [numbers.life.9]
test('removing hangs calls up, unlinks, and answers when both are done', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id } = await placeCall(rig, numberId)
  const inbound = await receiveCall(rig)
  t.deepEqual(await rig.directory.askNumber(numberId, 'Remove', {}), succeed(null))
  t.is(statusOf(rig, id), 'MISSED')
  t.is(statusOf(rig, inbound), 'REJECTED')
  t.true(rig.driver.last.asked.includes('logout'))
  t.true(rig.driver.last.isClosed)
  await settled()
  t.deepEqual(rig.directory.stats(), { numbers: 0, calls: 0 })
})

test('settings reach the open session and hold for the next call', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const settings = { ...DEFAULT_SETTINGS, rejectCall: true }
  t.deepEqual(await applySettings(rig, numberId, { settings }), succeed(null))
  t.true(rig.driver.last.asked.includes('settings'))
  t.is(statusOf(rig, await receiveCall(rig)), 'REJECTED')
})

test('settings that are changed at once and told in the other order are those of the row', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const [first, last] = ['first', 'last'].map((msgRejectCall) => ({ ...DEFAULT_SETTINGS, msgRejectCall }))
  if (!first || !last) throw new Error('there are two')
  const later = applySettings(rig, numberId, { settings: last })
  const earlier = rig.directory.askNumber(numberId, 'ApplySettings', { settings: first })
  t.deepEqual(await Promise.all([later, earlier]), [succeed(null), succeed(null)])
  t.deepEqual(rig.driver.last.settings, last)
})

test('a number that is removed just after it was taken is NUMBER_NOT_FOUND and holds nothing', async (t) => {
  const rig = createRig({ leases: { acquire: async (numberId) => ({ numberId, token: 1 }) } })
  t.like(await rig.directory.askNumber('num_none', 'Pair', { waitMs: 0 }), {
    ok: false,
    error: { code: 'NUMBER_NOT_FOUND' },
  })
  await settled()
  t.is(rig.directory.stats().numbers, 0)
})

test('a number that crashes ends its calls, closes its session and starts again from its rows with backoff', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id } = await placeCall(rig, numberId)
  rig.driver.last.raise({ type: 'incomingCall', externalCallId: 'bad', from: null, sdp: 's' })
  await settled()
  t.is(rowOf(rig, id).errorCode, 'INTERNAL_ERROR')
  t.true(rig.driver.last.isClosed)
  t.like(await rig.directory.askNumber(numberId, 'CurrentCode', {}), { ok: false, error: { code: 'BUSY' } })
  await pass(rig, 2_000)
  t.is(rig.driver.sessions.length, 2)
  t.is(numberRow(rig, numberId).state, 'OPEN')
  t.true(
    (
      await rig.directory.askNumber(numberId, 'PlaceCall', {
        to: '5511999990001',
        bizOpaqueCallbackData: null,
        sdp: null,
      })
    ).ok,
  )
})

test('a call that crashes ends FAILED with its event and leaves its number and its neighbours alone', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id } = await placeCall(rig, numberId)
  const other = await placeCall(rig, numberId)
  rig.media.raise({
    get type(): never {
      throw new Error('bad event')
    },
    callId: id,
  } as never)
  await settled()
  t.is(rowOf(rig, id).errorCode, 'INTERNAL_ERROR')
  t.deepEqual(rig.rows.eventNames(id), ['call.ended'])
  t.true(rig.driver.last.asked.includes('terminate ext-1'))
  t.is(statusOf(rig, other.id), 'INITIATED')
  t.is(rig.directory.stats().calls, 1)
})
