import test from 'ava'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import { DEFAULT_SETTINGS } from '../../../src/domain/number.ts'
import { connectedNumber, createRig, pass, placeCall, receiveCall, rowOf, settled, statusOf } from '../rig.ts'

test('an outbound call is stored before anything is asked upstream and answered once the provider took it', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.rows.writes.length = 0
  const placed = await placeCall(rig, numberId)
  t.deepEqual(rig.rows.writes, ['insert', 'external id'])
  t.is(placed.externalCallId, 'ext-1')
  t.is(statusOf(rig, placed.id), 'INITIATED')
  t.is(rowOf(rig, placed.id).externalCallId, 'ext-1')
  t.deepEqual(rig.rows.eventNames(placed.id), [])
})

// [calls.object.7] [calls.object.8] [events.data.5]
test('an outbound call walks through ringing and the answer to COMPLETED with one event per stored change', async (t) => {
  const rig = createRig()
  const { id, externalCallId } = await placeCall(rig, await connectedNumber(rig))
  const ringing = rig.driver.last.raise({ type: 'callRinging', externalCallId })
  await settled()
  t.is(statusOf(rig, id), 'RINGING')
  const answered = rig.driver.last.raise({ type: 'callAnswered', externalCallId, sdp: 'peer answer' })
  await settled()
  t.is(statusOf(rig, id), 'ACCEPTED')
  t.true(rig.media.told.includes('connect'))
  rig.media.raise({ type: 'flowing', callId: id })
  await pass(rig, 65_000)
  const ended = rig.driver.last.raise({ type: 'callEnded', externalCallId, reason: 'hangup' })
  await settled()
  t.is(statusOf(rig, id), 'COMPLETED')
  t.is(rowOf(rig, id).durationSeconds, 65)
  t.deepEqual(rig.rows.eventNames(id), ['call.connected', 'call.ended'])
  const data = rig.rows.events.at(-1)?.data
  t.is(data?.duration, 65)
  t.is(data?.peerNumber, '+5511999990001')
  t.is(data?.bizOpaqueCallbackData, 'biz')
  t.false(Object.keys(data ?? {}).some((key) => key.startsWith('sdp') || key === 'playback'))
  for (const seq of [ringing, answered, ended]) t.true(rig.driver.last.settled.includes(seq))
  t.is(rig.media.closed.get(id), 'COMPLETED')
  t.is(rig.directory.stats().calls, 0)
})

// [calls.states.9]
test('a provider that refuses to start leaves no row, and its error reaches the caller', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.driver.last.offerAnswer = () => fail(refuse('CALL_PEER_UNREACHABLE', 'not registered'))
  const placed = await rig.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990004',
    bizOpaqueCallbackData: null,
    sdp: null,
  })
  t.like(placed, { ok: false, error: { code: 'CALL_PEER_UNREACHABLE' } })
  t.is(rig.rows.calls.size, 0)
  t.is(rig.rows.events.filter(({ event }) => event.startsWith('call.')).length, 0)
  t.is(rig.media.closed.size, 1)
})

test('a full media host refuses the call before the provider hears of it', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  rig.media.offerAnswer = () => fail(refuse('MEDIA_CAPACITY', 'full'))
  const placed = await rig.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990004',
    bizOpaqueCallbackData: null,
    sdp: null,
  })
  t.like(placed, { ok: false, error: { code: 'MEDIA_CAPACITY' } })
  t.is(rig.rows.calls.size, 0)
  t.false(rig.driver.last.asked.some((what) => what.startsWith('offer')))
})

test('a call that ends while the provider is still asked hangs the late offer up', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  let answer: (outcome: ReturnType<typeof succeed<{ externalCallId: string }>>) => void = () => {}
  rig.driver.last.offerAnswer = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  const placing = rig.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: null,
    sdp: null,
  })
  await settled()
  const [row] = rig.rows.calls.values()
  const ended = await rig.directory.askCall(numberId, row!.id, 'Terminate', {})
  t.like(ended, { ok: true, value: { status: 'MISSED' } })
  t.like(await placing, { ok: false, error: { code: 'CALL_INVALID_STATE' } })
  answer(succeed({ externalCallId: 'late' }))
  await settled()
  t.true(rig.driver.last.asked.includes('terminate late'))
})

test('events that overtake the answer of the offer reach their call', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const session = rig.driver.last
  const answered = Promise.withResolvers<ReturnType<typeof succeed<{ externalCallId: string }>>>()
  session.offerAnswer = () => {
    session.raise({ type: 'callRinging', externalCallId: 'fast' })
    session.raise({ type: 'callAnswered', externalCallId: 'fast', sdp: 'peer answer' })
    return answered.promise
  }
  const placing = placeCall(rig, numberId)
  await settled()
  answered.resolve(succeed({ externalCallId: 'fast' }))
  const placed = await placing
  await settled()
  t.is(statusOf(rig, placed.id), 'ACCEPTED')
})

