import test from 'ava'
import type { Voice } from '../../../../sandbox/devices/behaviours.ts'
import { encodeSounds } from '../../../../sandbox/devices/phone-opus.ts'
import { createTicker } from '../../../../sandbox/devices/phone-ticker.ts'
import { Phone } from '../../../../sandbox/devices/phone.ts'
import { systemClock } from '../../../../src/process/clock.ts'
import { until } from '../../../helpers/until.ts'
import { BUSINESS, startCallable, USER, type Graph, type OfficialPlayground } from '../official-playground.ts'

const SOUNDS = await encodeSounds()
const TICKER = createTicker(systemClock)
const HOUR_MS = 3_600_000
/** A valid description whose addresses lead nowhere. */
const TEXT_SDP = [
  'v=0',
  'o=- 1 1 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'c=IN IP4 0.0.0.0',
  'a=rtpmap:111 opus/48000/2',
  'a=setup:active',
  `a=fingerprint:sha-256 ${Array(32).fill('AA').join(':')}`,
  '',
].join('\r\n')

/** The tenant's end of the media, which is another real phone. */
function media(voice: Voice): Promise<Phone> {
  return Phone.open(voice, { clock: systemClock, ticker: TICKER, sounds: SOUNDS, lost: () => {} })
}

function connect(
  { graph, seeded }: OfficialPlayground,
  to: string,
  sdp: string = TEXT_SDP,
  more: object = {},
): Promise<Graph> {
  return graph('POST', `${seeded.phoneId}/calls`, {
    messaging_product: 'whatsapp',
    to,
    action: 'connect',
    session: { sdp_type: 'offer', sdp },
    ...more,
  })
}

function act({ graph, seeded }: OfficialPlayground, action: string, callId: string, sdp?: string): Promise<Graph> {
  return graph('POST', `${seeded.phoneId}/calls`, {
    messaging_product: 'whatsapp',
    call_id: callId,
    action,
    ...(sdp === undefined ? {} : { session: { sdp_type: 'answer', sdp } }),
  })
}

/** An offer from a client that insists on being the DTLS client. */
async function activeOffer(phone: Phone): Promise<string> {
  return (await phone.offer()).replaceAll('a=setup:actpass', 'a=setup:active')
}

test('a user who hides the number is called by id, and webhooks name no other', async (t) => {
  const official = await startCallable()
  const { receiver, permit, control, graph, seeded } = official
  const user = `${USER}0002`
  await permit(user, 'accept')
  const {
    body: { userId },
  } = await control('POST', `/peers/${user}/hide`)
  t.is(
    (await graph('GET', `${seeded.phoneId}/call_permissions?recipient=${userId}`)).body.permission.status,
    'temporary',
  )
  const phone = await media('silence')
  const { status, body } = await graph('POST', `${seeded.phoneId}/calls`, {
    messaging_product: 'whatsapp',
    recipient: userId,
    action: 'connect',
    session: { sdp_type: 'offer', sdp: await activeOffer(phone) },
  })
  t.is(status, 200)
  const callId = body.calls[0].id
  const ended = await receiver.callEvent(callId, 'terminate')
  t.like(ended, { from: BUSINESS, to_user_id: userId })
  t.false('to' in ended)
  t.like(await receiver.callStatus(callId, 'RINGING'), { recipient_user_id: userId })
  phone.close()
  await official.close()
})

