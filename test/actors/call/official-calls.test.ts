import test from 'ava'
import { fail, refuse, succeed } from '../../../src/domain/errors.ts'
import type { CallId } from '../../../src/domain/ids.ts'
import {
  addOfficial,
  answer,
  IN,
  offer,
  officialRig,
  OUT,
  placeOfficial,
  post,
  status,
  T0,
  terminated,
} from '../official-rig.ts'
import type { Rig } from '../rig.ts'
import { pass, rowOf, settled, statusOf } from '../rig.ts'

function inboundId(rig: Rig, external = IN): CallId {
  for (const row of rig.rows.calls.values()) if (row.externalCallId === external) return row.id
  throw new Error('the call was not stored')
}

test('an outbound call carries the SDP of the tenant and of upstream, and upstream times its end', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id, externalCallId } = await placeOfficial(rig, numberId)
  t.is(externalCallId, OUT)
  t.deepEqual(rig.driver.last.offered, { to: '5511999990001', sdp: 'our offer', biz: 'biz' })
  t.like(rowOf(rig, id), { status: 'INITIATED', sdpOffer: 'our offer', sdpAnswer: null })
  await post(rig, numberId, status('RINGING'))
  t.is(statusOf(rig, id), 'RINGING')
  await post(rig, numberId, answer())
  t.like(rowOf(rig, id), { status: 'RINGING', sdpAnswer: 'user answer' })
  await post(rig, numberId, status('ACCEPTED'))
  t.like(rowOf(rig, id), { status: 'ACCEPTED', sdpAnswer: 'user answer', connectedAt: new Date((T0 + 5) * 1000) })
  await post(rig, numberId, terminated({ seconds: 42 }))
  t.like(rowOf(rig, id), {
    status: 'COMPLETED',
    durationSeconds: 42,
    connectedAt: new Date((T0 + 18) * 1000),
    endedAt: new Date((T0 + 60) * 1000),
  })
  t.deepEqual(rig.rows.eventNames(id), ['call.connected', 'call.ended'])
  t.like(rig.rows.events.at(-1)?.data, { duration: 42, bizOpaqueCallbackData: 'biz', peerNumber: '+5511999990001' })
  t.deepEqual(rig.media.told, [], 'the media host has no part in it')
  t.deepEqual(rig.rows.settled, [1, 2, 3, 4])
  t.is(rig.directory.stats().calls, 0)
})

test('an inbound call is pre-accepted, accepted with the same SDP, and ended', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  await post(rig, numberId, offer())
  const id = inboundId(rig)
  t.like(rowOf(rig, id), {
    status: 'RINGING',
    sdpOffer: 'user offer',
    startedAt: new Date(T0 * 1000),
    peerNumber: '5511988887777',
  })
  t.like(await rig.directory.askCall(numberId, id, 'Accept', { sdp: null }), {
    ok: false,
    error: { code: 'INVALID_SDP' },
  })
  t.deepEqual(
    await rig.directory.askCall(numberId, id, 'PreAccept', { sdp: 'our answer' }),
    succeed({ id, status: 'RINGING' }),
  )
  t.like(rowOf(rig, id), { status: 'RINGING', sdpAnswer: 'our answer' })
  t.deepEqual(await rig.directory.askCall(numberId, id, 'Accept', { sdp: null }), succeed({ id, status: 'ACCEPTED' }))
  t.deepEqual(rig.driver.last.asked, [`pre-accept ${IN} our answer`, `accept ${IN}`])
  await post(rig, numberId, terminated({ id: IN, isInbound: true, seconds: 7 }))
  t.like(rowOf(rig, id), { status: 'COMPLETED', durationSeconds: 7, sdpAnswer: 'our answer' })
  t.deepEqual(rig.rows.eventNames(id), ['call.ringing', 'call.connected', 'call.ended'])
  t.like(await rig.directory.askCall(numberId, id, 'PreAccept', { sdp: 'x' }), {
    ok: false,
    error: { code: 'CALL_INVALID_STATE' },
  })
})

