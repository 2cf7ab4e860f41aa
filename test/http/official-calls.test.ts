import test from 'ava'
import type { ExecutionContext } from 'ava'
import { fail, refuse, REFUSALS, succeed } from '../../src/domain/errors.ts'
import type { RefusalCode } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import { shownCode } from '../../src/http/request/refusal-body.ts'
import * as schema from '../../src/http/routes/calls/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

const OFFER =
  'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nc=IN IP4 0.0.0.0\r\na=setup:active\r\n'
const ANSWER = OFFER.replace('active', 'passive')
const TO = '+5511999990001'

async function open(t: ExecutionContext) {
  const world = new World()
  const { number, key } = world.addOfficial()
  const client = await serve(t, world)
  const send = (method: string, path: string, body?: unknown) =>
    client.send(method, `/v1/calls${path}`, { key: key.raw, ...(body === undefined ? {} : { body }) })
  return { world, number, client, send, upstream: world.official.upstream, noted: world.official.noted }
}

// [calls.routes.1] [rest.phones.1]
test('an offer goes to the number as it is, and the answer says what upstream took', async (t) => {
  const { world, send } = await open(t)
  world.directory.script = {
    PlaceCall: () => succeed({ id: newId('call'), externalCallId: 'wacid.1', status: 'INITIATED' }),
  }
  const { status, body } = await send('POST', '', { to: TO, sdp: OFFER, sdpType: 'offer', bizOpaqueCallbackData: 'b' })
  t.is(status, 201)
  t.like(body, { externalCallId: 'wacid.1', status: 'INITIATED' })
  t.deepEqual(world.directory.asked, [
    { type: 'PlaceCall', fields: { to: '5511999990001', bizOpaqueCallbackData: 'b', sdp: OFFER } },
  ])
})

test('sdp-5-spaces-at-line-ends: a description with white space around its lines goes on without it', async (t) => {
  const { world, number, send } = await open(t)
  const call = world.calls.add(number, { status: 'RINGING', direction: 'INBOUND', externalCallId: 'wacid.7' })
  world.directory.script = {
    PlaceCall: () => succeed({ id: newId('call'), externalCallId: 'wacid.1', status: 'INITIATED' }),
    Accept: () => succeed({ id: call.id, status: 'ACCEPTED' }),
  }
  const padded = (sdp: string) => sdp.replaceAll('\r\n', ' \r\n')
  t.is((await send('POST', '', { to: TO, sdp: padded(OFFER) })).status, 201)
  t.is((await send('POST', `/${call.id}/accept`, { sdp: padded(ANSWER) })).status, 200)
  t.deepEqual(
    world.directory.asked.map(({ fields }) => fields),
    [{ to: '5511999990001', bizOpaqueCallbackData: null, sdp: OFFER }, { sdp: ANSWER }],
  )
})

// [official.hidden-users.1]
test('a user who hides the number is called and asked by id; UNOFFICIAL numbers know nobody by one', async (t) => {
  const { world, send, client } = await open(t)
  world.directory.script = {
    PlaceCall: () => succeed({ id: newId('call'), externalCallId: 'wacid.1', status: 'INITIATED' }),
  }
  t.is((await send('POST', '', { to: 'US.13491', sdp: OFFER })).status, 201)
  t.like(world.directory.asked[0], { fields: { to: 'US.13491' } })
  t.not((await send('GET', '/permissions?to=US.13491')).status, 400)
  t.not((await send('POST', '/permissions/request', { to: 'US.13491', text: 'May we?' })).status, 400)
  const { status, body } = await client.send('POST', '/v1/calls', {
    key: world.numberKey.raw,
    body: { to: 'US.13491' },
  })
  t.deepEqual([status, body.code, world.directory.asked.length], [400, 'FEATURE_NOT_SUPPORTED', 1])
})

