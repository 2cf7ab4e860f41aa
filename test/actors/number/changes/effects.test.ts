import test from 'ava'
import { succeed } from '../../../../src/domain/errors.ts'
import type { NumberId } from '../../../../src/domain/ids.ts'
import { newId } from '../../../../src/domain/ids.ts'
import {
  addOfficial,
  answer,
  offer,
  officialRig,
  OUT,
  permission,
  placeOfficial,
  post,
  status,
  T0,
  terminated,
} from '../../official-rig.ts'
import type { Rig } from '../../rig.ts'
import { pass, rowOf, settled, statusOf } from '../../rig.ts'

const numberOf = ({ rows }: Rig, numberId: NumberId) => ({
  ...rows.numbers.get(numberId),
  ...rows.connectionOf(numberId),
})

test('a number nobody asked for works its changes off when it is told', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  t.is(rig.directory.stats().numbers, 0)
  await post(rig, numberId, offer())
  t.is(rig.rows.calls.size, 1)
  t.deepEqual(rig.rows.settled, [1])
})

test('changes nobody was told of are found at the start, and later by looking', async (t) => {
  const rig = officialRig()
  const numbers = [addOfficial(rig.rows), addOfficial(rig.rows)] as const
  rig.rows.addChange(numbers[0], 'calls', offer('wacid.1'))
  await rig.directory.start()
  await settled()
  t.deepEqual(rig.rows.settled, [1])
  rig.rows.addChange(numbers[1], 'calls', offer('wacid.2'))
  rig.rows.addChange(numbers[0], 'calls', terminated({ id: 'wacid.1', isInbound: true }))
  await pass(rig, 4_000)
  t.deepEqual(rig.rows.settled.toSorted(), [1, 2, 3])
  t.deepEqual(rig.rows.eventNames().toSorted(), ['call.missed', 'call.ringing', 'call.ringing'])
})

// [events.data.6]
test('a permission that changes is one event, stored with the end of its change', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  await post(
    rig,
    numberId,
    permission({ response: 'accept', is_permanent: false, expiration_timestamp: T0 + 600 }),
    permission({ response: 'reject' }),
  )
  await rig.directory.receive(numberId)
  const peerNumber = '+5511988887777'
  const createdAt = new Date(T0 * 1000).toISOString()
  t.deepEqual(rig.rows.events, [
    {
      event: 'call.permission_updated',
      data: { peerNumber, status: 'TEMPORARY', expiresAt: new Date((T0 + 600) * 1000).toISOString(), createdAt },
    },
    { event: 'call.permission_updated', data: { peerNumber, status: 'NO_PERMISSION', expiresAt: null, createdAt } },
  ])
})

test('a change on which the reader throws is set aside and holds nothing up', async (t) => {
  const { readCallEvents } = await import('../../../../src/providers/official/inbound/call-events.ts')
  let reads = 0
  const rig = officialRig({
    read: (field, value) => {
      if (value !== 'poison') return readCallEvents(field, value)
      reads++
      throw new Error('unreadable')
    },
  })
  const numberId = addOfficial(rig.rows)
  await post(rig, numberId, 'poison', offer(), '{"calls":[]}', '"unknown"')
  await pass(rig, 60_000, 5_000)
  t.is(reads, 1)
  t.deepEqual(rig.rows.settled, [2, 3, 4])
  t.deepEqual(rig.setAside.kept, [{ item: '1', held: 'poison', reason: 'Error' }])
  t.is(rig.rows.calls.size, 1)
})

test('changes are settled in order, and none before what it led to is stored', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  rig.rows.writes.length = 0
  await post(
    rig,
    numberId,
    status('RINGING'),
    offer(),
    permission({ response: 'reject' }),
    status('ACCEPTED'),
    terminated({ seconds: 4 }),
  )
  t.deepEqual(rig.rows.settled, [1, 2, 3, 4, 5])
  const at = (write: string) => rig.rows.writes.indexOf(write)
  const settledAt = (position: number) =>
    rig.rows.writes.findIndex((write) => write.startsWith('settle ') && write.split(' ').includes(String(position)))
  t.true(at('move RINGING') < settledAt(1) && at('insert') < settledAt(2))
  t.true(at('move ACCEPTED') < settledAt(4) && at('move COMPLETED') < settledAt(5))
  t.is(statusOf(rig, id), 'COMPLETED')
})

test('a thousand changes of a number are worked off by one wake-up, each once', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  for (let i = 0; i < 500; i++) {
    rig.rows.addChange(numberId, 'calls', offer(`wacid.${i}`))
    rig.rows.addChange(numberId, 'calls', terminated({ id: `wacid.${i}`, isInbound: true }))
  }
  await rig.directory.receive(numberId)
  for (let i = 0; i < 200 && rig.rows.settled.length < 1_000; i++) await settled(50)
  t.deepEqual(
    rig.rows.settled,
    Array.from({ length: 1_000 }, (_, index) => index + 1),
  )
  t.is(rig.rows.calls.size, 500)
  t.is(rig.rows.eventNames().filter((name) => name === 'call.missed').length, 500)
})

