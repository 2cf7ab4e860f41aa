import test from 'ava'
import { BATCH_BODY_BYTES } from '../../src/domain/limits.ts'
import * as schema from '../../src/http/routes/messages/batch-schema.ts'
import { open, TO } from './sending-world.ts'

const PATH = '/v1/messages/batch'
const texts = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ destinationNumber: `55119${10_000_000 + at}`, text: `Hi ${at}` }))

// [message-verbs.verbs.4] [message-verbs.batch.1]
test('each message of a batch is checked and refused as a send of its own, and the others are accepted together', async (t) => {
  const { world, client, number, key, send } = await open(t)
  world.files.refused.set('https://example.com/secret.png', { code: 'MEDIA_URL_FORBIDDEN', message: 'not that one' })
  const bad = [
    {},
    { ...TO },
    { ...TO, text: '' },
    { ...TO, text: 'a', groupId: '1@g.us' },
    { ...TO, text: 'a', deliverUntil: '2001-01-01T00:00:00Z' },
    { ...TO, flow: { flowId: 'flow_1', text: 'a', cta: 'b' } },
    { ...TO, templateId: 'nobody' },
    { ...TO, text: 'a', quotedMessageId: 'msg_01kb0000000000000000000000' },
    { ...TO, media: 'https://example.com/secret.png', mediaType: 'image' },
  ]
  const good = [
    { ...TO, text: 'one', correlationId: 'order 7' },
    { ...TO, media: 'https://example.com/a.png', mediaType: 'image' },
  ]
  const messages = [good[0], ...bad, good[1]]
  const { status, body } = await client.send('POST', PATH, { key: key.raw, body: { messages } })
  t.is(status, 202)
  t.deepEqual(schema.acceptedBatch.parse(body), body)
  t.is(body.accepted, 2)
  t.deepEqual(
    body.refused.map(({ index }: { index: number }) => index),
    bad.map((_, at) => at + 1),
  )
  for (const [at, one] of bad.entries()) {
    const alone = await send(one)
    t.true(alone.status >= 400, JSON.stringify(one))
    t.deepEqual(body.refused[at], { index: at + 1, error: alone.body.error, code: alone.body.code ?? null })
  }
  t.is(world.messageBatches.accepted.length, 1)
  const [{ batch } = {}] = world.messageBatches.accepted
  t.like(batch, { id: body.batchId, numberId: number.id, tenantId: number.tenantId, perMinute: null })
  t.deepEqual(
    batch?.messages.map(({ type, correlationId, id }) => [type, correlationId === id ? 'its id' : correlationId]),
    [
      ['text', 'order 7'],
      ['image', 'its id'],
    ],
  )
})

// [message-verbs.batch.2]
test('a body that is no batch is refused as a whole', async (t) => {
  const { world, client, key } = await open(t)
  const messages = texts(1)
  for (const body of [
    {},
    { messages: [] },
    { messages: texts(1_001) },
    { messages: ['a'] },
    { messages, pace: {} },
    { messages, pace: { perMinute: 0 } },
    { messages, pace: { perMinute: 60_001 } },
    { messages, pace: { perMinute: 1.5 } },
    { messages, deliverUntil: 'tomorrow' },
    { messages, deliverUntil: '2001-01-01T00:00:00Z' },
  ]) {
    const { status } = await client.send('POST', PATH, { key: key.raw, body })
    t.is(status, 400, JSON.stringify(body).slice(0, 80))
  }
  const large = await client.send('POST', PATH, {
    key: key.raw,
    body: { messages: [{ ...TO, text: 'a'.repeat(BATCH_BODY_BYTES) }] },
  })
  t.is(large.status, 413)
  t.is(world.messageBatches.accepted.length, 0)
})