// [engines.peers.5] [identities.looking-up.2]
test('a person who hides the number from the device network is called by ...@lid; OFFICIAL numbers know nobody by one', async (t) => {
  const { world, send, client } = await open(t)
  const to = '123456789012345@lid'
  world.directory.script = {
    PlaceCall: () => succeed({ id: newId('call'), externalCallId: 'ext-1', status: 'INITIATED' }),
  }
  t.is((await client.send('POST', '/v1/calls', { key: world.numberKey.raw, body: { to } })).status, 201)
  t.like(world.directory.asked[0], { fields: { to } })
  const { status, body } = await send('POST', '', { to, sdp: OFFER })
  t.deepEqual([status, body.code, world.directory.asked.length], [400, 'FEATURE_NOT_SUPPORTED', 1])
})

for (const [what, fields, code] of [
  ['no sdp', {}, undefined],
  ['an sdp that is a number', { sdp: 5 }, undefined],
  ['an answer', { sdp: OFFER, sdpType: 'answer' }, undefined],
  ['an unknown type', { sdp: OFFER, sdpType: 'pranswer' }, undefined],
  ['text that is no sdp', { sdp: 'hello' }, 'INVALID_SDP'],
  ['empty text', { sdp: '' }, 'INVALID_SDP'],
  ['an offer that is not active', { sdp: OFFER.replace('active', 'actpass') }, 'INVALID_SDP'],
  ['an offer without a side', { sdp: OFFER.replace('a=setup:active\r\n', '') }, 'INVALID_SDP'],
  ['an offer without audio', { sdp: OFFER.replace('m=audio', 'm=video') }, 'INVALID_SDP'],
] as const) {
  // [calls.sdp.1] [calls.sdp.2]
  test(`a call with ${what} is 400 and asks nobody`, async (t) => {
    const { world, send } = await open(t)
    const { status, body } = await send('POST', '', { to: TO, ...fields })
    t.deepEqual([status, body.code], [400, code])
    t.is(typeof body.details[0].message, 'string')
    t.deepEqual(world.directory.asked, [])
  })
}

test('other numbers refuse session descriptions, whatever is in them, and no actor is asked', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const call = world.calls.add(world.number, { status: 'RINGING', direction: 'INBOUND' })
  for (const extra of [{ sdp: 'hello' }, { sdp: 5, sdpType: ['x'] }]) {
    t.is((await client.send('POST', '/v1/calls', { key: world.numberKey.raw, body: { to: TO, ...extra } })).status, 400)
    t.is(
      (await client.send('POST', `/v1/calls/${call.id}/accept`, { key: world.numberKey.raw, body: extra })).status,
      400,
    )
  }
  t.deepEqual(world.directory.asked, [])
})

// [calls.routes.4] [calls.routes.7] [calls.sdp.2]
test('an inbound call is accepted with the answer sent, or left to the one of pre-accept', async (t) => {
  const { world, number, send } = await open(t)
  const call = world.calls.add(number, { status: 'RINGING', direction: 'INBOUND', externalCallId: 'wacid.7' })
  world.directory.script = {
    PreAccept: () => succeed({ id: call.id, status: 'RINGING' }),
    Accept: () => succeed({ id: call.id, status: 'ACCEPTED' }),
  }
  t.deepEqual((await send('POST', '/wacid.7/pre-accept', { sdp: ANSWER, sdpType: 'answer' })).body, {
    success: true,
    id: call.id,
    status: 'RINGING',
  })
  t.deepEqual((await send('POST', `/${call.id}/accept`, { sdp: ANSWER })).body, {
    success: true,
    id: call.id,
    status: 'ACCEPTED',
  })
  t.is((await send('POST', `/${call.id}/accept`)).status, 200)
  t.deepEqual(world.directory.asked, [
    { type: 'PreAccept', fields: { sdp: ANSWER } },
    { type: 'Accept', fields: { sdp: ANSWER } },
    { type: 'Accept', fields: { sdp: null } },
  ])
  for (const verb of ['pre-accept', 'accept']) {
    t.is((await send('POST', `/${call.id}/${verb}`, { sdp: 'nonsense' })).body.code, 'INVALID_SDP')
    t.is((await send('POST', `/${call.id}/${verb}`, { sdp: ANSWER, sdpType: 'offer' })).status, 400)
    t.is((await send('POST', `/wacid.unknown/${verb}`, { sdp: ANSWER })).body.code, 'CALL_NOT_FOUND')
  }
  t.is(world.directory.asked.length, 3)
})

