import test from 'ava'
import type { ExecutionContext } from 'ava'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { newId } from '../../src/domain/ids.ts'
import { BODY_DAYS } from '../../src/domain/limits.ts'
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts'
import type { GuardedFetchOptions } from '../../src/net/guarded-fetch.ts'
import type { DeliveryTarget } from '../../src/ports/stores/delivery-store.ts'
import { systemClock } from '../../src/process/clock.ts'
import { FAILING_MS, deliver } from '../../src/webhooks/deliver.ts'
import { makeEnvelope } from '../../src/webhooks/envelope.ts'
import { CONNECTIONS_PER_ORIGIN } from '../../src/webhooks/limits.ts'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import { silentLog } from '../helpers/silent.ts'
import { PATIENCE_MS, until } from '../helpers/until.ts'

process.env['http_proxy'] = process.env['HTTP_PROXY'] = 'http://127.0.0.1:9'

interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A receiver on a free port that records the whole request before it answers. */
async function receiver(
  t: ExecutionContext<unknown>,
  answer: RequestListener,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createServer({ keepAliveTimeout: PATIENCE_MS }, (request, response) => {
    const parts: Buffer[] = []
    request
      .on('data', (part: Buffer) => void parts.push(part))
      .on('end', () => {
        received.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) })
        answer(request, response)
      })
    response.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=1`, received }
}

function targetOf(url: string, more: Partial<DeliveryTarget> = {}): DeliveryTarget {
  return {
    webhookId: newId('wh'),
    tenantId: newId('ten'),
    numberId: newId('num'),
    url,
    secrets: [makeSecret()],
    failingSince: null,
    piiMode: 'STORE_INDEFINITE',
    ...more,
  }
}

interface Options extends Partial<GuardedFetchOptions> {
  readonly target?: Partial<DeliveryTarget>
  readonly attempt?: number
  readonly totalMs?: number
  readonly signal?: AbortSignal
  readonly createdAt?: Date
}

async function send(
  t: ExecutionContext<unknown>,
  url: string,
  { target: more = {}, attempt = 1, totalMs = 15_000, signal, createdAt = new Date(), ...net }: Options = {},
) {
  const fetchUrl = createGuardedFetch({
    egressAllow: ['127.0.0.0/8'],
    clock: systemClock,
    connectMs: PATIENCE_MS,
    ...net,
  })
  t.teardown(() => fetchUrl.close())
  const target = targetOf(url, more)
  const event = {
    id: newId('evt'),
    event: 'call.ended' as const,
    numberId: target.numberId,
    createdAt,
    data: { peer: 'olá 🙂' },
  }
  const envelope = makeEnvelope(event)
  const done = await deliver(
    { fetchUrl, clock: systemClock, log: silentLog, totalMs },
    { event, envelope, target, attempt, signal: signal ?? new AbortController().signal },
  )
  return { ...done, event, envelope, target }
}

const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)

// [webhooks.delivery.1] [webhooks.delivery.2] [webhooks.delivery.3] [webhooks.delivery.4] [webhooks.delivery.5]
// [webhooks.logs.3]
test('a delivery arrives whole, with its headers, and any of its secrets verifies it', async (t) => {
  const { url, received } = await receiver(t, answering(200, {}, 'thanks'))
  const secrets = [makeSecret(), makeSecret()]
  const { event, envelope, target, log, outcome, disable } = await send(t, url, { target: { secrets }, attempt: 3 })
  const [request] = received
  if (!request) return t.fail('nothing came')
  t.deepEqual(request.body, envelope.bytes)
  t.is(request.url, '/hook?a=1')
  t.like(request.headers, {
    'content-type': 'application/json',
    'webhook-id': event.id,
    'x-channel-event': 'call.ended',
    'x-channel-number-id': target.numberId,
    'x-webhook-attempt': '3',
    'user-agent': 'channel-messaging-service/1.0',
  })
  for (const secret of secrets)
    t.deepEqual(
      new Webhook(secret).verify(request.body, request.headers as Record<string, string>),
      JSON.parse(envelope.text),
    )
  t.throws(() => new Webhook(makeSecret()).verify(request.body, request.headers as Record<string, string>))
  t.like(log, {
    webhookId: target.webhookId,
    eventId: event.id,
    event: 'call.ended',
    attempt: 3,
    status: 'SUCCESS',
    statusCode: 200,
    payload: envelope.text,
    response: 'thanks',
  })
  t.true(Number.isInteger(log.durationMs) && log.durationMs >= 0)
  t.is(outcome.retryAfterMs, null)
  t.is(disable, null)
})

// [webhooks.retries.2]
for (const status of [200, 201, 204, 299]) {
  test(`${status} is a success`, async (t) => {
    t.like((await send(t, (await receiver(t, answering(status))).url)).log, { status: 'SUCCESS', statusCode: status })
  })
}

// [webhooks.retries.2]
for (const status of [300, 400, 401, 404, 422, 500, 502]) {
  test(`${status} is a failure that keeps what the receiver said`, async (t) => {
    const { url } = await receiver(t, answering(status, {}, 'why'))
    t.like(await send(t, url), { log: { status: 'FAILED', statusCode: status, response: 'why' }, disable: null })
  })
}

// [webhooks.delivery.7]
test('a redirect to a private address is a failed answer and never followed', async (t) => {
  const inner = await receiver(t, answering(200))
  const { url } = await receiver(t, answering(307, { location: inner.url }))
  t.like((await send(t, url)).log, { status: 'FAILED', statusCode: 307 })
  const outside = await receiver(t, answering(302, { location: 'http://169.254.169.254/latest/meta-data/' }))
  t.like((await send(t, outside.url)).log, { status: 'FAILED', statusCode: 302 })
  t.is(inner.received.length, 0)
})

// [webhooks.retries.4]
test('410 switches the webhook off at once', async (t) => {
  t.like(await send(t, (await receiver(t, answering(410))).url), {
    log: { status: 'FAILED', statusCode: 410 },
    disable: 'GONE',
  })
})

// [webhooks.retries.5]
test('a failure after five days of nothing but failures switches the webhook off; a success or a shorter time does not', async (t) => {
  const failingSince = new Date(Date.now() - FAILING_MS)
  const broken = await receiver(t, answering(500))
  t.is((await send(t, broken.url, { target: { failingSince } })).disable, 'FAILING')
  t.is(
    (await send(t, broken.url, { target: { failingSince: new Date(failingSince.getTime() + 60_000) } })).disable,
    null,
  )
  t.is((await send(t, (await receiver(t, answering(200))).url, { target: { failingSince } })).disable, null)
})

const RETRY_AFTER: [string, (ms: number | null) => boolean][] = [
  ['7', (ms) => ms === 7_000],
  [new Date(Date.now() + 3_600_000).toUTCString(), (ms) => ms !== null && ms > 3_500_000 && ms <= 3_600_000],
  ['-7', (ms) => ms === null],
  ['99999999999999', (ms) => ms !== null && ms > 1e15],
]
for (const [value, isRight] of RETRY_AFTER) {
  test(`429 with Retry-After ${/^\w{3},/.test(value) ? 'as a date' : value} is understood`, async (t) => {
    const { outcome } = await send(t, (await receiver(t, answering(429, { 'retry-after': value }))).url)
    t.is(outcome.statusCode, 429)
    t.true(isRight(outcome.retryAfterMs))
  })
}

test('a receiver that never answers fails in time, without a status', async (t) => {
  const { outcome, log } = await send(t, (await receiver(t, () => {})).url, { totalMs: 100 })
  t.like(outcome, { status: 'FAILED', statusCode: 0, isTimeout: true })
  t.not(log.response, '')
})

test('headers that trickle in do not hold a delivery longer than its time', async (t) => {
  const { url } = await receiver(t, (request) => void request.socket.write('HTTP/1.1 200 OK\r\nx-slow: '))
  t.like((await send(t, url, { totalMs: 100 })).outcome, { status: 'FAILED', statusCode: 0, isTimeout: true })
})

test('a 2xx whose body stalls is a failure: nobody knows what became of the event', async (t) => {
  const { url } = await receiver(t, (_, response) => void response.writeHead(200).write('wait'))
  let { outcome } = await send(t, url, { totalMs: 2_000 })
  // A busy machine may not even have begun the answer by then, so this tries again with more time.
  for (let totalMs = 4_000; 'statusCode' in outcome && outcome.statusCode === 0 && totalMs <= PATIENCE_MS; totalMs *= 2)
    ({ outcome } = await send(t, url, { totalMs }))
  t.like(outcome, { status: 'FAILED', statusCode: 200, isTimeout: true })
})

test('a 2xx that is reset in the middle of its body is a failure', async (t) => {
  const { url } = await receiver(t, (request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => request.socket.resetAndDestroy())
  })
  t.like((await send(t, url)).outcome, { status: 'FAILED', statusCode: 200, isTimeout: false, isReceiverText: false })
})

test('a connection that is cut before an answer is a failure', async (t) => {
  const { url } = await receiver(t, (request) => request.socket.destroy())
  t.like((await send(t, url)).outcome, { status: 'FAILED', statusCode: 0, isTimeout: false })
})

// [webhooks.delivery.8]
test('the first 16 KB of an endless body are kept, and the rest is not waited for', async (t) => {
  let sentBytes = 0
  const { url } = await receiver(t, (_, response) => {
    response.writeHead(200, { 'content-length': '1000000000' })
    const part = Buffer.alloc(16_000, 'é')
    const more = () => {
      for (let isOpen = true; isOpen && !response.destroyed;) {
        sentBytes += part.length
        isOpen = response.write(part)
      }
    }
    response.on('drain', more)
    more()
  })
  const { outcome, log } = await send(t, url)
  t.like(outcome, { status: 'SUCCESS', statusCode: 200 })
  t.is(Buffer.byteLength(log.response), 16_384)
  t.false(log.response.includes('�'))
  t.true(sentBytes < 100_000_000)
})

test('a compressed answer is described, never unpacked', async (t) => {
  const { url } = await receiver(t, (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000)))
  })
  const { log } = await send(t, url)
  t.is(log.status, 'SUCCESS')
  t.regex(log.response, /^\(\d+ bytes, compressed\)$/)
})

// [webhooks.object.4]
test('a name that leads to a public address when stored and to a private one when used gets nothing', async (t) => {
  const { url, received } = await receiver(t, answering(200))
  const port = new URL(url).port
  const answers = ['93.184.215.14', '127.0.0.1']
  const resolve = async () => [{ address: answers.shift() ?? '127.0.0.1', family: 4 }]
  const fetchUrl = createGuardedFetch({ egressAllow: [], clock: systemClock, resolve })
  t.teardown(() => fetchUrl.close())
  const rebound = `http://rebind.example:${port}/`
  t.is(await fetchUrl.check(rebound), null)
  const target = targetOf(rebound)
  const event = {
    id: newId('evt'),
    event: 'call.ended' as const,
    numberId: target.numberId,
    createdAt: new Date(),
    data: {},
  }
  const { log } = await deliver(
    { fetchUrl, clock: systemClock, log: silentLog, totalMs: 15_000 },
    {
      event,
      envelope: makeEnvelope(event),
      target,
      attempt: 1,
      signal: new AbortController().signal,
    },
  )
  t.like(log, {
    status: 'FAILED',
    statusCode: 0,
    response: 'The name of the host leads to an address that is not public.',
  })
  t.is(received.length, 0)
})

