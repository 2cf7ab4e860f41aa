import test from 'ava'
import { fail, refuse, succeed } from '../../src/domain/errors.ts'
import { newId } from '../../src/domain/ids.ts'
import { serve, type Client } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { until } from '../helpers/until.ts'

const TO = { to: '5511999990001' }

function place(client: Client, world: World, idempotencyKey: string, body: unknown = TO, key = world.numberKey.raw) {
  return client.send('POST', '/v1/calls', { key, body, headers: { 'idempotency-key': idempotencyKey } })
}

function callsPlaced(world: World) {
  world.directory.script = { PlaceCall: () => succeed({ id: newId('call'), externalCallId: 'e', status: 'INITIATED' }) }
}

// [rest.idempotency.2]
test('the same key with the same body answers the first answer and does nothing again', async (t) => {
  const world = new World()
  callsPlaced(world)
  const client = await serve(t, world)
  const first = await place(client, world, 'k 1')
  const second = await place(client, world, 'k 1')
  t.is(first.headers.get('idempotency-replayed'), null)
  t.is(second.headers.get('idempotency-replayed'), 'true')
  t.is(second.status, 201)
  t.is(second.text, first.text)
  t.is(second.headers.get('content-type'), first.headers.get('content-type'))
  t.is(world.directory.asked.length, 1)
})

// [rest.idempotency.3]
test('the same key with another body or on another route is refused', async (t) => {
  const world = new World()
  callsPlaced(world)
  const client = await serve(t, world)
  await place(client, world, 'k')
  for (const body of [{ to: '5511999990002' }, {}, '{"to": "5511999990001"}']) {
    const reply = await place(client, world, 'k', body)
    t.is(reply.status, 422)
    t.is(reply.body.code, 'IDEMPOTENCY_KEY_REUSED')
  }
  const call = world.calls.add(world.number, { status: 'ACCEPTED' })
  const elsewhere = await client.send('POST', `/v1/calls/${call.id}/realtime-session`, {
    key: world.numberKey.raw,
    body: TO,
    headers: { 'idempotency-key': 'k' },
  })
  t.is(elsewhere.status, 422)
})

// [rest.idempotency.5]
test('two numbers may use the same key', async (t) => {
  const world = new World()
  callsPlaced(world)
  const client = await serve(t, world)
  await place(client, world, 'k')
  const other = await place(client, world, 'k', TO, world.foreignKey.raw)
  t.is(other.status, 201)
  t.is(other.headers.get('idempotency-replayed'), null)
})

// [rest.idempotency.5]
test('a rotated key finds the first answers of the number, and of the tenant', async (t) => {
  const world = new World()
  callsPlaced(world)
  const client = await serve(t, world)
  const first = await place(client, world, 'k')
  const rotated = await client.send('POST', '/v1/api-keys', {
    key: world.tenantKey.raw,
    body: { channelNumberId: world.number.id },
  })
  const again = await place(client, world, 'k', TO, rotated.body.key)
  t.deepEqual([again.text, again.headers.get('idempotency-replayed')], [first.text, 'true'])
  t.is(world.directory.asked.length, 1)

  const create = (key: string) =>
    client.send('POST', '/v1/numbers', {
      key,
      body: { name: 'Desk', number: '5511900001111' },
      headers: { 'idempotency-key': 'k' },
    })
  const created = await create(world.tenantKey.raw)
  const own = await client.send('POST', '/v1/api-keys/regenerate', { key: world.tenantKey.raw })
  t.is((await create(own.body.key)).text, created.text)
})

// [rest.idempotency.4]
test('a repeat while the first still runs is refused', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  let finish: (outcome: ReturnType<typeof fail>) => void = () => {}
  const running = new Promise<void>((began) => {
    world.directory.script = {
      PlaceCall: () =>
        new Promise((resolve) => {
          finish = resolve
          began()
        }),
    }
  })
  const first = place(client, world, 'k')
  await running
  const twin = await place(client, world, 'k')
  t.is(twin.status, 409)
  t.is(twin.body.code, 'IDEMPOTENCY_IN_PROGRESS')
  finish(fail(refuse('CHANNEL_INSTANCE_NOT_CONNECTED', 'closed')))
  t.is((await first).status, 409)
})

test('a refusal is a first answer too', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  world.directory.script = { PlaceCall: () => fail(refuse('CALL_PEER_UNREACHABLE', 'not registered')) }
  const first = await place(client, world, 'k')
  callsPlaced(world)
  const second = await place(client, world, 'k')
  t.is(second.status, 422)
  t.is(second.text, first.text)
  t.is(second.headers.get('idempotency-replayed'), 'true')
})