// [calls.routes.7]
test('a pre-accept without an answer sends nothing ahead and holds for a ringing inbound call alone', async (t) => {
  const { world, number, send } = await open(t)
  const ringing = world.calls.add(number, { status: 'RINGING', direction: 'INBOUND' })
  t.deepEqual((await send('POST', `/${ringing.id}/pre-accept`)).body, {
    success: true,
    id: ringing.id,
    status: 'RINGING',
  })
  for (const fields of [
    { status: 'RINGING', direction: 'OUTBOUND' },
    { status: 'ACCEPTED', direction: 'INBOUND' },
    { status: 'COMPLETED', direction: 'INBOUND' },
  ] as const) {
    const other = world.calls.add(number, fields)
    for (const body of [undefined, { sdp: ANSWER }].slice(0, fields.status === 'COMPLETED' ? 2 : 1)) {
      t.like(await send('POST', `/${other.id}/pre-accept`, body), { status: 409, body: { code: 'CALL_INVALID_STATE' } })
    }
  }
  t.deepEqual(world.directory.asked, [])
})

const UPSTREAM: readonly [RefusalCode, number, number | null][] = [
  ['OFFICIAL_CALLING_NOT_ENABLED', 409, 138000],
  ['OFFICIAL_CALL_PERMISSION_REQUIRED', 403, 138006],
  ['OFFICIAL_CALL_PERMISSION_REQUEST_LIMIT', 429, 138009],
  ['OFFICIAL_CALL_LIMIT_REACHED', 429, 138012],
  ['OFFICIAL_CALLING_TIER_TOO_LOW', 409, 138015],
  ['OFFICIAL_CALLING_PREREQUISITES_UNMET', 409, 138018],
  ['OFFICIAL_CALLING_PAYMENT_REQUIRED', 402, 131044],
  ['OFFICIAL_REQUEST_REFUSED', 422, 100],
  ['OFFICIAL_THROTTLED', 429, 4],
  ['OFFICIAL_ERROR', 502, null],
]
for (const [code, status, upstreamCode] of UPSTREAM) {
  test(`${code} reaches the caller of every route with status ${status}, after what it says of the number is stored`, async (t) => {
    const { world, number, send, upstream, noted } = await open(t)
    const refusal = fail(refuse(code, 'no', { upstreamCode, upstreamMessage: 'said' }))
    const call = world.calls.add(number, { status: 'RINGING', direction: 'INBOUND' })
    const no = () => refusal
    world.directory.script = { PlaceCall: no, Accept: no, PreAccept: no, Reject: no, Terminate: no }
    upstream.script = {
      'calling.readSettings': no,
      'calling.writeSettings': no,
      'permissions.read': no,
      'permissions.request': no,
    }
    const replies = [
      await send('POST', '', { to: TO, sdp: OFFER }),
      await send('POST', `/${call.id}/accept`, { sdp: ANSWER }),
      await send('POST', `/${call.id}/pre-accept`, { sdp: ANSWER }),
      await send('POST', `/${call.id}/reject`),
      await send('POST', `/${call.id}/terminate`),
      await send('GET', '/settings'),
      await send('PUT', '/settings', { status: 'ENABLED' }),
      await send('GET', '/permissions?to=5511999990001'),
      await send('POST', '/permissions/request', { to: TO, text: 'May we?' }),
    ]
    for (const reply of replies)
      t.like(reply, { status, body: { code: shownCode(code), details: { upstreamCode, upstreamMessage: 'said' } } })
    t.is(status, REFUSALS[code].status)
    t.deepEqual(
      noted,
      replies.map(() => 'marks stored'),
    )
    t.deepEqual(world.official.store.patches, [])
  })
}

