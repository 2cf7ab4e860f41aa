import test from 'ava'
import type { Call } from '../../../src/domain/call.ts'
import { succeed } from '../../../src/domain/errors.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import { leaseTimesOf } from '../../../src/domain/lease-times.ts'
import { LEASE_TTL_MS } from '../../../src/domain/limits.ts'
import type { MemoryRows } from '../../helpers/memory/rows.ts'
import { connectedNumber, createRig, pass, placeCall, receiveCall, rowOf, settled, statusOf } from '../rig.ts'

function liveRow(rows: MemoryRows, numberId: NumberId, patch: Partial<Call> = {}): Call {
  const number = rows.numbers.get(numberId)
  if (!number) throw new Error('no such number')
  const now = new Date(Date.UTC(2025, 11, 31))
  const call: Call = {
    id: newId('call'),
    tenantId: number.tenantId,
    numberId,
    provider: 'UNOFFICIAL',
    externalCallId: 'left-1',
    direction: 'OUTBOUND',
    status: 'ACCEPTED',
    peerNumber: '5511999990001',
    fromNumber: number.number,
    conversationId: null,
    bizOpaqueCallbackData: null,
    startedAt: now,
    connectedAt: now,
    endedAt: null,
    durationSeconds: null,
    errorCode: null,
    errorMessage: null,
    media: null,
    sdpOffer: null,
    sdpAnswer: null,
    playback: [],
    mediaHost: null,
    recording: null,
    createdAt: now,
    updatedAt: now,
    ...patch,
  }
  rows.calls.set(call.id, call)
  return call
}

test('starting opens a session for every paired number and none for the others', async (t) => {
  const rig = createRig({ startGate: 3 })
  const paired = Array.from({ length: 25 }, () => rig.rows.addNumber({ credentials: 'blob' }))
  rig.rows.addNumber()
  await rig.directory.start()
  t.is(rig.driver.sessions.length, 25)
  t.deepEqual(new Set(rig.driver.sessions.map(({ opening }) => opening.numberId)), new Set(paired))
})

test('an owner that starts closes calls whose node and media host are gone, and hangs them up once connected, by our id where upstream has told none', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber({ credentials: 'blob', state: 'OPEN' })
  const left = liveRow(rig.rows, numberId)
  const ringing = liveRow(rig.rows, numberId, { status: 'RINGING', connectedAt: null, externalCallId: null })
  await rig.directory.start()
  t.like(rowOf(rig, left.id), { status: 'FAILED', errorCode: 'NODE_LOST', durationSeconds: 86_400 })
  t.like(rowOf(rig, ringing.id), { status: 'FAILED', errorCode: 'NODE_LOST', durationSeconds: null })
  t.deepEqual(rig.rows.eventNames(left.id), ['call.ended'])
  t.is(rig.media.closed.get(left.id), 'FAILED')
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  t.deepEqual(rig.driver.last.asked, ['terminate left-1', `terminate ${ringing.id}`])
  // The row already said OPEN, so that event was stored before.
  t.deepEqual(rig.rows.eventNames(), ['call.ended', 'call.ended'])
})

test('a call without an actor is answered from its row, after its owner cleaned up', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber()
  const left = liveRow(rig.rows, numberId)
  t.deepEqual(
    await rig.directory.askCall(numberId, left.id, 'Terminate', {}),
    succeed({ id: left.id, status: 'FAILED' }),
  )
  t.like(await rig.directory.askCall(numberId, left.id, 'Accept', { sdp: null }), {
    ok: false,
    error: { code: 'CALL_INVALID_STATE' },
  })
  t.like(await rig.directory.askCall(numberId, left.id, 'OpenSession', { mode: 'talk', by: 'key_1' }), {
    ok: false,
    error: { code: 'CALL_INVALID_STATE' },
  })
})

test('a number another node holds answers NOT_OWNER and is taken when that node lets go', async (t) => {
  const rig = createRig()
  const numberId = rig.rows.addNumber({ credentials: 'blob' })
  rig.rows.leases.set(numberId, { owner: 'node_other', token: 7 })
  await rig.directory.start()
  const asked = rig.directory.askNumber(numberId, 'CurrentCode', {})
  await pass(rig, 10_000, 100)
  t.like(await asked, { ok: false, error: { code: 'NOT_OWNER', retryAfterSeconds: 1 } })
  t.is(rig.driver.sessions.length, 0)
  rig.rows.leases.set(numberId, { owner: 'node_other', token: -7 })
  await pass(rig, 6_000)
  t.is(rig.driver.sessions.length, 1)
  t.is(rig.rows.leases.get(numberId)?.token, 8)
})

