import { request } from 'node:http'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { serve, type Client } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { until } from '../helpers/until.ts'

const MB = 1_000_000
const TO = { destinationNumber: '5511999990001' }
const URI = `data:image/png;base64,${'iVBORw0KGgo'.padEnd(400_000, 'A')}`
const SEND = '/v1/messages/send'

async function open(t: ExecutionContext) {
  const world = new World()
  const client = await serve(t, world)
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    client.send('POST', path, { key: world.numberKey.raw, body, headers })
  return { world, client, post }
}

/** Begins a request; the test writes its body. */
function begin(
  { url }: Client,
  key: string,
  headers: Record<string, string | number>,
): {
  sent: ClientRequest
  answer: Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: any }>
} {
  const sent = request(`${url}${SEND}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    agent: false,
  })
  const answer = once(sent, 'response').then(async ([response]: IncomingMessage[]) => {
    const parts = (await response?.toArray()) ?? []
    return {
      status: response?.statusCode,
      headers: response?.headers ?? {},
      body: JSON.parse(Buffer.concat(parts as Buffer[]).toString()) as unknown,
    }
  })
  sent.flushHeaders()
  return { sent, answer }
}

test('a body of more than 20,000 values is PAYLOAD_TOO_LARGE on every size, one of 20,000 is read', async (t) => {
  const { post } = await open(t)
  const ofValues = (count: number, item: string) =>
    `{"to":"5511999990001","x":[${Array.from({ length: count - 3 }, () => item).join(',')}]}`
  for (const item of ['0', '[]', '""', '{}']) {
    t.is((await post('/v1/calls', ofValues(20_000, item))).status, 503, 'reaches the number, which is not scripted')
    const over = await post('/v1/calls', ofValues(20_001, item))
    t.deepEqual(
      [over.status, over.body],
      [413, { error: 'The body holds more than 20000 JSON values', code: 'PAYLOAD_TOO_LARGE' }],
    )
  }
})

test('a hostile body of 24 MB is refused by its values before it is parsed, and its client sees why', async (t) => {
  const { post } = await open(t)
  const { status, body } = await post(SEND, Buffer.alloc(24 * MB, '[],'))
  t.deepEqual([status, body.code], [413, 'PAYLOAD_TOO_LARGE'])
})

const SHAPES: Record<string, (bytes: number) => string> = {
  'empty arrays': (bytes) => `[${'[],'.repeat(bytes / 3)}1]`,
  'nested arrays': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'open arrays': (bytes) => '['.repeat(bytes),
  objects: (bytes) => `[${'{},'.repeat(bytes / 3)}1]`,
  keys: (bytes) =>
    `{${Array.from({ length: 19_000 }, (_, at) => `"${String(at).padEnd(bytes / 19_000 - 5, 'k')}":1`).join(',')}}`,
  'one number': (bytes) => '1'.repeat(bytes),
  fractions: (bytes) => `[${Array.from({ length: 19_000 }, () => `1.${'3'.repeat(bytes / 19_000 - 4)}`).join(',')}]`,
  escapes: (bytes) => `"${'\\u0041'.repeat(bytes / 6)}"`,
  'escaped quotes': (bytes) => `"${'\\"'.repeat(bytes / 2)}"`,
  'strings without commas': (bytes) => '"a" '.repeat(bytes / 4),
  'one string': (bytes) => `{"text":"${'a'.repeat(bytes)}"}`,
  spaces: (bytes) => `${' '.repeat(bytes)}{}`,
  'media without a destination': (bytes) =>
    `{"mediaType":"image","media":"data:image/png;base64,${'!'.repeat(bytes)}"}`,
  'media that never ends': (bytes) => `{"media":"data:image/png;base64,${'A'.repeat(bytes)}`,
  'many media': (bytes) =>
    `[${Array.from({ length: bytes / 40_000 }, () => `"data:image/png;base64,${'A'.repeat(40_000)}"`).join(',')}]`,
  'NUL bytes': (bytes) => '\0'.repeat(bytes),
}
for (const [shape, make] of Object.entries(SHAPES)) {
  test(`a body of ${shape} is refused by its form or its size on every route, never a fault of ours`, async (t) => {
    const { world, post } = await open(t)
    for (const bytes of [0.9 * MB, 1.2 * MB, 5 * MB]) {
      const sent = await post(SEND, make(bytes))
      t.true([400, 413].includes(sent.status), `${bytes} bytes: ${sent.status}`)
      t.true(bytes < MB || sent.status === 413 || shape.includes('media'), `${bytes} bytes: ${sent.status}`)
      t.true([400, 413].includes((await post('/v1/webhooks', make(bytes))).status))
    }
    t.is(world.messages.accepted.length, 0)
  })
}

test('media of a large body go to files as they come, and the message is what it would be in a small one', async (t) => {
  const { world, post } = await open(t)
  const { status } = await post(SEND, { ...TO, media: URI, mediaType: 'image', caption: 'Hi' })
  t.is(status, 202)
  t.deepEqual([...world.files.arrived.values()], [URI])
  const [kept] = world.files.kept
  t.like(world.messages.accepted[0]?.message, {
    outgoing: { mode: 'media', kind: 'image', source: { fileId: kept }, caption: 'Hi' },
  })
  t.is(world.files.dropped, 1, 'what was not kept would be let go of')
})

test('a large body sent in chunks is accepted like one with a content-length', async (t) => {
  const { world, client } = await open(t)
  const { sent, answer } = begin(client, world.numberKey.raw, { 'transfer-encoding': 'chunked' })
  const whole = Buffer.from(JSON.stringify({ ...TO, media: URI, mediaType: 'image' }))
  for (let at = 0; at < whole.length; at += 100_000) sent.write(whole.subarray(at, at + 100_000))
  sent.end()
  t.is((await answer).status, 202)
  t.deepEqual([...world.files.arrived.values()], [URI])
})

test('only media fields accept the placeholder of an uploaded file', async (t) => {
  const { post } = await open(t)
  for (const field of ['text', 'caption', 'correlationId', 'quotedMessageId', 'mediaFilename']) {
    const { status } = await post(SEND, { ...TO, media: 'https://example.com/a.png', mediaType: 'image', [field]: URI })
    t.is(status, 400, field)
  }
})

test('a large body has the fingerprint it always had: a repeat is answered with the first answer, another body is refused', async (t) => {
  const { world, post } = await open(t)
  const key = { 'idempotency-key': 'k1' }
  const body = { ...TO, media: URI, mediaType: 'image' }
  const first = await post(SEND, body, key)
  const again = await post(SEND, body, key)
  t.deepEqual([again.status, again.text, again.headers.get('idempotency-replayed')], [202, first.text, 'true'])
  t.is(world.messages.accepted.length, 1)
  const other = await post(SEND, { ...body, media: `${URI.slice(0, -4)}AAAB` }, key)
  t.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
  const broken = await post(SEND, JSON.stringify(body).replace('AAAA', 'A\\xA'), key)
  t.deepEqual(
    [broken.status, broken.body.code],
    [422, 'IDEMPOTENCY_KEY_REUSED'],
    'a used key comes before a body that is no JSON',
  )
})

// [rest.bounds.2]
test('a large body waits unread while its key has too many in work, others go in, and each is accepted once there is room', async (t) => {
  const { world, client } = await open(t)
  const body = Buffer.from(
    JSON.stringify({ ...TO, media: `data:image/png;base64,${'A'.repeat(24 * MB)}`, mediaType: 'image' }),
  )
  const headers = { 'content-length': body.length }
  const holding = Array.from({ length: 8 }, () => begin(client, world.numberKey.raw, headers))
  for (const { sent } of holding) sent.write(body.subarray(0, 100_000))
  await until('eight bodies are in work', () => world.files.arrived.size === 8)
  const waiting = begin(client, world.numberKey.raw, headers)
  waiting.sent.end(body)
  const other = begin(client, world.foreignKey.raw, headers)
  other.sent.end(body)
  t.is((await other.answer).status, 202)
  t.is(world.files.arrived.size, 9, 'the ninth of the key was not begun')
  for (const { sent } of holding) sent.end(body.subarray(100_000))
  const answers = await Promise.all([...holding, waiting].map(({ answer }) => answer))
  t.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 202),
  )
})

