import test from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { serve } from '../helpers/http-app.ts'
import { NO_LEADS } from '../helpers/no-leads.ts'
import { World } from '../helpers/world.ts'

const PLACE = { to: '+5511999990001', record: true }

// [voice.recordings.1] [voice.recordings.5]
test('a call is placed and accepted with `record`, unless the number keeps nothing or has no audio here', async (t) => {
  const world = new World()
  const { key: official } = world.addOfficial()
  const call = world.calls.add(world.number, { direction: 'INBOUND', status: 'RINGING' })
  const placed = { id: call.id, externalCallId: 'x', status: 'INITIATED' } as const
  world.directory.script = {
    PlaceCall: () => succeed(placed),
    Accept: () => succeed({ id: call.id, status: 'ACCEPTED' }),
  }
  let piiMode: 'STORE_INDEFINITE' | 'RELAY_ONLY' = 'STORE_INDEFINITE'
  const privacy = { ...NO_LEADS.privacy, retentionOf: async () => ({ piiMode, piiRetentionDays: null }) }
  const client = await serve(t, world, { privacy })
  const ask = (path: string, body: object, key = world.numberKey) => client.send('POST', path, { key: key.raw, body })
  const accept = `/v1/calls/${call.id}/accept`
  t.is((await ask('/v1/calls', PLACE)).status, 201)
  t.is((await ask('/v1/calls', { to: PLACE.to })).status, 201)
  t.is((await ask(accept, { record: true })).status, 200)
  t.deepEqual(
    world.directory.asked.map(({ fields }) => fields.record),
    [true, undefined, true],
  )
  piiMode = 'RELAY_ONLY'
  for (const [path, body] of [
    ['/v1/calls', PLACE],
    [accept, { record: true }],
  ] as const)
    t.like(await ask(path, body), { status: 400, body: { code: 'RECORDING_NOT_ALLOWED' } })
  t.is((await ask(accept, {})).status, 200)
  const sdp = 'v=0\r\no=- 1 1 IN IP4 1.1.1.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=setup:active\r\n'
  const refused = await ask('/v1/calls', { ...PLACE, sdp, sdpType: 'offer' }, official)
  t.is(refused.status, 400)
  t.is((await ask('/v1/calls', { ...PLACE, record: 'yes' })).status, 400)
  t.is(world.directory.asked.length, 4)
})

// [voice.recordings.2] [voice.recordings.3]
test('what is refused of a recording has its code', async (t) => {
  const world = new World()
  const call = world.calls.add(world.number, { status: 'COMPLETED' })
  const running = fail(refuse('RECORDING_RUNNING', 'not whole'))
  const missing = fail(refuse('RECORDING_NOT_FOUND', 'none'))
  const recordingCommands = {
    read: async () => running,
    locate: async () => running,
    remove: async () => missing,
    collect: async () => false,
    sweep: async () => {},
  }
  const client = await serve(t, world, { recordingCommands })
  const ask = (method: string) => client.send(method, `/v1/calls/${call.id}/recording`, { key: world.numberKey.raw })
  t.like(await ask('GET'), { status: 409, body: { code: 'RECORDING_RUNNING' } })
  t.like(await ask('DELETE'), { status: 404, body: { code: 'RECORDING_NOT_FOUND' } })
})

// [voice.recordings.11]
test('a call shows where its recording is while there is one', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const urlOf = async (recording: 'ASKED' | 'STORED' | 'GONE' | null) => {
    const { id } = world.calls.add(world.number, { status: 'COMPLETED', recording })
    const { body } = await client.send('GET', `/v1/calls/${id}`, { key: world.numberKey.raw })
    return [body.recordingUrl, `/v1/calls/${id}/recording`]
  }
  const [stored, path] = await urlOf('STORED')
  t.is(stored, path)
  for (const state of ['ASKED', 'GONE', null] as const) t.is((await urlOf(state))[0], null)
})