test('a wake-up while changes are being read is not lost', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  rig.rows.whileReading = async () => {
    rig.rows.whileReading = async () => {}
    rig.rows.addChange(numberId, 'calls', offer())
    await rig.directory.receive(numberId)
    await settled(3)
  }
  // The number looks for changes when it starts, and finds none yet.
  await rig.directory.askNumber(numberId, 'CurrentCode', {})
  await settled()
  t.deepEqual(rig.rows.settled, [1])
})

test('a change whose outcome could not be stored is handed out again, the call lives on', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  await rig.directory.start()
  rig.rows.failing = 4
  await post(rig, numberId, answer())
  await pass(rig, 20_000)
  t.like(rowOf(rig, id), { status: 'INITIATED', sdpAnswer: null })
  await pass(rig, 20_000)
  t.like(rowOf(rig, id), { status: 'INITIATED', sdpAnswer: 'user answer' })
  t.deepEqual(rig.rows.settled, [1])
})

test('a change stored late under a lower position is found', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const late = rig.rows.addChange(numberId, 'calls', offer('wacid.late'))
  const [held] = rig.rows.changes.get(numberId) ?? []
  rig.rows.changes.set(numberId, [])
  await post(rig, numberId, offer('wacid.early'))
  if (!held) return t.fail()
  rig.rows.changes.set(numberId, [held])
  await rig.directory.receive(numberId)
  await settled()
  return t.deepEqual(rig.rows.settled, [late + 1, late])
})

test('a store that is down for a while loses no change and repeats no event', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  await rig.directory.start()
  rig.rows.failing = 30
  await post(
    rig,
    numberId,
    status('RINGING'),
    answer(),
    status('ACCEPTED'),
    offer(),
    terminated({ seconds: 42 }),
    permission({ response: 'reject' }),
  )
  await pass(rig, 120_000, 1_000)
  t.like(rowOf(rig, id), { status: 'COMPLETED', durationSeconds: 42 })
  t.deepEqual(rig.rows.eventNames(id), ['call.connected', 'call.ended'])
  t.deepEqual(rig.rows.eventNames().toSorted(), [
    'call.connected',
    'call.ended',
    'call.permission_updated',
    'call.ringing',
  ])
  t.deepEqual(rig.rows.changes.get(numberId), [])
})

test('a connected number leaves memory when nothing happens, keeps its state, and places a call at once when asked', async (t) => {
  const rig = officialRig({ timers: { numberIdleMs: 10_000 } })
  const numberId = addOfficial(rig.rows)
  await post(rig, numberId, permission({ response: 'reject' }))
  await pass(rig, 12_000)
  t.is(rig.directory.stats().numbers, 0)
  t.true(rig.driver.last.isClosed)
  t.is(numberOf(rig, numberId).state, 'OPEN')
  rig.rows.writes.length = 0
  await placeOfficial(rig, numberId)
  t.deepEqual(rig.rows.writes, ['insert', 'external id'], 'neither CONNECTING nor OPEN is written anew')
  await pass(rig, 60_000, 5_000)
  t.is(rig.directory.stats().numbers, 1, 'not while a call lives')
})

test('a number that left memory is only started again when there is a change for it', async (t) => {
  const rig = officialRig({ timers: { numberIdleMs: 10_000 } })
  const numberId = addOfficial(rig.rows)
  await rig.directory.start()
  await pass(rig, 60_000, 2_000)
  t.is(rig.driver.sessions.length, 1)
  rig.rows.addChange(numberId, 'calls', offer())
  await pass(rig, 4_000)
  t.is(rig.driver.sessions.length, 2)
  t.deepEqual(rig.rows.settled, [1])
})

test('a new number is OPEN with number.connected as soon as it is told to look', async (t) => {
  const rig = officialRig()
  const numberId = rig.rows.addNumber({ provider: 'OFFICIAL', credentials: '{}', state: 'CLOSE' })
  t.true(
    (
      await rig.directory.askNumber(numberId, 'PlaceCall', {
        to: '5511999990001',
        bizOpaqueCallbackData: null,
        sdp: 'o',
      })
    ).ok,
  )
  t.like(numberOf(rig, numberId), { state: 'OPEN', isFullyConnected: true })
  t.deepEqual(rig.rows.eventNames(), ['number.connected'])
})

test('a refused token closes the number once, calls go on, and a token that is taken again opens it', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  const session = rig.driver.last
  for (let i = 0; i < 3; i++) session.raise({ type: 'state', state: 'CLOSE', reason: 'banned' })
  await pass(rig, 20_000)
  t.is(numberOf(rig, numberId).state, 'CLOSE')
  t.is(numberOf(rig, numberId).credentials, '{}')
  t.deepEqual(rig.rows.eventNames(), ['number.disconnected'])
  t.is(rig.driver.sessions.length, 1, 'no session is opened again and again')
  const placing = { to: '5511999990001', bizOpaqueCallbackData: null, sdp: 'o' }
  t.like(await rig.directory.askNumber(numberId, 'PlaceCall', placing), {
    ok: false,
    error: { code: 'CHANNEL_INSTANCE_NOT_CONNECTED' },
  })
  await post(rig, numberId, status('ACCEPTED'), terminated({ seconds: 5 }))
  t.is(statusOf(rig, id), 'COMPLETED')
  session.raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  t.is(numberOf(rig, numberId).state, 'OPEN')
  t.is(rig.rows.eventNames().at(-1), 'number.connected')
})