test('a business-initiated call rings, is answered with real SDP, and audio goes both ways', async (t) => {
  const official = await startCallable()
  const { receiver, permit, get } = official
  await permit(`${USER}0001`)
  const phone = await media('tone')
  const { status, body } = await connect(official, `${USER}0001`, await activeOffer(phone), {
    biz_opaque_callback_data: 'order 7',
  })
  t.is(status, 200)
  const callId = body.calls[0].id
  t.regex(callId, /^wacid\./)
  const connected = await receiver.callEvent(callId, 'connect')
  t.like(connected, {
    from: BUSINESS,
    to: `${USER}0001`,
    direction: 'BUSINESS_INITIATED',
    session: { sdp_type: 'answer' },
    biz_opaque_callback_data: 'order 7',
  })
  t.deepEqual(connected.value.metadata, { display_phone_number: BUSINESS, phone_number_id: official.seeded.phoneId })
  t.is(connected.value.contacts, undefined)
  t.regex(connected.session.sdp, /a=setup:passive\r\n/)
  await phone.connect(connected.session.sdp)
  phone.start()
  t.like(await receiver.callStatus(callId, 'ACCEPTED'), {
    type: 'call',
    recipient_id: `${USER}0001`,
    biz_opaque_callback_data: 'order 7',
  })
  await until('the echo was heard', () => phone.ear.heard().ms >= 1_500)
  t.like(await get(`/control/calls/${callId}`), {
    state: 'CONNECTED',
    direction: 'OUTBOUND',
    from: BUSINESS,
    to: `${USER}0001`,
    numberId: official.seeded.phoneId,
  })
  // On a busy machine a second may have gaps, which add frequencies, so this waits for one without.
  await until(
    'a second of the tone is heard',
    async () => Math.abs((await get(`/control/calls/${callId}`)).heard.dominantHz - 440) < 2,
  )
  const echo = await until('a second of its echo is heard', async () => {
    const now = await phone.ear.measureSince(Date.now() - 1_000)
    return Math.abs((now.dominantHz ?? 0) - 440) < 2 ? now : null
  })
  t.true(Math.abs(echo.rms - 0.177) < 0.03, `echoed ${echo.rms}`)
  t.is((await act(official, 'terminate', callId)).body.success, true)
  const ended = await receiver.callEvent(callId, 'terminate')
  t.like(ended, { status: 'COMPLETED', biz_opaque_callback_data: 'order 7' })
  t.is(ended.duration, Math.round(Number(ended.duration)))
  t.true(Number(ended.end_time) >= Number(ended.start_time))
  t.deepEqual(receiver.story(callId), ['RINGING', 'connect', 'ACCEPTED', 'terminate'])
  t.is((await act(official, 'terminate', callId)).status, 200)
  phone.close()
  await official.close()
})

test('an offer that leads nowhere is answered with real SDP, and the call stays up', async (t) => {
  const official = await startCallable()
  const { receiver, permit, advance, get } = official
  await permit(`${USER}0001`)
  const { body } = await connect(official, `${USER}0001`)
  const callId = body.calls[0].id
  t.regex((await receiver.callEvent(callId, 'connect')).session.sdp, /a=candidate:.*127\.0\.0\.1/)
  await receiver.callStatus(callId, 'ACCEPTED')
  await advance(120_000)
  t.is((await get(`/control/calls/${callId}`)).state, 'CONNECTED')
  t.is((await act(official, 'terminate', callId)).status, 200)
  t.true((await receiver.callEvent(callId, 'terminate')).duration >= 120)
  await official.close()
})

test('a description with bare line feeds, or with little more than its codec, is answered with media accepted', async (t) => {
  const official = await startCallable()
  const { receiver, permit } = official
  await permit(`${USER}0001`)
  await permit(`${USER}0005`)
  const tiny = TEXT_SDP.split('\r\n')
    .filter((line) => !/^[ostc]=/.test(line))
    .join('\r\n')
  for (const [user, sdp] of [
    [`${USER}0001`, TEXT_SDP.replaceAll('\r\n', '\n')],
    [`${USER}0005`, tiny],
  ] as const) {
    const { body } = await connect(official, user, sdp)
    const { session } = await receiver.callEvent(body.calls[0].id, 'connect')
    t.regex(session.sdp, /^m=audio [1-9]/m)
    t.regex(session.sdp, /a=sendrecv\r\n/)
  }
  await official.close()
})

test('the media watchdog, once on, ends a call without media after 20 s', async (t) => {
  const official = await startCallable({ hasMediaWatchdog: true })
  const { receiver, permit, advance } = official
  await permit(`${USER}0001`)
  const { body } = await connect(official, `${USER}0001`)
  const callId = body.calls[0].id
  await receiver.callStatus(callId, 'ACCEPTED')
  await advance(10_000)
  t.deepEqual(receiver.story(callId), ['RINGING', 'connect', 'ACCEPTED'])
  await advance(10_000)
  const ended = await receiver.callEvent(callId, 'terminate')
  t.is(ended.status, 'FAILED')
  t.like(ended.value.errors[0], { code: 138021, message: 'Media receive timeout' })
  await official.close()
})

for (const [digits, story, code] of [
  ['0002', ['RINGING', 'REJECTED', 'terminate'], null],
  ['0003', ['RINGING', 'terminate'], null],
  ['0007', ['RINGING', 'terminate'], 138019],
] as const) {
  // [sandbox.peers.2] [sandbox.peers.3] [sandbox.peers.7]
  test(`a call to a user ending in ${digits} is told as ${story.join(', ')}`, async (t) => {
    const official = await startCallable()
    const { receiver, permit, advance } = official
    await permit(USER + digits)
    const { body } = await connect(official, USER + digits)
    const callId = body.calls[0].id
    await receiver.callStatus(callId, 'RINGING')
    await advance(90_000)
    const ended = await receiver.callEvent(callId, 'terminate')
    t.is(ended.status, 'FAILED')
    t.is(ended.duration, undefined)
    t.is(ended.value.errors?.[0].code ?? null, code)
    t.deepEqual(receiver.story(callId), [...story])
    await official.close()
  })
}