// [message-verbs.batch.2]
test('a batch of a thousand long texts fits, with its pace and a time until which they are sent', async (t) => {
  const { world, client, key } = await open(t)
  const deliverUntil = new Date(world.clock.now() + 60_000).toISOString()
  const own = new Date(world.clock.now() + 30_000).toISOString()
  const messages = texts(1_000).map((one, at) => ({
    ...one,
    text: 'é'.repeat(2_000),
    ...(at === 7 ? { deliverUntil: own } : {}),
  }))
  const { status, body } = await client.send('POST', PATH, {
    key: key.raw,
    body: { messages, pace: { perMinute: 120 }, deliverUntil },
  })
  t.deepEqual([status, body.accepted, body.refused], [202, 1_000, []])
  const [{ batch } = {}] = world.messageBatches.accepted
  t.is(batch?.perMinute, 120)
  t.deepEqual(
    batch?.messages.slice(6, 8).map((message) => message.deliverUntil?.toISOString()),
    [deliverUntil, own],
  )
  t.deepEqual(
    batch?.messages.map(({ to }) => to.address),
    messages.map(({ destinationNumber }) => destinationNumber),
  )
})

// [rest.idempotency.2] [rest.idempotency.3]
test('a batch is accepted once for its Idempotency-Key', async (t) => {
  const { world, client, key } = await open(t)
  const post = (count: number, headers = { 'idempotency-key': 'batch 7' }) =>
    client.send('POST', PATH, { key: key.raw, body: { messages: texts(count) }, headers })
  const first = await post(3)
  const again = await post(3)
  t.deepEqual([again.status, again.body, again.headers.get('idempotency-replayed')], [202, first.body, 'true'])
  t.is((await post(2)).status, 422)
  t.is(world.messageBatches.accepted.length, 1)
  world.messages.isGone = true
  t.is((await post(3, { 'idempotency-key': 'other' })).status, 404)
})

// [message-verbs.verbs.5] [message-verbs.verbs.6] [message-verbs.batch.7]
test('a batch is counted and canceled by its own number alone', async (t) => {
  const { world, client, key } = await open(t)
  const { body } = await client.send('POST', PATH, {
    key: key.raw,
    body: { messages: texts(3), pace: { perMinute: 60 } },
  })
  const path = `${PATH}/${body.batchId}`
  for (const method of ['GET', 'DELETE'] as const) {
    t.is((await client.send(method, path, { key: world.foreignKey.raw })).status, 404)
    t.is((await client.send(method, `${PATH}/bat_nobody`, { key: key.raw })).status, 404)
  }
  const counted = await client.send('GET', path, { key: key.raw })
  t.deepEqual(schema.batchCounts.parse(counted.body), counted.body)
  t.like(counted.body, {
    batchId: body.batchId,
    accepted: 3,
    pace: { perMinute: 60 },
    counts: { QUEUED: 3, SENT: 0, DELIVERED: 0, READ: 0, FAILED: 0, CANCELED: 0 },
  })
  t.deepEqual((await client.send('DELETE', path, { key: key.raw })).body, { batchId: body.batchId, cancelled: 3 })
  t.deepEqual((await client.send('DELETE', path, { key: key.raw })).body, { batchId: body.batchId, cancelled: 0 })
  t.like((await client.send('GET', path, { key: key.raw })).body, { counts: { QUEUED: 0, CANCELED: 3 } })
})

// [message-verbs.batch.3]
test('batches have a limit of their own, a fortieth of that of sends', async (t) => {
  const { world, client, key, send } = await open(t)
  world.keys.sendsPerMinute = 80
  const post = () => client.send('POST', PATH, { key: key.raw, body: { messages: texts(1) } })
  t.deepEqual([(await post()).status, (await post()).status, (await post()).status], [202, 202, 429])
  t.is((await send({ ...TO, text: 'one' })).status, 202)
})

test('templates that change between their read and the batch are read again, and refused when they keep changing', async (t) => {
  const { world, client, key } = await open(t)
  let stale = 2
  world.messages.isCurrent = () => stale-- <= 0
  const post = () => client.send('POST', PATH, { key: key.raw, body: { messages: texts(1) } })
  t.is((await post()).status, 202)
  stale = Infinity
  t.is((await post()).status, 503)
  t.is(world.messageBatches.accepted.length, 1)
})