// [calls.routes.8] [calls.routes.9] [calls.settings.2]
test('settings are read as upstream has them and written in part', async (t) => {
  const { world, number, send, upstream } = await open(t)
  upstream.script = {
    'calling.readSettings': () => succeed({ status: 'ENABLED', call_icons: { x: 1 } }),
    'calling.writeSettings': (_, calling) => succeed({ ...calling, read: 'back' }),
  }
  t.deepEqual((await send('GET', '/settings')).body, { status: 'ENABLED', call_icons: { x: 1 } })
  const call_hours = {
    status: 'ENABLED',
    timezone_id: 'America/Sao_Paulo',
    weekly_operating_hours: [{ day_of_week: 'MONDAY', open_time: '0900', close_time: '1700' }],
  }
  const written = await send('PUT', '/settings', {
    call_hours,
    callback_permission_status: 'DISABLED',
    voicemail: { status: 'DISABLED' },
    call_icon_visibility: 'DEFAULT',
  })
  t.like(written, { status: 200, body: { read: 'back' } })
  t.deepEqual(upstream.asked.at(-1)?.args[1], {
    call_hours,
    callback_permission_status: 'DISABLED',
    voicemail: { status: 'DISABLED' },
    call_icon_visibility: 'DEFAULT',
  })
  t.deepEqual(world.official.store.patches, [])
  for (const [status, callingStatus] of [
    ['DISABLED', 'NOT_ENABLED'],
    ['ENABLED', 'ENABLED'],
  ] as const) {
    t.is((await send('PUT', '/settings', { status })).status, 200)
    t.deepEqual(world.official.store.patches.at(-1), { callingStatus, callingRetry: null })
    t.is((await world.numbers.find(world.tenantId, number.id))?.official?.callingStatus, callingStatus)
  }
})

for (const body of [
  {},
  { sip: { status: 'ENABLED' } },
  { status: 'ENABLED', sip: {} },
  { audio: {} },
  { status: 'on' },
  { status: null },
  { call_hours: 'always' },
  [],
  null,
  { srtp_key_exchange_protocol: 'SDES' },
]) {
  // [calls.settings.1] [rest.errors.5]
  test(`settings refuse ${JSON.stringify(body)} without asking upstream`, async (t) => {
    const { send, upstream } = await open(t)
    t.is((await send('PUT', '/settings', body)).status, 400)
    t.deepEqual(upstream.asked, [])
  })
}

// [calls.routes.10] [calls.routes.11] [rest.errors.14]
test('a permission is read for the digits of the contact, and asked for once per idempotency key', async (t) => {
  const { send, upstream } = await open(t)
  const { status, body } = await send('GET', '/permissions?to=%2B55%2011%2099999-0001')
  t.is(status, 200)
  t.deepEqual(schema.permission.parse(body), body)
  t.is(upstream.asked[0]?.args[1], '5511999990001')
  for (const query of ['', '?to=', '?to=abc'])
    t.like(await send('GET', `/permissions${query}`), { status: 400, body: { code: 'MISSING_TO' } })
  const sent = await send('POST', '/permissions/request', { to: TO, text: 'May we call?' })
  t.like(sent, { status: 200, body: { success: true, messageId: 'wamid.1' } })
  t.deepEqual(upstream.asked.at(-1)?.args.slice(1), ['5511999990001', 'May we call?'])
  for (const bad of [{ to: TO }, { to: TO, text: '' }, { text: 'x' }, { to: 'x', text: 'x' }])
    t.is((await send('POST', '/permissions/request', bad)).status, 400)
})