test('a restart keeps OFFICIAL calls, and commands reach them', async (t) => {
  const first = officialRig()
  const numberId = addOfficial(first.rows)
  const { id } = await placeOfficial(first, numberId)
  await post(first, numberId, status('RINGING'), answer(), offer())
  await first.directory.stop()
  t.is(statusOf(first, id), 'RINGING')
  t.deepEqual(
    first.driver.last.asked.filter((what) => what.startsWith('terminate')),
    [],
  )
  const second = officialRig({ rows: first.rows })
  const inbound = [...second.rows.calls.values()].find(({ direction }) => direction === 'INBOUND')
  if (!inbound) return t.fail()
  t.deepEqual(
    await second.directory.askCall(numberId, inbound.id, 'Accept', { sdp: 'our answer' }),
    succeed({ id: inbound.id, status: 'ACCEPTED' }),
  )
  t.is(second.directory.stats().calls, 2)
  await post(second, numberId, status('ACCEPTED'))
  t.like(rowOf(second, id), { status: 'ACCEPTED', sdpOffer: 'our offer', sdpAnswer: 'user answer' })
  t.deepEqual(await second.directory.askCall(numberId, id, 'Terminate', {}), succeed({ id, status: 'COMPLETED' }))
  t.deepEqual(second.driver.last.asked, ['accept wacid.IN', `terminate ${OUT}`])
  return t.deepEqual(second.rows.eventNames(id), ['call.connected', 'call.ended'])
})

test('a call upstream had not named when its node went down ends NODE_LOST', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  await rig.directory.stop()
  const row = rowOf(rig, id)
  rig.rows.calls.set(id, { ...row, externalCallId: null })
  const second = officialRig({ rows: rig.rows })
  await second.directory.askNumber(numberId, 'CurrentCode', {})
  t.like(rowOf(second, id), { status: 'FAILED', errorCode: 'NODE_LOST' })
  t.deepEqual(second.media.told, [])
})

test('a number that crashes keeps its calls', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  rig.driver.last.raise({ type: 'incomingCall', externalCallId: 'bad', from: null, sdp: 's' })
  await pass(rig, 3_000)
  t.deepEqual(
    rig.driver.sessions.map(({ isClosed }) => isClosed),
    [true, false],
  )
  t.is(statusOf(rig, id), 'INITIATED')
  await post(rig, numberId, status('ACCEPTED'), terminated({ seconds: 5 }))
  t.is(statusOf(rig, id), 'COMPLETED')
})

test('removing a number hangs its calls up', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  t.true((await rig.directory.askNumber(numberId, 'Remove', {})).ok)
  t.is(statusOf(rig, id), 'MISSED')
  t.true(rig.driver.last.asked.includes(`terminate ${OUT}`))
})

test('a number another node holds is left to that node', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  rig.rows.leases.set(numberId, { owner: newId('node'), token: 5 })
  await post(rig, numberId, offer())
  t.is(rig.rows.calls.size, 0)
  t.deepEqual(rig.rows.settled, [])
})

test('an event of a call that is not ours, and failures of calling, are settled', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  await post(
    rig,
    numberId,
    status('RINGING', 'wacid.other'),
    answer('wacid.other'),
    '{"errors":[{"code":131044,"message":"pay"}]}',
  )
  t.deepEqual(rig.rows.settled, [1, 2, 3])
  t.deepEqual([rig.rows.calls.size, rig.rows.events.length], [0, 0])
})

test('a change that never comes to an end, and nothing says why, is set aside after two minutes', async (t) => {
  const rig = officialRig({
    readMessages: (_, value) =>
      value.includes('stuck')
        ? [
            {
              type: 'messageStatus',
              externalMessageId: 'stuck',
              messageId: null,
              status: 'READ',
              failure: null,
              at: new Date(),
            },
          ]
        : [],
  })
  const numberId = addOfficial(rig.rows)
  const inbox = rig.messages.inbox()
  const never = new Promise<never>(() => {})
  rig.inbox.report = (fence, report) => (report.externalMessageId === 'stuck' ? never : inbox.report(fence, report))
  await rig.directory.start()
  await post(rig, numberId, '"messages" stuck', offer())
  await pass(rig, 60_000, 1_000)
  t.deepEqual(rig.setAside.kept, [])
  await pass(rig, 60_000, 1_000)
  t.like(rig.setAside.kept, [{ item: '1', reason: 'STUCK' }])
  t.deepEqual(rig.rows.settled, [2])
})
