import test from 'ava'
import { encodeSounds } from '../../sandbox/devices/phone-opus.ts'
import { createTicker } from '../../sandbox/devices/phone-ticker.ts'
import { Phone } from '../../sandbox/devices/phone.ts'
import { systemClock } from '../../src/process/clock.ts'
import {
  callEvents,
  connectBody,
  connectOfficial,
  permit,
  placeOfficial,
  ringOfficial,
  seedOfficial,
  TEXT_OFFER,
} from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { joinService } from '../helpers/shared-service.ts'
import { until } from '../helpers/until.ts'

const USER = '55119900'
let service: Service

test.before(async () => {
  service = await joinService()
})

/** The tenant's WebRTC phone. */
async function tenantPhone(): Promise<Phone> {
  return Phone.open('tone', {
    clock: systemClock,
    ticker: createTicker(systemClock),
    sounds: await encodeSounds(),
    lost: () => {},
  })
}

test('a connected number is open, can call, and answers the challenge of its webhook', async (t) => {
  const number = await connectOfficial(service)
  t.like(number.created, {
    provider: 'OFFICIAL',
    state: 'OPEN',
    calling: { status: 'ENABLED' },
    official: { phoneId: number.phoneId, accountId: number.accountId, hasAccessToken: true },
    health: { qualityRating: 'GREEN', messagingLimitTier: 'TIER_2K', officialStatus: 'CONNECTED', sendable: true },
  })
  t.false(JSON.stringify(number.created).includes(number.accessToken))
  const ask = (token: string) =>
    fetch(`${number.webhookUrl}?hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${token}`)
  t.is(await (await ask(number.verifyToken)).text(), '1158201444')
  t.is((await ask('wrong')).status, 403)
  const events = (await service.events(number)).map(({ event }) => event)
  t.deepEqual(
    events.filter((event) => event.startsWith('number.')),
    ['number.created', 'number.connected'],
  )
})

test('wrong ids, a wrong token, another number and a phone that is connected are refused with the reason', async (t) => {
  const seeded = await seedOfficial(service)
  const post = (change: object) =>
    service.api('POST', '/v1/numbers/official', service.tenantKey, { ...connectBody(seeded), ...change })
  const refused = [
    await post({ officialAccessToken: 'EAAwrong' }),
    await post({ officialPhoneId: '1234' }),
    await post({ officialAccountId: '1234' }),
    await post({ number: '5511900000000' }),
  ]
  for (const { status, body } of refused) {
    t.deepEqual([status, body.code], [422, 'OFFICIAL_CREDENTIALS_REJECTED'])
    t.is(typeof body.details.upstreamMessage, 'string')
  }
  t.is((await post({})).status, 201)
  t.deepEqual((await post({})).body.code, 'NUMBER_ALREADY_EXISTS')
})

// [calls.object.2] [calls.object.3] [calls.object.5] [calls.routes.1]
test('an outbound call goes from INITIATED to COMPLETED, shows both descriptions and carries audio both ways', async (t) => {
  const number = await connectOfficial(service)
  const user = `${USER}0001`
  await permit(service, number, user)
  const phone = await tenantPhone()
  const sdp = (await phone.offer()).replaceAll('a=setup:actpass', 'a=setup:active')
  const placed = await service.api('POST', '/v1/calls', number.key, { to: user, sdp, bizOpaqueCallbackData: 'order 7' })
  t.is(placed.status, 201)
  t.like(placed.body, { status: 'INITIATED' })
  t.regex(placed.body.externalCallId, /^wacid\./)
  const accepted = await service.untilCall(number, placed.body.id, ['ACCEPTED'])
  t.is(accepted.sdpAnswer, undefined)
  const shown = await until('the answer is there', async () => {
    const { body } = await service.api('GET', `/v1/calls/${placed.body.externalCallId}?includeSdp=1`, number.key)
    return body.sdpAnswer ? body : null
  })
  t.is(shown.sdpOffer, sdp)
  await phone.connect(shown.sdpAnswer)
  phone.start()
  await until('the echo was heard', () => phone.ear.heard().ms >= 1_500)
  // This process sends and listens beside its tests, so a second of the tone may have a hole. One without a hole comes
  // later.
  await until('the user hears 440 Hz', async () => {
    const { body } = await service.control('GET', `/calls/${placed.body.externalCallId}`)
    return Math.abs(body.heard.dominantHz - 440) < 3
  })
  await until('the echo comes back at 440 Hz', () => Math.abs((phone.ear.heard().dominantHz ?? 0) - 440) < 3)
  t.like((await service.api('POST', `/v1/calls/${placed.body.id}/terminate`, number.key)).body, { success: true })
  const ended = await service.untilCall(number, placed.body.id, ['COMPLETED'])
  t.true(ended.durationSeconds >= 1)
  t.like(ended, {
    direction: 'OUTBOUND',
    bizOpaqueCallbackData: 'order 7',
    errorCode: null,
    peerNumber: user,
    fromNumber: number.digits,
  })
  t.deepEqual(await callEvents(service, number, placed.body.id), ['call.connected', 'call.ended'])
  const list = await service.api('GET', '/v1/calls', number.key)
  t.false(list.text.includes('v=0'))
  phone.close()
})