test('an accept upstream refuses reaches the caller, and the call rings on', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  await post(rig, numberId, offer())
  const id = inboundId(rig)
  rig.driver.last.acceptAnswer = () => fail(refuse('OFFICIAL_REQUEST_REFUSED', 'bad SDP'))
  rig.driver.last.preAcceptAnswer = () => fail(refuse('OFFICIAL_REQUEST_REFUSED', 'bad SDP'))
  t.like(await rig.directory.askCall(numberId, id, 'PreAccept', { sdp: 'bad' }), {
    ok: false,
    error: { code: 'OFFICIAL_REQUEST_REFUSED' },
  })
  t.like(await rig.directory.askCall(numberId, id, 'Accept', { sdp: 'bad' }), {
    ok: false,
    error: { code: 'OFFICIAL_REQUEST_REFUSED' },
  })
  t.like(rowOf(rig, id), { status: 'RINGING', sdpAnswer: null })
  rig.driver.last.acceptAnswer = () => succeed(null)
  t.deepEqual(await rig.directory.askCall(numberId, id, 'Accept', { sdp: 'good' }), succeed({ id, status: 'ACCEPTED' }))
  t.is(rowOf(rig, id).sdpAnswer, 'good')
})

test('an inbound call is rejected, or missed when nobody answers', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  await post(rig, numberId, offer('wacid.A'), offer('wacid.B'))
  const [rejected, missed] = [inboundId(rig, 'wacid.A'), inboundId(rig, 'wacid.B')]
  t.deepEqual(
    await rig.directory.askCall(numberId, rejected, 'Reject', {}),
    succeed({ id: rejected, status: 'REJECTED' }),
  )
  t.deepEqual(rig.driver.last.asked, ['reject wacid.A'])
  await post(
    rig,
    numberId,
    terminated({ id: 'wacid.A', isInbound: true }),
    terminated({ id: 'wacid.B', isInbound: true }),
  )
  t.deepEqual(rig.rows.eventNames(rejected), ['call.ringing', 'call.ended'])
  t.is(statusOf(rig, missed), 'MISSED')
  t.deepEqual(rig.rows.eventNames(missed), ['call.ringing', 'call.missed'])
})

test('the user declines: REJECTED, and the terminate that follows changes nothing', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  await post(rig, numberId, status('RINGING'), status('REJECTED'), terminated())
  t.is(statusOf(rig, id), 'REJECTED')
  t.deepEqual(rig.rows.eventNames(id), ['call.ended'])
})

test("upstream's error ends the call FAILED with its code", async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  await post(
    rig,
    numberId,
    status('ACCEPTED'),
    terminated({ seconds: 20, errors: [{ code: 138021, message: 'Media receive timeout' }] }),
  )
  t.like(rowOf(rig, id), {
    status: 'FAILED',
    errorCode: 'MEDIA_TIMEOUT',
    errorMessage: '(#138021) Media receive timeout',
    durationSeconds: 20,
  })
  t.like(rig.rows.events.at(-1), { event: 'call.ended', data: { errorCode: 'MEDIA_TIMEOUT', duration: 20 } })
})

test('the end of an inbound call that overtook its offer is not forgotten', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  await post(rig, numberId, terminated({ id: IN, isInbound: true }))
  await post(rig, numberId, offer())
  const id = inboundId(rig)
  t.is(statusOf(rig, id), 'MISSED')
  t.deepEqual(rig.rows.eventNames(id), ['call.ringing', 'call.missed'])
  t.deepEqual(rig.rows.settled, [1, 2])
})

test('changes that overtake the answer of the offer reach their call', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  await rig.directory.askNumber(numberId, 'CurrentCode', {})
  let took: () => void = () => {}
  rig.driver.last.offerAnswer = () =>
    new Promise((resolve) => {
      took = () => resolve(succeed({ externalCallId: OUT }))
    })
  const placing = rig.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: null,
    sdp: 'o',
  })
  await settled()
  await post(rig, numberId, status('RINGING'), answer(), status('ACCEPTED'))
  t.deepEqual(rig.rows.settled, [])
  took()
  const placed = await placing
  await settled()
  if (!placed.ok) return t.fail()
  t.like(rowOf(rig, placed.value.id), { status: 'ACCEPTED', sdpAnswer: 'user answer' })
  return t.deepEqual(rig.rows.settled, [1, 2, 3])
})

test('an offer without SDP is refused before anything is stored, and upstream refusing to start leaves no row', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const fields = { to: '5511999990001', bizOpaqueCallbackData: null }
  t.like(await rig.directory.askNumber(numberId, 'PlaceCall', { ...fields, sdp: null }), {
    ok: false,
    error: { code: 'INVALID_SDP' },
  })
  rig.driver.last.offerAnswer = () => fail(refuse('OFFICIAL_CALL_PERMISSION_REQUIRED', 'ask first'))
  t.like(await rig.directory.askNumber(numberId, 'PlaceCall', { ...fields, sdp: 'o' }), {
    ok: false,
    error: { code: 'OFFICIAL_CALL_PERMISSION_REQUIRED' },
  })
  t.is(rig.rows.calls.size, 0)
})

