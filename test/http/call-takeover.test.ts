import test from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import * as schema from '../../src/http/routes/calls/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

// [realtime.takeover.1] [realtime.takeover.3] [calls.routes.20]
test('a takeover answers as a realtime session does, and to the bot it gives the call back', async (t) => {
  const world = new World()
  const call = world.calls.add(world.number, { status: 'ACCEPTED' })
  const client = await serve(t, world)
  let given = 0
  world.directory.script = {
    OpenSession: () => succeed({ wsUrl: 'ws://m/v1/realtime/x?token=y', token: 'y', expiresAtMs: 1_000 }),
    GiveBack: () => (given++ === 0 ? succeed(null) : fail(refuse('CALL_INVALID_STATE', 'Nobody is there'))),
  }
  const take = (body?: object) =>
    client.send('POST', `/v1/calls/${call.id}/takeover`, { key: world.numberKey.raw, ...(body ? { body } : {}) })
  for (const wanted of [undefined, {}, { to: 'talk' }]) {
    const { status, body } = await take(wanted)
    t.is(status, 200)
    t.deepEqual(schema.session.parse(body), body)
  }
  t.deepEqual(
    world.directory.asked.map(({ type, fields }) => [type, fields.mode, fields.takesOver]),
    Array.from({ length: 3 }, () => ['OpenSession', 'talk', true]),
  )
  t.like(await take({ to: 'bot' }), { status: 202, body: { success: true } })
  t.like(await take({ to: 'bot' }), { status: 409, body: { code: 'CALL_INVALID_STATE' } })
  t.like(await take({ to: 'listen' }), { status: 400 })
})

// [calls.routes.15] [calls.routes.16]
test('a call that is unknown, over, or carried elsewhere is not taken over, and not given back', async (t) => {
  const world = new World()
  const ended = world.calls.add(world.number, { status: 'COMPLETED' })
  const foreign = world.calls.add(world.foreignNumber, { status: 'ACCEPTED' })
  const client = await serve(t, world)
  for (const to of ['talk', 'bot']) {
    const take = (callId: string) =>
      client.send('POST', `/v1/calls/${callId}/takeover`, { key: world.numberKey.raw, body: { to } })
    for (const id of [newId('call'), foreign.id])
      t.like(await take(id), { status: 404, body: { code: 'CALL_NOT_FOUND' } }, to)
    t.like(await take(ended.id), { status: 409, body: { code: 'CALL_INVALID_STATE' } }, to)
  }
  t.deepEqual(world.directory.asked, [])
  const official = new World()
  official.numbers.put({ id: official.number.id, provider: 'OFFICIAL' })
  const path = `/v1/calls/${ended.id}/takeover`
  const refused = await (await serve(t, official)).send('POST', path, { key: official.numberKey.raw })
  t.like(refused, { status: 400, body: { code: 'FEATURE_NOT_SUPPORTED' } })
})