test('a user ending in 0005 hangs up three seconds after the answer', async (t) => {
  const official = await startCallable()
  const { receiver, permit, advance } = official
  await permit(`${USER}0005`)
  const { body } = await connect(official, `${USER}0005`)
  await receiver.callStatus(body.calls[0].id, 'ACCEPTED')
  await advance(3_000)
  const { status, duration, start_time: from, end_time: to } = await receiver.callEvent(body.calls[0].id, 'terminate')
  t.is(status, 'COMPLETED')
  // The sandbox's clock runs on by itself between what moves it, and times are told in whole seconds.
  t.true(duration >= 3 && Math.abs(Number(to) - Number(from) - duration) <= 1, `${duration} s from ${from} to ${to}`)
  await official.close()
})

test('the business may give up a ringing call', async (t) => {
  const official = await startCallable()
  const { receiver, permit } = official
  await permit(`${USER}0003`)
  const { body } = await connect(official, `${USER}0003`)
  await receiver.callStatus(body.calls[0].id, 'RINGING')
  await act(official, 'terminate', body.calls[0].id)
  t.is((await receiver.callEvent(body.calls[0].id, 'terminate')).duration, undefined)
  await official.close()
})

test('a user calls: offer by webhook, early and final answer, audio both ways', async (t) => {
  const official = await startCallable()
  const { receiver, control, post, get } = official
  const { status, body } = await control('POST', `/peers/${USER}0009/calls`, { to: BUSINESS, audio: 'tone' })
  t.is(status, 201)
  const { callId } = body
  const ringing = await receiver.callEvent(callId, 'connect')
  t.like(ringing, { from: `${USER}0009`, to: BUSINESS, direction: 'USER_INITIATED', session: { sdp_type: 'offer' } })
  t.deepEqual(ringing.value.contacts, [{ profile: { name: 'Peer 0009' }, wa_id: `${USER}0009` }])
  t.regex(ringing.session.sdp, /a=setup:actpass/)
  const phone = await media('tone')
  const answer = await phone.answer(ringing.session.sdp)
  t.is((await act(official, 'pre_accept', callId, answer)).body.success, true)
  await until('the media stands', () => phone.press('1'))
  phone.start()
  t.is((await get(`/control/calls/${callId}`)).state, 'RINGING')
  t.is(phone.ear.heard().packets, 0)
  t.is((await act(official, 'accept', callId, TEXT_SDP)).body.error.code, 100)
  t.is((await act(official, 'accept', callId, answer)).body.success, true)
  await until('the tone was heard', () => phone.ear.heard().ms >= 1_500)
  // On a busy machine too a second without a gap comes at some time.
  await until('a second of the tone is heard', () => Math.abs((phone.ear.heard().dominantHz ?? 0) - 440) < 2)
  await until(
    'a second of its echo is heard',
    async () => Math.abs((await get(`/control/calls/${callId}`)).heard.dominantHz - 440) < 2,
  )
  t.is((await post(`/control/calls/${callId}/hangup`)).status, 200)
  t.is((await receiver.callEvent(callId, 'terminate')).status, 'COMPLETED')
  t.deepEqual(receiver.story(callId), ['connect', 'terminate'])
  t.is((await act(official, 'accept', callId, answer)).status, 400)
  phone.close()
  await official.close()
})

test('an answer that leads nowhere is accepted, and a second accept changes nothing', async (t) => {
  const official = await startCallable()
  const { receiver, control, get } = official
  const { callId } = (await control('POST', `/peers/${USER}0001/calls`, { to: BUSINESS })).body
  await receiver.callEvent(callId, 'connect')
  const answers = await Promise.all([
    act(official, 'accept', callId, TEXT_SDP),
    act(official, 'accept', callId, TEXT_SDP),
  ])
  t.true(answers.some(({ body }) => body.success === true))
  t.is((await get(`/control/calls/${callId}`)).state, 'CONNECTED')
  await act(official, 'terminate', callId)
  t.is((await receiver.callEvent(callId, 'terminate')).status, 'COMPLETED')
  await official.close()
})

test('a user gives up after 45 s, and a rejected call ends without duration', async (t) => {
  const official = await startCallable()
  const { receiver, control, advance } = official
  const missed = (await control('POST', `/peers/${USER}0001/calls`, { to: BUSINESS })).body.callId
  const rejected = (await control('POST', `/peers/${USER}0002/calls`, { to: BUSINESS })).body.callId
  await receiver.callEvent(rejected, 'connect')
  t.is((await act(official, 'reject', rejected)).body.success, true)
  t.is((await receiver.callEvent(rejected, 'terminate')).duration, undefined)
  await advance(30_000)
  t.deepEqual(receiver.story(missed), ['connect'])
  await advance(15_000)
  t.is((await receiver.callEvent(missed, 'terminate')).duration, undefined)
  await official.close()
})