// [rest.bounds.2]
test('a large body without room for 20 s is 503 BUSY with retry-after', async (t) => {
  const { world, client } = await open(t)
  const body = Buffer.from(
    JSON.stringify({ ...TO, media: `data:image/png;base64,${'A'.repeat(24 * MB)}`, mediaType: 'image' }),
  )
  const headers = { 'content-length': body.length }
  const holding = Array.from({ length: 8 }, () => begin(client, world.numberKey.raw, headers))
  for (const { sent } of holding) sent.write(body.subarray(0, 100_000))
  await until('eight bodies are in work', () => world.files.arrived.size === 8)
  const waiting = begin(client, world.numberKey.raw, headers)
  waiting.sent.end(body)
  const answer = await until('the ninth waited too long', async () => {
    world.clock.advance(20_000)
    return Promise.race([
      waiting.answer,
      new Promise<null>((resolve) => {
        setTimeout(resolve, 20, null)
      }),
    ])
  })
  t.deepEqual([answer.status, answer.body.code, answer.headers['retry-after']], [503, 'BUSY', '5'])
  for (const { sent, answer } of holding) {
    answer.catch(() => {})
    sent.destroy()
  }
  await until('what the others brought is let go of', () => world.files.dropped === 8)
})

test('a refusal names a hundred faults of a body at most', async (t) => {
  const { world, client } = await open(t)
  const { status, body } = await client.send('POST', '/v1/messages/read', {
    key: world.numberKey.raw,
    body: { conversationId: 1, messageIds: Array.from({ length: 100 }, () => []) },
  })
  t.is(status, 400)
  t.is(body.details.length, 100)
})