// [calls.states.10] [calls.states.12]
test('an inbound call rings, is accepted and connected', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const id = await receiveCall(rig)
  t.is(statusOf(rig, id), 'RINGING')
  t.true(rig.media.told.includes('announce'))
  t.true((await rig.directory.askCall(numberId, id, 'OpenSession', { mode: 'talk', by: 'key_1' })).ok)
  const taken = await rig.directory.askCall(numberId, id, 'OpenSession', { mode: 'talk', by: 'key_1', takesOver: true })
  t.true(taken.ok)
  t.deepEqual(await rig.directory.askCall(numberId, id, 'GiveBack', {}), succeed(null))
  t.deepEqual(rig.media.told.slice(-3), ['mint', 'mint that takes over', 'giveBack'])
  t.deepEqual(await rig.directory.askCall(numberId, id, 'Accept', { sdp: null }), succeed({ id, status: 'ACCEPTED' }))
  t.true(rig.driver.last.asked.includes('accept in-1'))
  t.deepEqual(rig.rows.eventNames(id), ['call.ringing', 'call.connected'])
  t.like(await rig.directory.askCall(numberId, id, 'Accept', { sdp: null }), {
    ok: false,
    error: { code: 'CALL_INVALID_STATE' },
  })
  t.deepEqual(await rig.directory.askCall(numberId, id, 'Terminate', {}), succeed({ id, status: 'COMPLETED' }))
  t.deepEqual(await rig.directory.askCall(numberId, id, 'Terminate', {}), succeed({ id, status: 'COMPLETED' }))
  t.true(rig.driver.last.asked.includes('terminate in-1'))
  t.like(await rig.directory.askCall(numberId, id, 'GiveBack', {}), {
    ok: false,
    error: { code: 'CALL_INVALID_STATE' },
  })
})

test('an inbound call announced twice is stored once and both announcements are settled', async (t) => {
  const rig = createRig()
  await connectedNumber(rig)
  rig.driver.last.raise({ type: 'incomingCall', externalCallId: 'twice', from: '5511988887777', sdp: 's' })
  const second = rig.driver.last.raise({
    type: 'incomingCall',
    externalCallId: 'twice',
    from: '5511988887777',
    sdp: 's',
  })
  await settled()
  t.is(rig.rows.calls.size, 1)
  t.is(rig.rows.eventNames().filter((name) => name === 'call.ringing').length, 1)
  t.true(rig.driver.last.settled.includes(second))
})

// [calls.settings.4] [calls.settings.5] [numbers.settings.5] [numbers.settings.6]
test('rejectCall declines by itself, records REJECTED, and sends its text once', async (t) => {
  const rig = createRig()
  await connectedNumber(rig, { settings: { ...DEFAULT_SETTINGS, rejectCall: true, msgRejectCall: 'Write, please.' } })
  const id = await receiveCall(rig)
  t.is(statusOf(rig, id), 'REJECTED')
  t.deepEqual(rig.rows.eventNames(id), ['call.ended'])
  t.deepEqual(
    rig.driver.last.asked.filter((what) => what.startsWith('text')),
    [`text 5511988887777 Write, please. msg_${id.slice(5)}`],
  )
  t.true(rig.driver.last.asked.includes('reject in-1'))
  rig.driver.last.raise({ type: 'incomingCall', externalCallId: 'in-1', from: '5511988887777', sdp: 's' })
  await settled()
  t.is(rig.driver.last.asked.filter((what) => what.startsWith('text')).length, 1)
  t.is(rig.rows.calls.size, 1)
})

// [calls.settings.5]
test('rejectCall with a blank text declines without a word', async (t) => {
  for (const msgRejectCall of [' ', '\n\u200B', '']) {
    const rig = createRig()
    await connectedNumber(rig, { settings: { ...DEFAULT_SETTINGS, rejectCall: true, msgRejectCall } })
    t.is(statusOf(rig, await receiveCall(rig)), 'REJECTED')
    t.deepEqual(
      rig.driver.last.asked.filter((what) => what.startsWith('text')),
      [],
    )
  }
})

