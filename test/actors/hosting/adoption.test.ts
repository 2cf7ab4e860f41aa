import test from 'ava'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import { connectedNumber, createRig, pass, placeCall, receiveCall, rowOf, settled } from '../rig.ts'
import type { Rig } from '../rig.ts'

/** A number with two answered calls whose node died. The session has just started on a new node, from the rows. */
async function takenOver(
  list: (rig: Rig, ids: readonly string[]) => Parameters<typeof answerWith>[1],
): Promise<{ rig: Rig; calls: readonly CallId[] }> {
  const before = createRig()
  before.media.outlives = true
  before.media.offerAnswer = () => succeed({ sdp: 'offer', host: 'host-1' })
  const numberId = await connectedNumber(before)
  const placed = [await placeCall(before, numberId), await placeCall(before, numberId)]
  for (const { externalCallId } of placed)
    before.driver.last.raise({ type: 'callAnswered', externalCallId, sdp: 'answer' })
  await settled()
  // The old node died without releasing its lease.
  before.rows.leases.set(numberId, { owner: 'node_other', token: -7 })
  const rig = createRig({ rows: before.rows })
  rig.media.outlives = true
  answerWith(
    rig,
    list(
      rig,
      placed.map(({ externalCallId }) => externalCallId),
    ),
  )
  await rig.directory.start()
  await settled()
  return { rig, calls: placed.map(({ id }) => id) }
}

type ListAnswer = Rig['driver']['last']['listAnswer']

function answerWith(rig: Rig, answer: ListAnswer): void {
  rig.driver.onOpen = (session) => {
    session.listAnswer = answer
    setImmediate(() => session.raise({ type: 'state', state: 'OPEN', reason: null }))
  }
}

const known = (ids: readonly string[]) =>
  ids.map((externalCallId) => ({ externalCallId, callRef: null, isConnected: true }))

test('an owner that starts goes on with the calls of the one before: adopted where their rows say, driven by its own session', async (t) => {
  const { rig, calls } = await takenOver((_rig, ids) => () => succeed(known(ids)))
  t.deepEqual(
    rig.media.told.filter((told) => told.startsWith('adopt')),
    ['adopt at host-1', 'adopt at host-1'],
  )
  t.deepEqual(rig.driver.last.asked, ['list calls'])
  for (const id of calls) t.is(rowOf(rig, id).status, 'ACCEPTED')
  const [first = 'call_none', second = 'call_none'] = calls
  rig.driver.last.raise({ type: 'callEnded', externalCallId: rowOf(rig, first).externalCallId, reason: 'hangup' })
  const { numberId } = rowOf(rig, second)
  t.like(await rig.directory.askCall(numberId, second, 'Terminate', {}), { ok: true, value: { status: 'COMPLETED' } })
  await settled()
  t.deepEqual(
    [first, second].map((id) => [rowOf(rig, id).status, ...rig.rows.eventNames(id)]),
    [
      ['COMPLETED', 'call.connected', 'call.ended'],
      ['COMPLETED', 'call.connected', 'call.ended'],
    ],
  )
})

// [nodes.calls.5]
test('a call the engine does not know any more fails; one it holds for us that no row has is ended there', async (t) => {
  const {
    rig,
    calls: [first = 'call_none', second = 'call_none'],
  } = await takenOver(
    (_rig, [one = '']) =>
      () =>
        succeed([
          ...known([one]),
          { externalCallId: 'stray', callRef: 'call_forgotten', isConnected: true },
          { externalCallId: 'theirs', callRef: null, isConnected: false },
        ]),
  )
  t.is(rowOf(rig, first).status, 'ACCEPTED')
  t.like(rowOf(rig, second), { status: 'FAILED', errorCode: 'PROVIDER_FAILED' })
  t.true(rig.driver.last.asked.includes('terminate stray'))
  t.false(rig.driver.last.asked.includes('terminate theirs'))
})

test('a call that the engine makes of an offer which nobody waits for any more is ended as soon as it rings, and those of rows go on', async (t) => {
  let held = 0
  const { rig, calls } = await takenOver(
    (_rig, ids) => () =>
      succeed([
        ...known(ids),
        ...(held === 0 ? [] : [{ externalCallId: 'late', callRef: 'call_given_up', isConnected: false }]),
      ]),
  )
  held = 1
  t.deepEqual(rig.driver.last.asked, ['list calls'])
  rig.driver.last.raise({ type: 'callRinging', externalCallId: 'late' })
  await settled()
  t.deepEqual(rig.driver.last.asked, ['list calls', 'list calls', 'terminate late'])
  rig.driver.last.raise({ type: 'callEnded', externalCallId: 'late', reason: 'canceled' })
  await settled()
  t.is(rig.driver.last.asked.length, 3)
  for (const id of calls) t.is(rowOf(rig, id).status, 'ACCEPTED')
})

