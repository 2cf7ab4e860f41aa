import { gzipSync } from 'node:zlib'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import { UNPROVED_POSTS_PER_MINUTE } from '../../src/http/request/posts-of-upstream.ts'
import type { RestDeps } from '../../src/http/server.ts'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import type { Log } from '../../src/ports/log.ts'
import type { FlowKeyPair } from '../../src/ports/stores/flow-key-store.ts'
import { makeFlowKeyPair } from '../../src/providers/official/flow/exchange-crypto.ts'
import { createFlowEndpoints } from '../../src/webhooks/flow-endpoint.ts'
import { madeFlow } from '../contracts/flow-world.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { askSignature, phoneAsk, tampered } from '../helpers/flow-phone.ts'
import { serve } from '../helpers/http-app.ts'
import { openStoredWorld } from '../helpers/stored-world.ts'
import { Receiver, verified } from '../helpers/receiver.ts'
import type { AnswerArrival } from '../helpers/receiver.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

const database = sharedDatabase(test, openTestDatabase)
const APP_SECRET = 'app-secret'
const DAY_MS = 24 * 3_600_000
const INIT = { version: '3.0', action: 'INIT', flow_token: 'ft_1' }
let pair: FlowKeyPair
let second: FlowKeyPair
let foreign: FlowKeyPair

test.before(async () => {
  ;[pair, second, foreign] = await Promise.all([makeFlowKeyPair(), makeFlowKeyPair(), makeFlowKeyPair()])
})

