import test from 'ava'
import { CALL_STATUSES, isLive } from '../../src/domain/call.ts'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import { KEY_ROTATED } from '../../src/http/request/caller-cache.ts'
import * as schema from '../../src/http/routes/calls/schema.ts'
import type { IssuedKey } from '../../src/ports/stores/key-store.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

const NOT_THERE = newId('call')

test('placing a call asks the number with digits, and answers what the provider said', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const id = newId('call')
  world.directory.script = { PlaceCall: () => succeed({ id, externalCallId: 'ext-1', status: 'INITIATED' }) }
  const { status, body } = await client.send('POST', '/v1/calls', {
    key: world.numberKey.raw,
    body: { to: '+55 (11) 99999-0001', bizOpaqueCallbackData: 'order', sdp: null },
  })
  t.is(status, 201)
  t.deepEqual(schema.placedCall.parse(body), body)
  t.deepEqual(body, { id, externalCallId: 'ext-1', status: 'INITIATED' })
  t.deepEqual(world.directory.asked, [
    { type: 'PlaceCall', fields: { to: '5511999990001', bizOpaqueCallbackData: 'order', sdp: null } },
  ])
})

for (const [what, body] of Object.entries({
  'no body': undefined,
  'no to': {},
  'a short to': { to: '12' },
  'a to of letters': { to: 'abc' },
  null: { to: null },
})) {
  test(`placing a call with ${what} is refused without a code`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    const reply = await client.send('POST', '/v1/calls', { key: world.numberKey.raw, body })
    t.is(reply.status, 400)
    t.is(reply.body.code, undefined)
    t.deepEqual(world.directory.asked, [])
  })
}

test('a session description is refused where the service carries the audio: on placing and on accepting', async (t) => {
  const world = new World()
  const call = world.calls.add(world.number, { direction: 'INBOUND', status: 'RINGING' })
  const client = await serve(t, world)
  const routes = { '/v1/calls': { to: '5511999990001' }, [`/v1/calls/${call.id}/accept`]: {} }
  for (const [path, body] of Object.entries(routes)) {
    for (const [field, value] of Object.entries({ sdp: 'v=0', sdpType: 'offer' })) {
      const reply = await client.send('POST', path, { key: world.numberKey.raw, body: { ...body, [field]: value } })
      t.is(reply.status, 400, path)
      t.is(reply.body.code, undefined)
      t.is(reply.body.details[0].path, field)
    }
  }
  t.deepEqual(world.directory.asked, [])
})

test('a number that is not connected, and a peer that is not registered, are told apart', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  for (const [code, status] of [
    ['CHANNEL_INSTANCE_NOT_CONNECTED', 409],
    ['CALL_PEER_UNREACHABLE', 422],
    ['MEDIA_CAPACITY', 503],
  ] as const) {
    world.directory.script = { PlaceCall: () => fail(refuse(code, 'no', undefined, 2.5)) }
    const reply = await client.send('POST', '/v1/calls', { key: world.numberKey.raw, body: { to: '5511999990001' } })
    t.is(reply.status, status)
    t.is(reply.body.code, code)
    t.is(reply.headers.get('retry-after'), '3')
  }
})

// [calls.routes.2] [calls.routes.17] [calls.object.9] [rest.paging.2]
test('the list is newest first, pages by createdAt and never holds sdp or files', async (t) => {
  const world = new World()
  for (let i = 0; i < 30; i++) world.calls.add(world.number, { sdpOffer: 'v=0' })
  world.calls.add(world.foreignNumber, {})
  const client = await serve(t, world)
  const first = await client.send('GET', '/v1/calls', { key: world.numberKey.raw })
  t.deepEqual(schema.callList.parse(first.body), first.body)
  t.is(first.body.calls.length, 25)
  t.false('sdpOffer' in first.body.calls[0])
  t.false('playback' in first.body.calls[0])
  const before = first.body.calls[24].createdAt
  const rest = await client.send('GET', `/v1/calls?limit=100&before=${before}`, { key: world.numberKey.raw })
  t.is(rest.body.calls.length, 5)
  t.true(rest.body.calls[0].createdAt < before)
})

for (const limit of ['0', '101', '-1', '1.5', '1e1', 'ten', '', '%205', '5&limit=6']) {
  test(`the list refuses limit=${limit} with INVALID_LIMIT`, async (t) => {
    const world = new World() // [rest.errors.14]
    const client = await serve(t, world)
    const reply = await client.send('GET', `/v1/calls?limit=${limit}`, { key: world.numberKey.raw })
    t.is(reply.status, 400)
    t.is(reply.body.code, 'INVALID_LIMIT')
  })
}

