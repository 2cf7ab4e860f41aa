import test from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import type { RealtimeSessionState } from '../../src/domain/realtime-session.ts'
import * as schema from '../../src/http/routes/calls/schema.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

async function calling(t: Parameters<typeof serve>[0]) {
  const world = new World()
  const call = world.calls.add(world.number, { status: 'ACCEPTED' })
  const client = await serve(t, world)
  const dial = (body: object, headers: Record<string, string> = {}) =>
    client.send('POST', `/v1/calls/${call.id}/realtime-session`, { key: world.numberKey.raw, body, headers })
  return { world, call, client, dial }
}

// [voice.connect-to.1] [voice.connect-to.2] [voice.connect-to.3] [voice.connect-to.4] [voice.connect-to.5]
test('a session with connectTo is dialled, and answers its id at once', async (t) => {
  const { world, dial } = await calling(t)
  world.directory.script = { DialSession: () => succeed(null) }
  const { status, body } = await dial({ connectTo: 'wss://bot.example/calls' })
  t.is(status, 202)
  t.deepEqual(schema.dialled.parse(body), body)
  t.regex(body.sessionId, /^rts_[0-9a-z]{26}$/)
  await dial({
    connectTo: 'wss://bot.example/calls',
    mode: 'listen',
    headers: { Authorization: 'Bearer of-the-bot' },
    dialect: 'twilio',
    outRate: 8_000,
    onDisconnect: 'grace',
    parameters: { customer: '7' },
  })
  await dial({ connectTo: 'wss://bot.example/calls', codec: 'opus', speech: 'on' })
  const [plain, full, opus] = world.directory.asked.map(({ fields }) => fields.session)
  t.deepEqual(plain, {
    sessionId: body.sessionId,
    mode: 'talk',
    url: 'wss://bot.example/calls',
    headers: {},
    query: {},
    given: {},
  })
  t.like(full, {
    mode: 'listen',
    headers: { Authorization: 'Bearer of-the-bot' },
    query: { dialect: 'twilio', outRate: '8000', onDisconnect: 'grace' },
    given: { customer: '7' },
  })
  t.deepEqual(opus?.query, { codec: 'opus', speech: 'on' })
})

// [voice.connect-to.7]
test('what the media host refuses to dial is refused, and so is a body that cannot be right', async (t) => {
  const { world, dial } = await calling(t)
  world.directory.script = { DialSession: () => fail(refuse('MEDIA_URL_FORBIDDEN', 'The address is not public')) }
  t.like(await dial({ connectTo: 'wss://10.0.0.1/' }), { status: 400, body: { code: 'MEDIA_URL_FORBIDDEN' } })
  const asked = world.directory.asked.length
  const connectTo = 'wss://bot.example/'
  const texts = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'x']))
  for (const [body, path] of [
    [{ dialect: 'twilio' }, 'connectTo'],
    [{ parameters: {} }, 'connectTo'],
    [{ connectTo: '' }, 'connectTo'],
    [{ connectTo: 7 }, 'connectTo'],
    [{ connectTo, headers: texts(11) }, 'headers'],
    [{ connectTo, headers: { 'sec-websocket-key': 'x' } }, 'headers'],
    [{ connectTo, headers: { Host: 'x' } }, 'headers'],
    [{ connectTo, headers: { 'a b': 'x' } }, 'headers'],
    [{ connectTo, headers: { a: 'x\r\nb: y' } }, 'headers.a'],
    [{ connectTo, parameters: texts(21) }, 'parameters'],
    [{ connectTo, parameters: { a: 1 } }, 'parameters.a'],
    [{ connectTo, rate: 44_100 }, 'rate'],
    [{ connectTo, dialect: 'morse' }, 'dialect'],
    [{ connectTo, frameMs: 30 }, 'frameMs'],
    [{ connectTo, codec: 'g711' }, 'codec'],
    [{ connectTo, onDisconnect: 'wait' }, 'onDisconnect'],
  ] as const) {
    const refused = await dial(body)
    t.is(refused.status, 400, JSON.stringify(body).slice(0, 80))
    t.is(refused.body.details[0].path, path)
  }
  t.is(world.directory.asked.length, asked)
})

// [voice.connect-to.8]
test('a call shows its sessions, the newest first', async (t) => {
  const { world, call, client } = await calling(t)
  const dialled: RealtimeSessionState = {
    id: 'rts_1',
    direction: 'OUTBOUND',
    mode: 'talk',
    dialect: 'twilio',
    status: 'FAILED',
    openedAtMs: null,
    closedAtMs: 9_000,
    closeCode: null,
    error: 'Nothing listens at the address.',
  }
  const open = { id: 'rts_2', direction: 'INBOUND', status: 'OPEN', openedAtMs: 8_000, closedAtMs: null } as const
  await world.callSessions.save(call.id, dialled)
  await world.callSessions.save(call.id, { ...dialled, ...open, error: null })
  const { body } = await client.send('GET', `/v1/calls/${call.id}`, { key: world.numberKey.raw })
  t.deepEqual(schema.callRead.parse(body), body)
  t.deepEqual(
    body.sessions.map(({ id, direction, status, openedAt, closedAt, error }: any) => [
      id,
      direction,
      status,
      openedAt,
      closedAt,
      error,
    ]),
    [
      ['rts_2', 'INBOUND', 'OPEN', '1970-01-01T00:00:08.000Z', null, null],
      ['rts_1', 'OUTBOUND', 'FAILED', null, '1970-01-01T00:00:09.000Z', 'Nothing listens at the address.'],
    ],
  )
})