function answerJson(body: unknown, status = 200): AnswerArrival {
  return (_arrival, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** A Flow with a key pair and with an endpoint at a receiver, which answers as the test says. */
async function open(
  t: ExecutionContext,
  answer: AnswerArrival = answerJson({ screen: 'FIRST', data: {} }),
  changes: Partial<RestDeps> = {},
) {
  const world = await openStoredWorld(database())
  const { number } = await world.addOfficial(world.tenantId)
  const owner = { tenantId: world.tenantId, accountId: number.official?.accountId ?? '' }
  const flow = await madeFlow(world, owner)
  const receiver = await Receiver.open()
  // The test controls this clock, so that no request becomes older than a receiver accepts.
  const clock = new FakeClock(Date.now())
  const fetchUrl = createGuardedFetch({ egressAllow: ['127.0.0.1'], clock, connectMs: PATIENCE_MS })
  t.teardown(() => Promise.all([receiver.close(), fetchUrl.close()]))
  const secret = makeSecret()
  await world.stores.flowKeys.create(flow.owner, pair)
  await world.stores.flowEndpoints.set(flow.id, { url: receiver.endpoint('/ask', answer), secret })
  const client = await serve(t, world, { askEndpoint: createFlowEndpoints({ fetchUrl, clock }), ...changes })
  // The test may have waited long for its turn, so the clock catches up.
  clock.advance(Date.now() - clock.now())
  const path = `/flows/exchange/${flow.id}`
  const post = (body: unknown, signature?: string | null, to = path) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const header = signature === null ? undefined : (signature ?? askSignature(APP_SECRET, text))
    return client.send('POST', to, {
      body: text,
      headers: header === undefined ? {} : { 'x-hub-signature-256': header },
    })
  }
  return { world, number, flow, receiver, secret, clock, client, path, post }
}

// [flows.data-exchange.7]
test("a phone's request reaches the endpoint decrypted, with the id of the Flow and signed like webhooks, and the answer reaches the phone", async (t) => {
  const { flow, receiver, secret, post } = await open(t, (arrival, response) => {
    const { action, screen } = JSON.parse(arrival.body.toString())
    answerJson({
      screen: action === 'BACK' ? 'FIRST' : screen === 'FIRST' ? 'SECOND' : 'FIRST',
      data: { said: 'olá ☕' },
    })(arrival, response)
  })
  const asks = [
    [INIT, 'FIRST'],
    [{ ...INIT, action: 'data_exchange', screen: 'FIRST', data: { city: 'São Paulo', n: [1, { a: null }] } }, 'SECOND'],
    [{ ...INIT, action: 'BACK', screen: 'SECOND' }, 'FIRST'],
  ] as const
  for (const [asked, screen] of asks) {
    const ask = phoneAsk(pair.publicKey, asked)
    const reply = await post(ask.body)
    t.is(reply.status, 200, reply.text)
    t.regex(reply.headers.get('content-type') ?? '', /^text\/plain/)
    t.deepEqual(ask.read(reply.text), { screen, data: { said: 'olá ☕' } })
    const [arrival] = receiver.arrivals.slice(-1)
    t.deepEqual(arrival && verified(arrival, secret), { ...asked, flowId: flow.id })
  }
  t.is(new Set(receiver.arrivals.map(({ id }) => id)).size, asks.length, 'each has an id of its own')
})

test('numbers keep their digits on both ways, and a phone cannot choose the Flow', async (t) => {
  const { flow, receiver, post } = await open(
    t,
    (_arrival, response) => void response.end('\ufeff{"data": {"n": 9007199254740993}}'),
  )
  const ask = phoneAsk(pair.publicKey, ' {"action":"INIT","n":9007199254740993} ')
  const reply = await post(ask.body)
  t.is(reply.status, 200)
  t.is(receiver.arrivals[0]?.body.toString(), ` {"action":"INIT","n":9007199254740993,"flowId":"${flow.id}"}`)
  t.deepEqual(ask.read(reply.text), { data: { n: 9007199254740992 } })
  await post(phoneAsk(pair.publicKey, { flowId: 'flow_other', action: 'INIT' }).body)
  t.deepEqual(JSON.parse(receiver.arrivals[1]?.body.toString() ?? ''), { flowId: flow.id, action: 'INIT' })
  await post(phoneAsk(pair.publicKey, '{}').body)
  t.is(receiver.arrivals[2]?.body.toString(), `{"flowId":"${flow.id}"}`)
})

// [flows.data-exchange.6]
test('a ping is answered at once, and an error notice reaches the endpoint as all else does', async (t) => {
  const { flow, receiver, post } = await open(t, answerJson({ data: { acknowledged: true } }))
  const ping = phoneAsk(pair.publicKey, { version: '3.0', action: 'ping' })
  t.deepEqual(ping.read((await post(ping.body)).text), { data: { status: 'active' } })
  t.is(receiver.arrivals.length, 0)
  const notice = {
    ...INIT,
    action: 'data_exchange',
    screen: 'FIRST',
    data: { error: 'INVALID_SCREEN_TRANSITION', error_message: 'no such screen' },
  }
  const told = phoneAsk(pair.publicKey, notice)
  t.deepEqual(told.read((await post(told.body)).text), { data: { acknowledged: true } })
  t.deepEqual(JSON.parse(receiver.arrivals[0]?.body.toString() ?? ''), { ...notice, flowId: flow.id })
})

// [flows.data-exchange.6]
test('a signature that does not fit is 432, and so is a Flow that is not there, with the same words', async (t) => {
  const { world, number, flow, receiver, path, post } = await open(t)
  const body = JSON.stringify(phoneAsk(pair.publicKey, INIT).body)
  const good = askSignature(APP_SECRET, body)
  const missing = await post(body, null)
  t.deepEqual([missing.status, missing.body.code], [432, 'FLOW_ASK_UNSIGNED'])
  for (const signature of [
    '',
    'sha256=',
    good.replace('sha256', 'sha1'),
    askSignature('other', body),
    askSignature(APP_SECRET, `${body} `),
    askSignature('', body),
  ]) {
    const reply = await post(body, signature)
    t.deepEqual([reply.status, reply.body], [432, missing.body], signature)
  }
  for (const to of [
    '/flows/exchange/flow_01kb0000000000000000000000',
    '/flows/exchange/x',
    '/flows/exchange/%5C',
    `${path.slice(0, -1)}_`,
  ]) {
    const reply = await post(body, good, to)
    t.deepEqual([reply.status, reply.body], [432, missing.body], to)
  }
  const health = {
    number: number.number,
    qualityRating: null,
    messagingLimitTier: null,
    officialStatus: null,
    perSecond: null,
  }
  await world.stores.official.replaceCredentials(world.tenantId, number.id, { appSecret: null }, health)
  t.is((await post(body, askSignature('', body))).status, 432, flow.id)
  t.is(receiver.arrivals.length, 0)
})

// [flows.data-exchange.6]
test('a request that cannot be decrypted is 421 with the same text, whatever the reason', async (t) => {
  const { receiver, post } = await open(t)
  const { body } = phoneAsk(pair.publicKey, INIT)
  const wrong = [
    { ...body, encrypted_flow_data: tampered(body.encrypted_flow_data, -1) },
    phoneAsk(foreign.publicKey, INIT).body,
    { ...body, encrypted_aes_key: tampered(body.encrypted_aes_key, 5) },
    { ...body, initial_vector: '' },
    phoneAsk(pair.publicKey, [1]).body,
    {},
    'null',
    '',
    '{',
  ]
  const texts = new Set<string>()
  for (const one of wrong) {
    const reply = await post(one)
    t.deepEqual([reply.status, reply.body.code], [421, 'FLOW_ASK_UNREADABLE'], JSON.stringify(one).slice(0, 60))
    texts.add(reply.text)
  }
  t.is(texts.size, 1)
  t.is((await post('x'.repeat(1_000_001))).status, 413)
  t.is(receiver.arrivals.length, 0)
})

// [flows.data-exchange.4]
test('a key that was replaced reads for 24 h, and not after', async (t) => {
  const { world, flow, post } = await open(t)
  world.clock.advance(1_000)
  await world.stores.flowKeys.create(flow.owner, second)
  const statuses = async () => [
    (await post(phoneAsk(pair.publicKey, INIT).body)).status,
    (await post(phoneAsk(second.publicKey, INIT).body)).status,
  ]
  t.deepEqual(await statuses(), [200, 200])
  world.clock.advance(DAY_MS - 1)
  t.deepEqual(await statuses(), [200, 200])
  world.clock.advance(1)
  t.deepEqual(await statuses(), [421, 200])
})

// [flows.data-exchange.8]
test('an endpoint that answers 427 has the phone told so, with what it says', async (t) => {
  const { receiver, post } = await open(t, answerJson({ error_msg: 'The order has been placed' }, 427))
  const said = await post(phoneAsk(pair.publicKey, INIT).body)
  t.deepEqual([said.status, said.text], [427, '{"error_msg":"The order has been placed"}'])
  t.regex(said.headers.get('content-type') ?? '', /^application\/json/)
  receiver.endpoint('/ask', (_arrival, response) => void response.writeHead(427).end('<p>gone</p>'))
  const silent = await post(phoneAsk(pair.publicKey, INIT).body)
  t.deepEqual([silent.status, silent.text], [427, '{}'])
})

const USELESS: Readonly<Record<string, AnswerArrival>> = {
  HTML: (_arrival, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
  nothing: (_arrival, response) => void response.writeHead(200).end(),
  'a list': answerJson([{ screen: 'A' }]),
  'a text': answerJson('A'),
  'a body that is no UTF-8': (_arrival, response) =>
    void response.end(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
  'status 500': answerJson({ screen: 'A' }, 500),
  'status 404': answerJson({ screen: 'A' }, 404),
  'status 421': answerJson({ screen: 'A' }, 421),
  'a redirect to a private address': (_arrival, response) =>
    void response.writeHead(307, { location: 'http://10.0.0.1/' }).end('{}'),
  'a redirect': (arrival, response) =>
    void response.writeHead(308, { location: `http://${String(arrival.headers.host)}/other` }).end('{}'),
  '10 MB': (_arrival, response) => void response.end(JSON.stringify({ screen: 'A', data: 'x'.repeat(10_000_000) })),
  '10 MB of unstated length': (_arrival, response) => {
    response.write('{"data":"')
    response.end(`${'x'.repeat(10_000_000)}"}`)
  },
  'a compressed body': (_arrival, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"screen":"A"}')),
  'half of what it stated': (_arrival, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('{"screen":"A"}')
    setImmediate(() => response.destroy())
  },
  'a closed connection': (_arrival, response) => void response.destroy(),
}

// [flows.data-exchange.8]
for (const [what, answer] of Object.entries(USELESS)) {
  test(`an endpoint that answers with ${what} is 502`, async (t) => {
    const { receiver, post } = await open(t, answer)
    const reply = await post(phoneAsk(pair.publicKey, INIT).body)
    t.deepEqual([reply.status, reply.body.code], [502, 'FLOW_ENDPOINT_FAILED'])
    t.is(receiver.arrivals.length, 1, 'it is asked once')
  })
}

// [flows.data-exchange.7]
test('an endpoint that hangs is given up after 8 s, before it answers and within its answer', async (t) => {
  const { receiver, clock, post } = await open(t, () => {})
  for (const answer of [
    () => {},
    (_arrival, response) => void response.write('{"screen":'),
  ] satisfies AnswerArrival[]) {
    receiver.endpoint('/ask', answer)
    const before = receiver.arrivals.length
    let isOver = false
    const asked = post(phoneAsk(pair.publicKey, INIT).body).finally(() => {
      isOver = true
    })
    await until('the endpoint was asked', () => receiver.arrivals.length > before)
    clock.advance(7_999)
    t.false(isOver)
    clock.advance(1)
    t.is((await asked).status, 502)
  }
})

test('an endpoint at a private address is not asked, and neither is a missing one', async (t) => {
  const { world, flow, receiver, secret, post } = await open(t)
  for (const url of ['http://10.0.0.1/ask', 'http://169.254.169.254/', 'http://[::1]:9/', 'ftp://127.0.0.1/']) {
    await world.stores.flowEndpoints.set(flow.id, { url, secret })
    t.is((await post(phoneAsk(pair.publicKey, INIT).body)).status, 502, url)
  }
  await world.stores.flowEndpoints.clear(flow.id)
  t.is((await post(phoneAsk(pair.publicKey, INIT).body)).status, 502)
  t.is(receiver.arrivals.length, 0)
})

test('asks that prove nothing are counted for their address, good ones are not', async (t) => {
  const { post } = await open(t)
  const body = JSON.stringify(phoneAsk(pair.publicKey, INIT).body)
  t.is((await post(body)).status, 200)
  for (let sent = 0; sent < UNPROVED_POSTS_PER_MINUTE; sent++) t.is((await post('{}', 'sha256=x')).status, 432)
  const limited = await post('{}', 'sha256=x')
  t.is(limited.status, 429)
  t.regex(limited.headers.get('retry-after') ?? '', /^\d+$/)
  t.is((await post('{}')).status, 429, 'what cannot be decrypted neither')
  t.is((await post(body)).status, 200)
})

// [flows.data-exchange.9]
test('nothing that is asked or answered is logged, nor what it is read with', async (t) => {
  const lines: string[] = []
  const write = (...said: unknown[]): void => void lines.push(JSON.stringify(said))
  const log: Log = { debug: write, info: write, warn: write, error: write, child: () => log }
  const { receiver, secret, post } = await open(t, answerJson({ screen: 'A', data: { answer: 'top-secret-answer' } }), {
    log,
  })
  const asked = { ...INIT, data: { question: 'top-secret-question' } }
  t.is((await post(phoneAsk(pair.publicKey, asked).body)).status, 200)
  receiver.endpoint('/ask', (_arrival, response) => void response.writeHead(500).end('top-secret-answer'))
  t.is((await post(phoneAsk(pair.publicKey, asked).body)).status, 502)
  t.is((await post(phoneAsk(foreign.publicKey, asked).body)).status, 421)
  const said = lines.join('\n')
  for (const hidden of ['top-secret', secret, APP_SECRET, 'PRIVATE KEY', pair.privateKey.split('\n')[3] ?? ''])
    t.false(said.includes(hidden), hidden)
  t.false(
    receiver.arrivals.some(({ body, headers }) => `${body.toString()}${JSON.stringify(headers)}`.includes('PRIVATE')),
  )
})