test('the list reads an offset whose plus sign was not encoded', async (t) => {
  const world = new World()
  const call = world.calls.add(world.number, { createdAt: new Date('2026-01-05T12:00:00.000Z') })
  const client = await serve(t, world)
  for (const [before, ids] of [
    ['2026-01-05T14:00:01+02:00', [call.id]],
    ['2026-01-05T14:00:00%2B02:00', []],
  ] as const) {
    const { body } = await client.send('GET', `/v1/calls?before=${before}`, { key: world.numberKey.raw })
    t.deepEqual(
      body.calls.map(({ id }: { id: string }) => id),
      ids,
    )
  }
})

for (const before of ['yesterday', '', '2026-02-30T00:00:00Z', '1767225600', '2026-01-01T00:00:00']) {
  test(`the list refuses before=${before} with INVALID_BEFORE`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    const reply = await client.send('GET', `/v1/calls?before=${before}`, { key: world.numberKey.raw })
    t.is(reply.status, 400)
    t.is(reply.body.code, 'INVALID_BEFORE')
  })
}

test('files that an ended call did not play to their end are FAILED', async (t) => {
  const world = new World()
  const playback = (['FINISHED', 'PLAYING', 'QUEUED'] as const).map((status) => ({
    id: newId('play'),
    mediaUrl: 'https://a.example/x.mp3',
    hangupAfterPlay: false,
    status,
  }))
  const live = world.calls.add(world.number, { externalCallId: 'ext-1', status: 'ACCEPTED', playback })
  const ended = world.calls.add(world.number, { externalCallId: 'ext-2', status: 'COMPLETED', playback })
  const client = await serve(t, world)
  const shown = async (id: string) =>
    (await client.send('GET', `/v1/calls/${id}`, { key: world.numberKey.raw })).body.playback.map(
      ({ status, error }: any) => [status, error],
    )
  t.deepEqual(await shown(live.id), [
    ['FINISHED', undefined],
    ['PLAYING', undefined],
    ['QUEUED', undefined],
  ])
  t.deepEqual(await shown(ended.id), [
    ['FINISHED', undefined],
    ['FAILED', 'CALL_ENDED'],
    ['FAILED', 'CALL_ENDED'],
  ])
})

// [calls.routes.3] [calls.routes.14] [calls.object.9] [calls.object.1] [calls.play.4]
test('a call is read by either id, with its files, and sdp only when asked for', async (t) => {
  const world = new World()
  const call = world.calls.add(world.number, {
    externalCallId: 'ext/1',
    status: 'COMPLETED',
    durationSeconds: 4,
    sdpOffer: 'v=0',
    sdpAnswer: 'v=0',
    playback: [
      {
        id: newId('play'),
        mediaUrl: 'https://a.example/x.mp3',
        hangupAfterPlay: true,
        status: 'FAILED',
        error: 'gone',
      },
    ],
  })
  const client = await serve(t, world)
  const read = await client.send('GET', `/v1/calls/${call.id}`, { key: world.numberKey.raw })
  t.deepEqual(schema.callRead.parse(read.body), read.body)
  t.deepEqual(read.body.playback, [{ mediaUrl: 'https://a.example/x.mp3', status: 'FAILED', error: 'gone' }])
  t.false('sdpOffer' in read.body)
  t.false('tenantId' in read.body)
  const byProvider = await client.send('GET', '/v1/calls/ext%2F1?includeSdp=1', { key: world.numberKey.raw })
  t.is(byProvider.body.id, call.id)
  t.deepEqual([byProvider.body.sdpOffer, byProvider.body.sdpAnswer], [null, null])
})

test('an OFFICIAL call shows its sdp when asked for', async (t) => {
  const world = new World()
  world.numbers.put({ id: world.number.id, provider: 'OFFICIAL' })
  const call = world.calls.add(world.number, { provider: 'OFFICIAL', sdpOffer: 'v=0 offer' })
  const client = await serve(t, world)
  const { body } = await client.send('GET', `/v1/calls/${call.id}?includeSdp=1`, { key: world.numberKey.raw })
  t.deepEqual([body.sdpOffer, body.sdpAnswer], ['v=0 offer', null])
})