test('a declined call is REJECTED, and one without permission is refused and leaves no row', async (t) => {
  const number = await connectOfficial(service)
  const refused = await service.api('POST', '/v1/calls', number.key, { to: `${USER}0002`, sdp: TEXT_OFFER })
  t.deepEqual(
    [refused.status, refused.body.code, refused.body.details.upstreamCode],
    [403, 'OFFICIAL_CALL_PERMISSION_REQUIRED', 138006],
  )
  t.deepEqual((await service.api('GET', '/v1/calls', number.key)).body.calls, [])
  await permit(service, number, `${USER}0002`)
  const placed = await placeOfficial(service, number, `${USER}0002`)
  await service.untilCall(number, placed.id, ['REJECTED'])
  t.deepEqual(await callEvents(service, number, placed.id), ['call.ended'])
})

// [calls.object.3] [calls.routes.7]
test('an inbound call rings with its offer, is pre-accepted, accepted and ended by the user', async (t) => {
  const number = await connectOfficial(service)
  const ringing = await ringOfficial(service, number, `${USER}0006`, { hangupAfterMs: 1_000 })
  t.like(ringing, { status: 'RINGING', direction: 'INBOUND', sdpAnswer: null, peerNumber: `${USER}0006` })
  const phone = await tenantPhone()
  const sdp = await phone.answer(ringing.sdpOffer)
  const early = await service.api('POST', `/v1/calls/${ringing.id}/pre-accept`, number.key, { sdp, sdpType: 'answer' })
  t.deepEqual([early.status, early.body.status], [200, 'RINGING'])
  const accepted = await service.api('POST', `/v1/calls/${ringing.externalCallId}/accept`, number.key, { sdp })
  t.deepEqual([accepted.status, accepted.body.success], [200, true])
  const ended = await service.untilCall(number, ringing.id, ['COMPLETED'])
  t.is(typeof ended.durationSeconds, 'number')
  t.is((await service.api('GET', `/v1/calls/${ringing.id}?includeSdp=1`, number.key)).body.sdpAnswer, sdp)
  t.deepEqual(await callEvents(service, number, ringing.id), ['call.ringing', 'call.connected', 'call.ended'])
  phone.close()
})

test('an inbound call is rejected, and one that the caller gives up is missed', async (t) => {
  const number = await connectOfficial(service)
  const first = await ringOfficial(service, number, `${USER}0010`)
  t.like((await service.api('POST', `/v1/calls/${first.id}/reject`, number.key)).body, {
    success: true,
    status: 'REJECTED',
  })
  const second = await ringOfficial(service, number, `${USER}0011`)
  t.is((await service.control('POST', `/calls/${second.externalCallId}/hangup`)).status, 200)
  await service.untilCall(number, second.id, ['MISSED'])
  t.deepEqual(await callEvents(service, number, first.id), ['call.ringing', 'call.ended'])
  t.deepEqual(await callEvents(service, number, second.id), ['call.ringing', 'call.missed'])
})