test('rejectCall declines an OFFICIAL call by itself and sends its text once, however often it is announced', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const row = rig.rows.numbers.get(numberId)
  if (row)
    rig.rows.numbers.set(numberId, {
      ...row,
      settings: { ...row.settings, rejectCall: true, msgRejectCall: 'Write, please.' },
    })
  await post(rig, numberId, offer(), offer())
  await post(rig, numberId, offer())
  t.is(statusOf(rig, inboundId(rig)), 'REJECTED')
  t.deepEqual(rig.rows.eventNames(inboundId(rig)), ['call.ended'])
  t.is(rig.driver.last.asked.filter((what) => what.startsWith('text')).length, 1)
})

test('the timers for media and ringing of our own legs do not end an OFFICIAL call, but a late timer does', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  await pass(rig, 100_000, 5_000)
  t.is(statusOf(rig, id), 'INITIATED')
  await post(rig, numberId, status('ACCEPTED'))
  await pass(rig, 400_000, 20_000)
  t.is(statusOf(rig, id), 'ACCEPTED')
  await post(rig, numberId, terminated({ seconds: 3 }))
  rig.driver.last.offerAnswer = null
  const placed = await rig.directory.askNumber(numberId, 'PlaceCall', {
    to: '5511999990001',
    bizOpaqueCallbackData: null,
    sdp: 'o',
  })
  if (!placed.ok) return t.fail()
  await pass(rig, 185_000, 5_000)
  return t.is(statusOf(rig, placed.value.id), 'MISSED')
})

test('an answered call that upstream tells nothing of for so long ends FAILED', async (t) => {
  const rig = officialRig({ timers: { callSilenceMs: 300_000 } })
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  await post(rig, numberId, status('ACCEPTED'))
  await pass(rig, 290_000, 5_000)
  t.is(statusOf(rig, id), 'ACCEPTED')
  await pass(rig, 15_000, 5_000)
  t.like(rowOf(rig, id), { status: 'FAILED', errorCode: 'PROVIDER_FAILED' })
  t.deepEqual(rig.rows.eventNames(id), ['call.connected', 'call.ended'])
  t.true(rig.driver.last.asked.includes(`terminate ${OUT}`), 'should it live on upstream, it is ended there too')
})

test('commands that need an audio leg of ours are refused', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  t.like(await rig.directory.askCall(numberId, id, 'Play', { mediaUrl: 'http://a/b', hangupAfterPlay: false }), {
    ok: false,
    error: { code: 'FEATURE_NOT_SUPPORTED' },
  })
  t.like(await rig.directory.askCall(numberId, id, 'OpenSession', { mode: 'talk', by: 'key_1' }), {
    ok: false,
    error: { code: 'FEATURE_NOT_SUPPORTED' },
  })
  t.deepEqual(rig.media.told, [])
})

test('terminate hangs up at once, and what upstream tells later changes nothing', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  t.deepEqual(await rig.directory.askCall(numberId, id, 'Terminate', {}), succeed({ id, status: 'MISSED' }))
  t.true(rig.driver.last.asked.includes(`terminate ${OUT}`))
  await post(rig, numberId, answer(), status('ACCEPTED'), terminated())
  t.is(statusOf(rig, id), 'MISSED')
  t.deepEqual(rig.rows.eventNames(id), ['call.ended'])
  t.deepEqual(rig.rows.settled, [1, 2, 3])
})

test('the end of a call whose own end could not be stored is kept until the call runs again', async (t) => {
  const rig = officialRig()
  const numberId = addOfficial(rig.rows)
  const { id } = await placeOfficial(rig, numberId)
  await post(rig, numberId, answer(), status('ACCEPTED'))
  rig.rows.failing = 100
  const asked = rig.directory.askCall(numberId, id, 'Terminate', {})
  await pass(rig, 3_000)
  t.false((await asked).ok)
  rig.rows.failing = 0
  await post(rig, numberId, terminated({ seconds: 30 }))
  await pass(rig, 30_000)
  t.like(rowOf(rig, id), { status: 'COMPLETED', durationSeconds: 30 })
})