// [calls.routes.15]
for (const [verb, body] of [
  ['accept', undefined],
  ['reject', undefined],
  ['terminate', undefined],
  ['play', { mediaUrl: 'https://a.example/x.mp3' }],
  ['realtime-session', undefined],
] as const) {
  test(`${verb} of a call that is unknown, or another number's, is CALL_NOT_FOUND`, async (t) => {
    const world = new World() // [rest.errors.14]
    const foreign = world.calls.add(world.foreignNumber, { externalCallId: 'ext-9' })
    const client = await serve(t, world)
    for (const id of [NOT_THERE, foreign.id, 'ext-9', 'x'.repeat(300)]) {
      const reply = await client.send('POST', `/v1/calls/${id}/${verb}`, { key: world.numberKey.raw, body })
      t.is(reply.status, 404)
      t.is(reply.body.code, 'CALL_NOT_FOUND')
    }
    t.deepEqual(world.directory.asked, [])
  })
}

for (const status of CALL_STATUSES.filter((status) => !isLive(status))) {
  test(`a call that is ${status} answers from its row`, async (t) => {
    const world = new World()
    const call = world.calls.add(world.number, { status })
    const client = await serve(t, world)
    for (const verb of ['reject', 'terminate']) {
      const reply = await client.send('POST', `/v1/calls/${call.id}/${verb}`, { key: world.numberKey.raw })
      t.is(reply.status, 200)
      t.deepEqual(reply.body, { success: true, id: call.id, status })
    }
    for (const [verb, body] of [
      ['accept', undefined],
      ['play', { mediaUrl: 'https://a.example/x.mp3' }],
      ['realtime-session', undefined],
    ] as const) {
      const reply = await client.send('POST', `/v1/calls/${call.id}/${verb}`, { key: world.numberKey.raw, body })
      t.is(reply.status, 409)
      t.is(reply.body.code, 'CALL_INVALID_STATE')
    }
    t.deepEqual(world.directory.asked, [])
  })
}

test('commands to a live call go to it by its service id and answer its status', async (t) => {
  const world = new World()
  const call = world.calls.add(world.number, { status: 'RINGING', direction: 'INBOUND', externalCallId: 'ext-1' })
  const client = await serve(t, world)
  world.directory.script = {
    Accept: () => succeed({ id: call.id, status: 'ACCEPTED' }),
    Reject: () => succeed({ id: call.id, status: 'REJECTED' }),
    Terminate: () => succeed({ id: call.id, status: 'COMPLETED' }),
    Play: () => succeed({ id: call.id, status: 'ACCEPTED' }),
  }
  const send = (verb: string, body?: unknown) =>
    client.send('POST', `/v1/calls/ext-1/${verb}`, { key: world.numberKey.raw, body })
  t.deepEqual((await send('accept')).body, { success: true, id: call.id, status: 'ACCEPTED' })
  t.deepEqual((await send('reject', {})).body, { success: true, id: call.id, status: 'REJECTED' })
  t.deepEqual((await send('terminate')).body, { success: true, id: call.id, status: 'COMPLETED' })
  t.deepEqual((await send('play', { mediaUrl: 'http://a.example/x.wav', hangupAfterPlay: true })).body, {
    success: true,
    id: call.id,
    status: 'ACCEPTED',
  })
  t.deepEqual(world.directory.asked.at(-1)?.fields, { mediaUrl: 'http://a.example/x.wav', hangupAfterPlay: true })
})

test('play asks for the address as browsers write it', async (t) => {
  const world = new World()
  const call = world.calls.add(world.number, { status: 'ACCEPTED' })
  const client = await serve(t, world)
  world.directory.script = { Play: () => succeed({ id: call.id, status: 'ACCEPTED' }) }
  t.is(
    (
      await client.send('POST', `/v1/calls/${call.id}/play`, {
        key: world.numberKey.raw,
        body: { mediaUrl: 'HTTPS://Example.COM:443/a b' },
      })
    ).status,
    200,
  )
  t.is(world.directory.asked.at(-1)?.fields.mediaUrl, 'https://example.com/a%20b')
})

for (const mediaUrl of [
  undefined,
  null,
  7,
  '',
  'x.mp3',
  'ftp://a.example/x.mp3',
  'file:///etc/passwd',
  'data:audio/wav;base64,AA',
  `https://a.example/${'x'.repeat(2048)}`,
]) {
  test(`play refuses the mediaUrl ${String(mediaUrl).slice(0, 24)}`, async (t) => {
    const world = new World()
    const call = world.calls.add(world.number, { status: 'ACCEPTED' })
    const client = await serve(t, world)
    const reply = await client.send('POST', `/v1/calls/${call.id}/play`, {
      key: world.numberKey.raw,
      body: { mediaUrl },
    })
    t.is(reply.status, 400)
    t.is(reply.body.details[0].path, 'mediaUrl')
  })
}