// [calls.routes.10] [calls.routes.11]
test('permissions are asked for inside the window, and the answer is an event', async (t) => {
  const number = await connectOfficial(service)
  const user = `${USER}0001`
  const ask = () => service.api('POST', '/v1/calls/permissions/request', number.key, { to: user, text: 'May we call?' })
  t.deepEqual([(await ask()).status, (await ask()).body.code], [422, 'OFFICIAL_OUTSIDE_24H_WINDOW'])
  await service.control('POST', `/peers/${user}/messages`, { to: number.digits, text: 'hi' })
  const sent = await ask()
  t.like(sent, { status: 200, body: { success: true } })
  const updated = await until('the user permitted', async () =>
    (await service.events(number)).find(({ event }) => event === 'call.permission_updated'),
  )
  t.like(updated.data, { peerNumber: `+${user}`, status: 'TEMPORARY' })
  const { body } = await service.api('GET', `/v1/calls/permissions?to=${user}`, number.key)
  t.is(body.permission.status, 'temporary')
  t.deepEqual([(await ask()).status, (await ask()).body.code], [429, 'OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT'])
})

// [calls.routes.9] [calls.settings.1]
test('settings are written in part and read back, and switching calling off shows on the number', async (t) => {
  const number = await connectOfficial(service)
  const put = (body: object) => service.api('PUT', '/v1/calls/settings', number.key, body)
  t.like((await put({ callback_permission_status: 'ENABLED' })).body, {
    status: 'ENABLED',
    callback_permission_status: 'ENABLED',
  })
  t.is((await put({ sip: { status: 'ENABLED' } })).status, 400)
  t.like(await put({ call_hours: { status: 'ENABLED' } }), { status: 422, body: { code: 'OFFICIAL_ERROR' } })
  t.is((await put({ status: 'DISABLED' })).body.status, 'DISABLED')
  t.is((await service.api('GET', `/v1/numbers/${number.id}`, service.tenantKey)).body.calling.status, 'NOT_ENABLED')
  t.deepEqual([(await service.api('GET', `/v1/calls/permissions?to=${USER}0001`, number.key)).status], [409])
})

// [numbers.object.4] [official.calling.1] [official.calling.2] [official.calling.3]
test('calling waits for the tier and for the webhook field, and is enabled once they are there', async (t) => {
  const low = await connectOfficial(service, { messagingLimitTier: 'TIER_250' })
  t.is(low.created.calling.status, 'PENDING_TIER')
  await service.control('PATCH', `/official/numbers/${low.phoneId}`, { messagingLimitTier: 'TIER_10K' })
  const calling = async (id: string) =>
    (await service.api('GET', `/v1/numbers/${id}`, service.tenantKey)).body.calling.status
  await until('the risen tier enabled calling', async () => (await calling(low.id)) === 'ENABLED')

  const seeded = await seedOfficial(service)
  await service.control('PATCH', `/official/accounts/${seeded.accountId}`, {
    subscribedFields: ['messages', 'business_capability_update'],
  })
  const made = await service.api('POST', '/v1/numbers/official', service.tenantKey, connectBody(seeded))
  t.is(made.body.calling.status, 'PENDING_WEBHOOK')
  await service.control('PATCH', `/official/accounts/${seeded.accountId}`, { subscribedFields: ['messages', 'calls'] })
  t.is((await service.api('PUT', '/v1/calls/settings', made.body.apiKey.key, { status: 'ENABLED' })).status, 200)
  t.is(await calling(made.body.id), 'ENABLED')
})

test('an expired token closes the number once, and a token that works again opens it', async (t) => {
  const number = await connectOfficial(service)
  await service.control('PATCH', `/official/numbers/${number.phoneId}`, { isTokenExpired: true })
  const refused = await service.api('GET', '/v1/calls/settings', number.key)
  t.deepEqual([refused.status, refused.body.code, refused.body.details.upstreamCode], [422, 'OFFICIAL_ERROR', 190])
  const read = async (query = '') =>
    (await service.api('GET', `/v1/numbers/${number.id}${query}`, service.tenantKey)).body
  t.false((await read()).health.sendable)
  await until('the number is closed', async () => (await read()).state === 'CLOSE')
  t.like(await read('?refresh=1'), { state: 'CLOSE', health: { sendable: false } })
  const asked = (await service.control('GET', `/requests?path=/official/v24.0/${number.phoneId}`)).body.requests.length
  await service.control('PATCH', `/official/numbers/${number.phoneId}`, { isTokenExpired: false })
  await read('?refresh=1')
  await until('the number is open', async () => (await read()).state === 'OPEN')
  t.true((await read()).health.sendable)
  t.true(asked < 20, `${asked} requests`)
  const told = (await service.events(number)).map(({ event }) => event).filter((event) => event.startsWith('number.'))
  t.deepEqual(told, ['number.created', 'number.connected', 'number.disconnected', 'number.connected'])
})