// [calls.states.6]
test('nobody answering within the ring time is MISSED: call.missed inbound, call.ended outbound', async (t) => {
  const rig = createRig({ timers: { callRingMs: 4_000 } })
  const numberId = await connectedNumber(rig)
  const inbound = await receiveCall(rig)
  const outbound = await placeCall(rig, numberId)
  rig.driver.last.raise({ type: 'callRinging', externalCallId: outbound.externalCallId })
  await settled()
  await pass(rig, 5_000)
  t.is(statusOf(rig, inbound), 'MISSED')
  t.is(statusOf(rig, outbound.id), 'MISSED')
  t.deepEqual(rig.rows.eventNames(inbound), ['call.ringing', 'call.missed'])
  t.deepEqual(rig.rows.eventNames(outbound.id), ['call.ended'])
})

// [calls.states.8] [calls.states.13]
test('timers of a silent provider and of silent media end the call with their own codes', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const silent = await placeCall(rig, numberId)
  const mute = await placeCall(rig, numberId)
  rig.driver.last.raise({ type: 'callAnswered', externalCallId: mute.externalCallId, sdp: 's' })
  await settled()
  await pass(rig, 31_000)
  t.is(rowOf(rig, silent.id).errorCode, 'NO_RINGING')
  t.is(rowOf(rig, mute.id).errorCode, 'MEDIA_TIMEOUT')
  t.is(rowOf(rig, mute.id).durationSeconds, 20)
})

test('a lost leg ends the call MEDIA_LOST, before the accept it is announced again', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const inbound = await receiveCall(rig)
  rig.media.raise({ type: 'lost', callId: inbound, reason: 'host gone' })
  await settled()
  t.is(statusOf(rig, inbound), 'RINGING')
  t.is(rig.media.told.filter((what) => what === 'announce').length, 2)
  await rig.directory.askCall(numberId, inbound, 'Accept', { sdp: null })
  rig.media.raise({ type: 'lost', callId: inbound, reason: 'ice' })
  await settled()
  t.is(rowOf(rig, inbound).errorCode, 'MEDIA_LOST')
})

// [calls.play.2]
test('files are queued before the answer, followed, and the last one hangs up when asked to', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id, externalCallId } = await placeCall(rig, numberId)
  t.like(await rig.directory.askCall(numberId, id, 'Play', { mediaUrl: 'http://a/b.mp3', hangupAfterPlay: true }), {
    ok: true,
    value: { status: 'INITIATED' },
  })
  const [file] = rowOf(rig, id).playback
  t.like(file, { mediaUrl: 'http://a/b.mp3', status: 'QUEUED', hangupAfterPlay: true })
  rig.driver.last.raise({ type: 'callAnswered', externalCallId, sdp: 's' })
  await settled()
  const progress = {
    type: 'playback',
    callId: id,
    playbackId: file!.id,
    mediaUrl: 'http://a/b.mp3',
    hangupAfterPlay: true,
  } as const
  rig.media.raise({ ...progress, status: 'PLAYING' })
  rig.media.raise({ ...progress, status: 'QUEUED' })
  await settled()
  t.is(rowOf(rig, id).playback[0]?.status, 'PLAYING')
  rig.media.raise({ ...progress, status: 'FINISHED' })
  await settled()
  t.is(statusOf(rig, id), 'COMPLETED')
  t.is(rowOf(rig, id).playback[0]?.status, 'FINISHED')
  t.like(await rig.directory.askCall(numberId, id, 'Play', { mediaUrl: 'http://a/b.mp3', hangupAfterPlay: false }), {
    ok: false,
    error: { code: 'CALL_INVALID_STATE' },
  })
})

test('a refused file changes nothing', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id } = await placeCall(rig, numberId)
  rig.media.playAnswer = () => fail(refuse('MEDIA_UNSUPPORTED', 'not audio'))
  t.like(await rig.directory.askCall(numberId, id, 'Play', { mediaUrl: 'http://a/b', hangupAfterPlay: false }), {
    ok: false,
    error: { code: 'MEDIA_UNSUPPORTED' },
  })
  t.deepEqual(rowOf(rig, id).playback, [])
})

test('a media host that refuses the accept leaves the call ringing, a provider that does ends it', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const id = await receiveCall(rig)
  rig.media.answerAnswer = () => fail(refuse('MEDIA_CAPACITY', 'full'))
  t.like(await rig.directory.askCall(numberId, id, 'Accept', { sdp: null }), {
    ok: false,
    error: { code: 'MEDIA_CAPACITY' },
  })
  t.is(statusOf(rig, id), 'RINGING')
  rig.media.answerAnswer = () => succeed({ sdp: 'answer' })
  rig.driver.last.acceptAnswer = () => fail(refuse('DEVICE_NETWORK_ERROR', 'gone'))
  t.like(await rig.directory.askCall(numberId, id, 'Accept', { sdp: null }), {
    ok: false,
    error: { code: 'DEVICE_NETWORK_ERROR' },
  })
  await settled()
  t.is(rowOf(rig, id).errorCode, 'PROVIDER_FAILED')
})