// [webhooks.object.4]
test('an address that is not public fails without a connection', async (t) => {
  const { url, received } = await receiver(t, answering(200))
  t.like((await send(t, url, { egressAllow: [] })).log, { status: 'FAILED', statusCode: 0 })
  t.is(received.length, 0)
})

test('a number in relay mode leaves neither payload nor answer in the log', async (t) => {
  const target = { piiMode: 'RELAY_ONLY' as const }
  t.like((await send(t, (await receiver(t, answering(200, {}, 'secret'))).url, { target })).log, {
    status: 'SUCCESS',
    statusCode: 200,
    payload: '',
    response: '',
  })
  t.like((await send(t, (await receiver(t, answering(500, {}, 'secret'))).url, { target })).log, {
    status: 'FAILED',
    statusCode: 500,
    payload: '',
    response: '',
  })
  const silent = (await send(t, (await receiver(t, () => {})).url, { target, totalMs: 100 })).log
  t.is(silent.payload, '')
  t.regex(silent.response, /too long/)
})

test('the body of a try is not stored again with its log, unless the event may be gone before the log', async (t) => {
  const { url } = await receiver(t, answering(200))
  const { log, stored } = await send(t, url)
  t.deepEqual(stored, { ...log, payload: null })
  const old = await send(t, url, { createdAt: new Date(Date.now() - BODY_DAYS * 86_400_000) })
  t.is(old.stored.payload, old.envelope.text)
  t.is((await send(t, url, { target: { piiMode: 'RELAY_ONLY' } })).stored.payload, '')
})

test('a try that is given up says so and nothing about the receiver', async (t) => {
  const abort = new AbortController()
  const { url } = await receiver(t, () => abort.abort())
  t.like((await send(t, url, { signal: abort.signal })).outcome, {
    status: 'FAILED',
    isAborted: true,
    isTimeout: false,
  })
})

test('endpoints of many tenants on one host do not wait for each other', async (t) => {
  const held: (() => void)[] = []
  const { url, received } = await receiver(t, (_, response) => void held.push(() => response.end()))
  const fetchUrl = createGuardedFetch({
    egressAllow: ['127.0.0.0/8'],
    clock: systemClock,
    connectMs: PATIENCE_MS,
    connectionsPerOrigin: CONNECTIONS_PER_ORIGIN,
  })
  t.teardown(() => fetchUrl.close())
  const requests = Array.from({ length: 40 }, () =>
    fetchUrl.request({ url, method: 'POST', body: '{}', maxBytes: 100, totalMs: 20_000 }),
  )
  await until('all came although none was answered', () => received.length === 40)
  for (const answer of held) answer()
  t.true((await Promise.all(requests)).every(({ ok }) => ok))
})