test('a fault of ours is not kept: the repeat tries again', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  t.is((await place(client, world, 'k')).status, 503)
  callsPlaced(world)
  const again = await place(client, world, 'k')
  t.is(again.status, 201)
  t.is(again.headers.get('idempotency-replayed'), null)
})

test('an answer that could not be kept is still given', async (t) => {
  const world = new World()
  callsPlaced(world)
  world.idempotency.finish = () => Promise.reject(new Error('database gone'))
  const client = await serve(t, world)
  t.is((await place(client, world, 'k')).status, 201)
})

// [rest.idempotency.1]
for (const key of ['', 'x'.repeat(256), 'tab\there', 'ümlaut']) {
  test(`the key ${JSON.stringify(key.slice(0, 12))} of ${key.length} characters is refused`, async (t) => {
    const world = new World()
    const client = await serve(t, world)
    const reply = await place(client, world, key)
    t.is(reply.status, 400)
    t.deepEqual(world.directory.asked, [])
  })
}

// [rest.idempotency.1]
test('a key of 255 characters is taken', async (t) => {
  const world = new World()
  callsPlaced(world)
  const client = await serve(t, world)
  t.is((await place(client, world, 'x'.repeat(255))).status, 201)
})

test('a creation repeated with its key creates one number and shows its key again', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const create = () =>
    client.send('POST', '/v1/numbers', {
      key: world.tenantKey.raw,
      body: { name: 'Desk', number: '5511900001111' },
      headers: { 'idempotency-key': 'k' },
    })
  const first = await create()
  t.is((await create()).body.apiKey.key, first.body.apiKey.key)
  t.is(world.numbers.rows.size, 3)
})

/** A call that lasts until the test ends it. */
function slowCall(world: World) {
  const begun = Promise.withResolvers<void>()
  const outcome = Promise.withResolvers<ReturnType<typeof fail>>()
  world.directory.script = {
    PlaceCall: () => {
      begun.resolve()
      return outcome.promise
    },
  }
  return {
    begun: begun.promise,
    end: (end: ReturnType<typeof succeed> | ReturnType<typeof fail>) => outcome.resolve(end as ReturnType<typeof fail>),
  }
}

// [nodes.asks.8]
test('a request that takes too long is 504, and a repeat with its key gets the outcome once it is known, without doing it again', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { begun, end } = slowCall(world)
  const first = place(client, world, 'k')
  await begun
  world.directory.late()
  const answered = await first
  t.deepEqual([answered.status, answered.body.code], [504, 'TIMEOUT'])
  const meanwhile = await place(client, world, 'k')
  t.deepEqual([meanwhile.status, meanwhile.body.code], [409, 'IDEMPOTENCY_IN_PROGRESS'])
  const id = newId('call')
  end(succeed({ id, externalCallId: 'e', status: 'INITIATED' }))
  const known = await until('the outcome is known', async () => {
    const reply = await place(client, world, 'k')
    return reply.status === 409 ? null : reply
  })
  t.deepEqual([known.status, known.body.id, known.headers.get('idempotency-replayed')], [201, id, 'true'])
  t.is(world.directory.asked.length, 1)
})

test('a refusal that is known late is the answer to a repeat, too', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { begun, end } = slowCall(world)
  const first = place(client, world, 'k')
  await begun
  world.directory.late()
  t.is((await first).status, 504)
  end(fail(refuse('CALL_PEER_UNREACHABLE', 'Nobody there')))
  const known = await until('the outcome is known', async () => {
    const reply = await place(client, world, 'k')
    return reply.status === 409 ? null : reply
  })
  t.deepEqual(
    [known.status, known.body.code, known.headers.get('idempotency-replayed')],
    [422, 'CALL_PEER_UNREACHABLE', 'true'],
  )
})

test('an outcome that nobody will know stays unknown to a repeat: it is not done again', async (t) => {
  const world = new World()
  world.directory.script = { PlaceCall: () => fail(refuse('TIMEOUT', 'Nobody knows')) }
  const client = await serve(t, world)
  t.is((await place(client, world, 'k')).status, 504)
  const again = await place(client, world, 'k')
  t.deepEqual([again.status, again.body.code, again.headers.get('idempotency-replayed')], [504, 'TIMEOUT', 'true'])
  t.is(world.directory.asked.length, 1)
})