test('when the engine cannot say which calls it holds, no call goes on', async (t) => {
  const { rig, calls } = await takenOver(() => () => fail(refuse('FEATURE_NOT_SUPPORTED', 'unknown op')))
  for (const id of calls) t.like(rowOf(rig, id), { status: 'FAILED', errorCode: 'NODE_LOST' })
  t.is(rig.driver.last.asked.filter((asked) => asked.startsWith('terminate ext-')).length, 2)
})

test('an engine that does not answer is asked again, and the calls go on meanwhile', async (t) => {
  let asked = 0
  const { rig, calls } = await takenOver(
    (_rig, ids) => () => (++asked === 1 ? fail(refuse('DEVICE_NETWORK_TIMEOUT', 'late')) : succeed(known(ids))),
  )
  t.is(asked, 1)
  await pass(rig, 5_000)
  t.is(asked, 2)
  await pass(rig, 10_000)
  t.is(asked, 2)
  for (const id of calls) t.is(rowOf(rig, id).status, 'ACCEPTED')
})

test('a call whose host is lost ends, and its line is hung up once the engine can be told', async (t) => {
  const before = createRig()
  before.media.outlives = true
  before.media.offerAnswer = () => succeed({ sdp: 'offer', host: 'host-1' })
  const numberId = await connectedNumber(before)
  const { id, externalCallId } = await placeCall(before, numberId)
  before.rows.leases.set(numberId, { owner: 'node_other', token: -7 })
  const rig = createRig({ rows: before.rows })
  rig.media.outlives = true
  rig.media.adoptAnswer = () => fail(refuse('MEDIA_UNAVAILABLE', 'gone'))
  let isLinked = false
  rig.driver.onOpen = (session) => {
    const ask = session.terminateCall
    session.terminateCall = async (callId) =>
      isLinked ? ask(callId) : fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'no link'))
  }
  await rig.directory.start()
  await settled()
  t.like(rowOf(rig, id), { status: 'FAILED', errorCode: 'MEDIA_LOST' })
  isLinked = true
  rig.driver.last.raise({ type: 'state', state: 'OPEN', reason: null })
  await settled()
  t.deepEqual(rig.driver.last.asked, [`terminate ${externalCallId}`])
})

// [nodes.sigterm.2]
test('a node that stops leaves its calls, ringing ones too, to the next owner', async (t) => {
  const rig = createRig()
  rig.media.outlives = true
  rig.media.offerAnswer = () => succeed({ sdp: 'offer', host: 'host-1' })
  const numberId = await connectedNumber(rig)
  const { id } = await placeCall(rig, numberId)
  const ringing = await receiveCall(rig)
  await rig.directory.stop()
  t.deepEqual(
    [id, ringing].map((callId) => rowOf(rig, callId).status),
    ['INITIATED', 'RINGING'],
  )
  t.is(rowOf(rig, id).mediaHost, 'host-1')
  t.is(rig.media.told.filter((told) => told === 'leave').length, 2)
  t.true(rig.driver.last.isClosed)
  t.false(rig.driver.last.asked.some((asked) => asked.startsWith('terminate') || asked.startsWith('reject')))
  const next = createRig({ rows: rig.rows })
  next.media.outlives = true
  answerWith(next, () => succeed([...known(['in-1']), { externalCallId: 'ext-1', callRef: id, isConnected: false }]))
  await next.directory.start()
  await settled()
  t.deepEqual(
    next.media.told.filter((told) => told.startsWith('adopt')),
    ['adopt at host-1', 'adopt at null'],
  )
  t.is(rowOf(next, ringing).status, 'ACCEPTED', 'its accept had got through')
})

test('a ringing call of a number that declines calls is declined by the next owner', async (t) => {
  const rig = createRig()
  rig.media.outlives = true
  const numberId = await connectedNumber(rig)
  const ringing = await receiveCall(rig)
  await rig.directory.stop()
  const number = rig.rows.numbers.get(numberId)
  if (number) rig.rows.numbers.set(numberId, { ...number, settings: { ...number.settings, rejectCall: true } })
  const next = createRig({ rows: rig.rows })
  next.media.outlives = true
  next.media.adoptAnswer = () => succeed({ hasLeg: false })
  answerWith(next, () => succeed([{ externalCallId: 'in-1', callRef: null, isConnected: false }]))
  await next.directory.start()
  await settled()
  t.is(rowOf(next, ringing).status, 'REJECTED')
})