test('an impossible call is refused with its code', async (t) => {
  const official = await startCallable()
  const { permit, control, graph, seeded } = official
  const code = async (answer: Promise<Graph>) => {
    const { status, body } = await answer
    return [status, body.error?.code]
  }
  t.deepEqual(await code(connect(official, `${USER}0001`)), [401, 138006])
  t.deepEqual(await code(connect(official, `${USER}0004`)), [400, 138001])
  t.deepEqual(await code(connect(official, `${USER}0001`, 'hello')), [400, 100])
  const bare = await connect(official, `${USER}0001`, TEXT_SDP.replace(/a=fingerprint.*\r\n/, ''))
  t.regex(bare.body.error.error_data.details, /no fingerprint found in SDP/)
  t.deepEqual(
    await code(connect(official, `${USER}0001`, TEXT_SDP, { biz_opaque_callback_data: 'x'.repeat(513) })),
    [400, 100],
  )
  t.deepEqual(await code(connect(official, `${USER}0001`, TEXT_SDP, { action: 'dance' })), [400, 100])
  t.deepEqual(await code(act(official, 'accept', 'wacid.none', TEXT_SDP)), [400, 100])
  await permit(`${USER}0003`)
  t.is((await connect(official, `${USER}0003`)).status, 200)
  t.deepEqual(await code(connect(official, `${USER}0003`)), [400, 138003])
  await control('PATCH', `/official/numbers/${seeded.phoneId}`, { canBusinessCall: false })
  t.deepEqual(await code(connect(official, `${USER}0001`)), [400, 138013])
  await graph('POST', `${seeded.phoneId}/settings`, { calling: { status: 'DISABLED' } })
  t.deepEqual(await code(connect(official, `${USER}0001`)), [401, 138000])
  t.is((await control('POST', `/peers/${USER}0001/calls`, { to: BUSINESS })).body.code, 'CALLING_NOT_ENABLED')
  await graph('POST', `${seeded.phoneId}/settings`, {
    calling: { sip: { status: 'ENABLED', servers: [{ hostname: 'sip.example' }] } },
  })
  t.deepEqual(await code(connect(official, `${USER}0001`)), [400, 131055])
  await official.close()
})

test('100 connected calls in 24 h are the limit of a number and a user', async (t) => {
  const official = await startCallable()
  const { permit, receiver, advance } = official
  await permit(`${USER}0005`, 'accept', true)
  await permit(`${USER}0001`, 'accept', true)
  for (let calls = 0; calls < 100; calls++) {
    const { body } = await connect(official, `${USER}0005`)
    const callId = body.calls[0].id
    await receiver.callStatus(callId, 'RINGING')
    await advance(1_000)
    await receiver.callStatus(callId, 'ACCEPTED')
    await act(official, 'terminate', callId)
    await receiver.callEvent(callId, 'terminate')
  }
  const { status, body } = await connect(official, `${USER}0005`)
  t.is(status, 400)
  t.is(body.error.code, 138012)
  t.regex(body.error.error_data.details, /next call is allowed at \d{4}-/)
  t.is((await connect(official, `${USER}0001`)).status, 200)
  await advance(24 * HOUR_MS)
  t.is((await connect(official, `${USER}0005`)).status, 200)
  await official.close()
})

test('the end of a call may be told before its beginning', async (t) => {
  const official = await startCallable()
  const { receiver, control, post, advance } = official
  await control('POST', '/official/webhooks', { reorder: true, delayMs: 60_000 })
  const { callId } = (await control('POST', `/peers/${USER}0001/calls`, { to: BUSINESS })).body
  await post(`/control/calls/${callId}/hangup`)
  await advance(60_000)
  await until('both came', () => receiver.story(callId).length === 2)
  t.deepEqual(receiver.story(callId), ['terminate', 'connect'])
  await official.close()
})

test('calls of both networks are listed together', async (t) => {
  const official = await startCallable()
  const { control, get, link, post } = official
  await link('551130000000')
  const device = (await post(`/control/peers/${USER}0001/calls`, { to: '551130000000' })).body.callId
  const { body } = await control('POST', `/peers/${USER}0001/calls`, { to: `+${BUSINESS}` })
  t.deepEqual(
    (await get(`/control/calls?from=${USER}0001`)).calls.map(({ callId }: any) => callId),
    [device, body.callId],
  )
  t.deepEqual((await get(`/control/calls?to=${BUSINESS}`)).calls.length, 1)
  await official.close()
})