test('an engine without audio has no leg opened for it: a call is not placed, one that came in rings on and is declined', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const id = await receiveCall(rig)
  const refusal = refuse('FEATURE_NOT_SUPPORTED', 'no audio', { engine: 'paper', capability: 'callAudio' })
  rig.driver.last.noAudio = refusal
  t.deepEqual(
    await rig.directory.askNumber(numberId, 'PlaceCall', {
      to: '5511999990001',
      bizOpaqueCallbackData: null,
      sdp: null,
    }),
    fail(refusal),
  )
  t.deepEqual(await rig.directory.askCall(numberId, id, 'Accept', { sdp: null }), fail(refusal))
  t.deepEqual(
    rig.media.told.filter((what) => what === 'offer' || what === 'answer'),
    [],
  )
  t.is(rig.rows.calls.size, 1, 'a call that was refused leaves no row')
  t.is(statusOf(rig, id), 'RINGING')
  t.like(await rig.directory.askCall(numberId, id, 'Reject', {}), { ok: true, value: { status: 'REJECTED' } })
})

test('an engine that learns only at the accept that it has no audio leaves the call ringing', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const id = await receiveCall(rig)
  const refusal = refuse('FEATURE_NOT_SUPPORTED', 'no audio', { engine: null, capability: 'callAudio' })
  rig.driver.last.acceptAnswer = () => fail(refusal)
  t.deepEqual(await rig.directory.askCall(numberId, id, 'Accept', { sdp: null }), fail(refusal))
  t.is(statusOf(rig, id), 'RINGING')
  t.like(await rig.directory.askCall(numberId, id, 'Reject', {}), { ok: true, value: { status: 'REJECTED' } })
})

test('a database that is down for a moment delays a change, announced only once stored', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const id = await receiveCall(rig)
  rig.rows.failing = 2
  const ended = rig.directory.askCall(numberId, id, 'Reject', {})
  await settled()
  t.false(rig.media.closed.has(id))
  await pass(rig, 1_000, 100)
  t.deepEqual(await ended, succeed({ id, status: 'REJECTED' }))
  t.deepEqual(rig.rows.eventNames(id), ['call.ringing', 'call.ended'])
})

test('a database that stays down answers the asker, announces nothing, and the row is closed later', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const id = await receiveCall(rig)
  const other = await receiveCall(rig, 'in-2')
  rig.rows.failing = 4
  const ended = rig.directory.askCall(numberId, id, 'Reject', {})
  await pass(rig, 2_000, 100)
  t.like(await ended, { ok: false, error: { code: 'UNAVAILABLE' } })
  t.deepEqual(rig.rows.eventNames(id), ['call.ringing'])
  await pass(rig, 6_000)
  t.is(rowOf(rig, id).errorCode, 'INTERNAL_ERROR')
  t.is(statusOf(rig, other), 'RINGING')
  t.deepEqual(rig.rows.eventNames(id), ['call.ringing', 'call.ended'])
})

test('a list of files that cannot be stored is an error to its asker and leaves the call alive', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const { id } = await placeCall(rig, numberId)
  rig.rows.failing = 4
  const asked = rig.directory.askCall(numberId, id, 'Play', { mediaUrl: 'http://a/b.mp3', hangupAfterPlay: false })
  await pass(rig, 2_000, 100)
  t.like(await asked, { ok: false, error: { code: 'UNAVAILABLE' } })
  t.is(statusOf(rig, id), 'INITIATED')
  t.is(rig.directory.stats().calls, 1)
})

test('somebody else ending the row wins: the actor follows it', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  const id = await receiveCall(rig)
  rig.rows.calls.set(id, { ...rowOf(rig, id), status: 'MISSED' })
  t.deepEqual(await rig.directory.askCall(numberId, id, 'Terminate', {}), succeed({ id, status: 'MISSED' }))
  await settled()
  t.is(rig.media.closed.get(id), 'MISSED')
  t.deepEqual(rig.rows.eventNames(id), ['call.ringing'])
  t.is(rig.directory.stats().calls, 0)
})

test('an unknown call is CALL_NOT_FOUND', async (t) => {
  const rig = createRig()
  const numberId = await connectedNumber(rig)
  t.like(await rig.directory.askCall(numberId, 'call_none', 'Terminate', {}), {
    ok: false,
    error: { code: 'CALL_NOT_FOUND' },
  })
})