test('a number taken by another node is dropped without a write: its session closes, its calls are left, nothing is settled', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id, externalCallId } = await placeCall(rig, numberId)
  rig.rows.leases.set(numberId, { owner: 'node_other', token: 99 })
  const ended = rig.driver.last.raise({ type: 'callEnded', externalCallId, reason: 'hangup' })
  await settled()
  t.is(statusOf(rig, id), 'INITIATED')
  t.false(rig.driver.last.settled.includes(ended))
  t.false(rig.media.closed.has(id))
  t.is(rig.media.told.at(-1), 'leave')
  await pass(rig, 6_000)
  t.true(rig.driver.last.isClosed)
  t.deepEqual(rig.directory.stats(), { numbers: 0, calls: 0 })
})

// [nodes.placement.4]
test('an owner that cannot renew closes its sessions before its lease ends', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  rig.rows.leaseFailing = true
  const { ttlMs, safetyMs } = leaseTimesOf(LEASE_TTL_MS)
  await pass(rig, ttlMs - safetyMs - 1_000)
  t.false(rig.driver.last.isClosed)
  await pass(rig, 2_000)
  t.true(rig.driver.last.isClosed)
})

test('an owner that renews keeps its sessions', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  await pass(rig, 60_000)
  t.is(rig.driver.sessions.length, 1)
  t.false(rig.driver.last.isClosed)
})

test('a number with nothing to do leaves memory and gives its lease back; the next ask brings it again', async (t) => {
  const rig = createRig({ timers: { numberIdleMs: 10_000 } })
  const numberId = rig.rows.addNumber()
  await rig.directory.askNumber(numberId, 'CurrentCode', {})
  await pass(rig, 9_000)
  t.is(rig.directory.stats().numbers, 1)
  await rig.directory.askNumber(numberId, 'CurrentCode', {})
  await pass(rig, 9_000)
  t.is(rig.directory.stats().numbers, 1)
  await pass(rig, 2_000)
  t.is(rig.directory.stats().numbers, 0)
  t.true((rig.rows.leases.get(numberId)?.token ?? 0) < 0)
  t.true((await rig.directory.askNumber(numberId, 'CurrentCode', {})).ok)
})

test('a connected number does not leave memory', async (t) => {
  const rig = createRig({ timers: { numberIdleMs: 1_000 } })
  await connectedNumber(rig)
  await pass(rig, 30_000)
  t.is(rig.directory.stats().numbers, 1)
})

// [nodes.calls.9]
test('stopping ends calls with NODE_LOST, closes sessions, keeps the pairing and gives leases back', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id } = await placeCall(rig, numberId)
  const inbound = await receiveCall(rig)
  await rig.directory.stop()
  for (const callId of [id, inbound]) t.like(rowOf(rig, callId), { status: 'FAILED', errorCode: 'NODE_LOST' })
  t.true(rig.driver.last.asked.includes('terminate ext-1'))
  t.true(rig.driver.last.isClosed)
  t.is(rig.rows.connectionOf(numberId).credentials, 'secret')
  t.true((rig.rows.leases.get(numberId)?.token ?? 0) < 0)
  const asked = rig.directory.askNumber(numberId, 'CurrentCode', {})
  await pass(rig, 10_000, 100)
  t.like(await asked, { ok: false, error: { code: 'NOT_OWNER' } })
})

test('numbers that nobody asks for have no actor, however many they are', async (t) => {
  const rig = createRig()
  for (let i = 0; i < 2_000; i++) rig.rows.addNumber()
  await rig.directory.start()
  t.deepEqual(rig.directory.stats(), { numbers: 0, calls: 0 })
})

test('a media event of a call nobody knows is dropped', async (t) => {
  const rig = createRig()
  t.notThrows(() => rig.media.raise({ type: 'flowing', callId: 'call_none' }))
  await settled()
})

test('a database that hangs does not hold an asker: BUSY after the time of an ask', async (t) => {
  const rig = createRig({ leases: { acquire: () => new Promise(() => {}) } })
  const numberId = rig.rows.addNumber()
  const asked = rig.directory.askNumber(numberId, 'CurrentCode', {})
  await settled()
  rig.clock.advance(20_000)
  t.like(await asked, { ok: false, error: { code: 'BUSY' } })
})

test('a database that refuses the lease is BUSY, and the next ask tries again', async (t) => {
  let isDown = true
  const rig = createRig({
    leases: {
      acquire: async (numberId) => {
        if (isDown) throw new Error('down')
        rig.rows.leases.set(numberId, { owner: rig.nodeId, token: 1 })
        return { numberId, token: 1 }
      },
    },
  })
  const numberId = rig.rows.addNumber()
  t.like(await rig.directory.askNumber(numberId, 'CurrentCode', {}), { ok: false, error: { code: 'BUSY' } })
  isDown = false
  t.true((await rig.directory.askNumber(numberId, 'CurrentCode', {})).ok)
})