test('a number whose token was taken away goes on with a new one, and its webhooks with a new secret', async (t) => {
  const [number, other] = await Promise.all([connectOfficial(service), connectOfficial(service)])
  await service.control('PATCH', `/official/numbers/${number.phoneId}`, { accessToken: 'EAAnew' })
  await service.api('GET', '/v1/calls/settings', number.key)
  const read = async () => (await service.api('GET', `/v1/numbers/${number.id}`, service.tenantKey)).body
  await until('the number is closed', async () => (await read()).state === 'CLOSE')
  const patch = (body: object) => service.api('PATCH', `/v1/numbers/${number.id}`, service.tenantKey, body)
  for (const officialAccessToken of [other.accessToken, 'EAAwrong']) {
    const refused = await patch({ officialAccessToken, name: 'Never' })
    t.deepEqual([refused.status, refused.body.code], [422, 'OFFICIAL_CREDENTIALS_REJECTED'])
    t.truthy(refused.body.details.upstreamMessage)
  }
  const changed = await patch({ officialAccessToken: 'EAAnew' })
  t.is(changed.status, 200, changed.text)
  t.is(changed.body.name, 'Official')
  // The answer waits a while for the session that begins anew, and a busy machine may need longer.
  await until('the number is open', async () => (await read()).state === 'OPEN')
  t.true((await read()).health.sendable)
  t.is((await service.api('GET', '/v1/calls/settings', number.key)).status, 200)
  const told = async () =>
    (await service.events(number)).map(({ event }) => event).filter((event) => event.startsWith('number.'))
  await until('its changes are told', async () => (await told()).length >= 4)
  t.deepEqual(await told(), ['number.created', 'number.connected', 'number.disconnected', 'number.connected'])

  await service.control('PATCH', `/official/accounts/${number.accountId}`, { appSecret: 'rotated' })
  t.is((await patch({ officialAppSecret: 'rotated' })).status, 200)
  const call = await ringOfficial(service, number, '5511990001001')
  t.is(call.status, 'RINGING')
  await service.api('POST', `/v1/calls/${call.id}/reject`, number.key)
})

// [calls.object.10]
test('routes for QR-paired numbers refuse an OFFICIAL number, and the sdp of QR-paired numbers is always null', async (t) => {
  const number = await connectOfficial(service)
  const placed = `/v1/calls/call_01kb0000000000000000000000`
  for (const [method, path] of [
    ['POST', `${placed}/play`],
    ['POST', `${placed}/realtime-session`],
  ] as const) {
    t.is((await service.api(method, path, number.key, {})).body.code, 'FEATURE_NOT_SUPPORTED')
  }
  for (const [method, verb] of [
    ['GET', 'connect'],
    ['POST', 'logout'],
  ] as const) {
    t.is(
      (await service.api(method, `/v1/numbers/${number.id}/${verb}`, service.tenantKey)).body.code,
      'FEATURE_NOT_SUPPORTED',
    )
  }
  const paired = await service.pairNumber()
  for (const [method, path] of [
    ['GET', '/v1/calls/settings'],
    ['GET', '/v1/calls/permissions?to=5511990000001'],
    ['POST', `${placed}/pre-accept`],
  ] as const) {
    t.is(
      (await service.api(method, path, paired.key, method === 'POST' ? {} : undefined)).body.code,
      'FEATURE_NOT_SUPPORTED',
    )
  }
  const call = await service.placeCall(paired, '5511990000003')
  const { body } = await service.api('GET', `/v1/calls/${call.id}?includeSdp=1`, paired.key)
  t.deepEqual([body.sdpOffer, body.sdpAnswer], [null, null])
  await service.endCall(paired, call.id)
})