// [realtime.session.1] [realtime.session.2] [realtime.session.3] [calls.routes.13]
test('a realtime session answers where to connect, for 120 seconds, with or without a body', async (t) => {
  const world = new World()
  const call = world.calls.add(world.number, { status: 'INITIATED' })
  const client = await serve(t, world)
  world.directory.script = {
    OpenSession: () => succeed({ wsUrl: 'ws://m/v1/realtime/x?token=y', token: 'y', expiresAtMs: 1_000 }),
  }
  const path = `/v1/calls/${call.id}/realtime-session`
  const { status, body } = await client.send('POST', path, { key: world.numberKey.raw })
  t.is(status, 200)
  t.deepEqual(schema.session.parse(body), body)
  t.deepEqual(body, {
    wsUrl: 'ws://m/v1/realtime/x?token=y',
    token: 'y',
    expiresIn: 120,
    expiresInSeconds: 120,
    expiresAt: '1970-01-01T00:00:01.000Z',
  })
  await client.send('POST', path, { key: world.numberKey.raw, body: { mode: 'listen' } })
  t.deepEqual(
    world.directory.asked.map(({ fields }) => fields.mode),
    ['talk', 'listen'],
  )
  t.is((await client.send('POST', path, { key: world.numberKey.raw, body: { mode: 'shout' } })).status, 400)
})

test('a realtime session is minted for the key that asks; one that was replaced meanwhile is 401, announced, and no first answer', async (t) => {
  const world = new World()
  const call = world.calls.add(world.number, { status: 'RINGING' })
  const revoked: string[] = []
  world.broadcast.subscribe(KEY_ROTATED, (id) => void revoked.push(id))
  const client = await serve(t, world)
  const session = succeed({ wsUrl: 'ws://m/v1/realtime/x?token=y', token: 'y', expiresAtMs: 1_000 })
  const open = (key: string) =>
    client.send('POST', `/v1/calls/${call.id}/realtime-session`, { key, headers: { 'idempotency-key': 'mint' } })
  const rotate = async () => await world.keys.rotateNumberKey(world.tenantId, world.number.id)
  let fresh: IssuedKey | null = null
  world.directory.script = {
    OpenSession: async () => {
      fresh = await rotate()
      return session
    },
  }
  t.is((await open(world.numberKey.raw)).status, 401)
  t.deepEqual(revoked, [world.numberKey.id])
  world.directory.script = { OpenSession: () => session }
  const { raw = '', id } = fresh ?? world.numberKey
  t.is((await open(raw)).status, 200)
  t.deepEqual(
    world.directory.asked.map(({ fields }) => fields.by),
    [world.numberKey.id, id],
  )
})

const OFFICIAL_ONLY = [
  ['POST', `/v1/calls/${NOT_THERE}/pre-accept`],
  ['GET', '/v1/calls/settings'],
  ['PUT', '/v1/calls/settings'],
  ['GET', '/v1/calls/permissions'],
  ['POST', '/v1/calls/permissions/request'],
] as const
for (const [method, path] of OFFICIAL_ONLY) {
  test(`${method} ${path.replace(NOT_THERE, '{callId}')} is not for UNOFFICIAL numbers, whatever is sent`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    const reply = await client.send(method, path, {
      key: world.numberKey.raw,
      ...(method === 'GET' ? {} : { body: '{broken' }),
    })
    t.is(reply.status, 400)
    t.is(reply.body.code, 'FEATURE_NOT_SUPPORTED')
  })
}

// [calls.routes.16]
test('audio routes are not for OFFICIAL numbers', async (t) => {
  const world = new World()
  world.numbers.put({ id: world.number.id, provider: 'OFFICIAL' })
  const client = await serve(t, world)
  for (const verb of ['play', 'realtime-session']) {
    const reply = await client.send('POST', `/v1/calls/${NOT_THERE}/${verb}`, { key: world.numberKey.raw })
    t.is(reply.body.code, 'FEATURE_NOT_SUPPORTED')
  }
})

test('a permission read without a contact is MISSING_TO where permissions exist', async (t) => {
  const world = new World()
  world.numbers.put({ id: world.number.id, provider: 'OFFICIAL' })
  const client = await serve(t, world)
  const reply = await client.send('GET', '/v1/calls/permissions', { key: world.numberKey.raw })
  t.is(reply.status, 400)
  t.is(reply.body.code, 'MISSING_TO')
})
