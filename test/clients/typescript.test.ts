import test from 'ava'
import { ChannelError } from '../../clients/typescript/src/error.ts'
import { senderOf, type ClientOptions } from '../../clients/typescript/src/request.ts'
import { Resources } from '../../clients/typescript/src/resources.gen.ts'
import { isServiceEvent, verifyWebhook } from '../../clients/typescript/src/webhook.ts'
import { makeSecret } from '../../src/domain/webhook-secret.ts'
import { newId } from '../../src/domain/ids.ts'
import { sign } from '../../src/webhooks/sign.ts'

interface Asked {
  readonly url: string
  readonly init: RequestInit & { readonly headers: Record<string, string> }
}

const OK = () => Response.json({ id: 'call_1' })
const AWAY = () =>
  Response.json({ error: 'away', code: 'UNAVAILABLE' }, { status: 503, headers: { 'retry-after': '0' } })

/** A client whose requests are answered by this script, one after the other. */
function scripted(answers: readonly (() => Response)[], options: Partial<ClientOptions> = {}) {
  const asked: Asked[] = []
  const fetch = async (url: unknown, init: unknown): Promise<Response> => {
    asked.push({ url: String(url), init: init as Asked['init'] })
    const answer = answers[asked.length - 1]
    if (!answer) throw new Error('asked too often')
    return answer()
  }
  const client = new Resources(senderOf({ baseUrl: 'https://a.example/', apiKey: 'cms_1', ...options, fetch }))
  return { client, asked }
}

const cut = (): Response => {
  throw new TypeError('the connection was lost')
}

test('a request carries key, number, body and query as the route wants them', async (t) => {
  const { client, asked } = scripted([OK, OK], { channelNumberId: 'num_1' })
  await client.calls.create({ to: '+5511999990001' }, { idempotencyKey: 'order-1', requestId: 'r-1' })
  await client.calls.get('a/b', { includeSdp: '1' })
  const [create, get] = asked.map(({ url, init }) => ({ url, method: init.method, ...init.headers }))
  t.like(create, {
    url: 'https://a.example/v1/calls',
    method: 'POST',
    'x-api-key': 'cms_1',
    'x-channel-number-id': 'num_1',
    'idempotency-key': 'order-1',
    'x-request-id': 'r-1',
    'content-type': 'application/json',
  })
  t.is(asked[0]?.init.body, '{"to":"+5511999990001"}')
  t.like(get, { url: 'https://a.example/v1/calls/a%2Fb?includeSdp=1', method: 'GET' })
  t.false('idempotency-key' in (asked[1]?.init.headers ?? {}))
})

// [clients.made.10]
test('429 and 503 are asked again with the same Idempotency-Key, and then are an error', async (t) => {
  const { client, asked } = scripted([AWAY, AWAY, OK])
  t.like(await client.calls.create({ to: '1' }), { id: 'call_1' })
  t.is(new Set(asked.map(({ init }) => init.headers['idempotency-key'])).size, 1)
  t.regex(asked[0]?.init.headers['idempotency-key'] ?? '', /^[0-9a-f-]{36}$/)
  const away = scripted([AWAY, AWAY], { maxRetries: 1 })
  const error = await t.throwsAsync(away.client.calls.list(), { instanceOf: ChannelError })
  t.like(error, { status: 503, code: 'UNAVAILABLE', retryAfter: 0, message: 'away' })
})

test('a refusal that another try would not change is an error at once', async (t) => {
  const headers = { 'x-request-id': 'r-7' }
  const body = { error: 'no', code: 'VALIDATION', details: [{ path: 'to', message: 'is missing' }] }
  const { client, asked } = scripted([() => Response.json(body, { status: 400, headers })])
  const error = await t.throwsAsync(client.calls.create({ to: '' }), { instanceOf: ChannelError })
  t.like(error, { status: 400, code: 'VALIDATION', requestId: 'r-7', details: body.details, retryAfter: null })
  t.is(asked.length, 1)
  const html = scripted([() => new Response('<p>', { status: 502 })])
  t.like(await t.throwsAsync(html.client.calls.list()), { status: 502, code: null, body: '<p>', message: 'HTTP 502' })
})

test('a longer wait than a minute is left to the caller', async (t) => {
  const later = () => Response.json({}, { status: 429, headers: { 'retry-after': '61' } })
  const { client, asked } = scripted([later])
  t.like(await t.throwsAsync(client.calls.list()), { status: 429, retryAfter: 61 })
  t.is(asked.length, 1)
})

// [clients.made.10]
test('a lost connection is tried again only where that does no harm', async (t) => {
  const read = scripted([cut, OK])
  await read.client.calls.get('call_1')
  t.is(read.asked.length, 2)
  const rejected = scripted([cut])
  await t.throwsAsync(rejected.client.calls.reject('call_1'), { message: 'the connection was lost' })
  t.is(rejected.asked.length, 1)
})

test('a request that is given up while it waits is over', async (t) => {
  const stop = new AbortController()
  const { client } = scripted([
    () => {
      stop.abort(new Error('given up'))
      return Response.json({}, { status: 503, headers: { 'retry-after': '60' } })
    },
  ])
  await t.throwsAsync(client.calls.list(undefined, { signal: stop.signal }), { message: 'given up' })
})

test('a file is handed over as it comes', async (t) => {
  const { client } = scripted([() => new Response('OggS', { headers: { 'content-type': 'audio/ogg' } })])
  t.is(await (await client.calls.downloadRecording('call_1')).text(), 'OggS')
})

// [webhooks.delivery.2]
test('a delivery that the service signed is verified, with the old secret and the new one', async (t) => {
  const [secret, old] = [makeSecret(), makeSecret()]
  const event = { id: newId('evt'), event: 'number.removed', channelNumberId: 'num_1', timestamp: '', data: {} }
  const body = Buffer.from(JSON.stringify(event))
  const nowMs = 1_767_614_400_000
  const headers = (timestamp: number, secrets: readonly string[]) => ({
    'webhook-id': event.id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': sign(secrets, { id: event.id, timestamp, body }),
  })
  const now = nowMs / 1_000
  const verified = await verifyWebhook({ body, headers: headers(now, [old, secret]) }, secret, nowMs)
  t.deepEqual(verified as object, event)
  t.true(isServiceEvent(verified))
  t.false(isServiceEvent({ object: 'whatsapp_business_account', entry: [{ id: '1', changes: [] as never }] }))
  const asText = { body: body.toString(), headers: new Headers(headers(now - 300, [secret])) }
  t.deepEqual((await verifyWebhook(asText, secret, nowMs)) as object, event)
  const wrong = { name: 'WebhookVerificationError' }
  await t.throwsAsync(verifyWebhook({ body, headers: headers(now, [old]) }, secret, nowMs), wrong)
  await t.throwsAsync(verifyWebhook({ body, headers: headers(now - 301, [secret]) }, secret, nowMs), wrong)
  await t.throwsAsync(verifyWebhook({ body, headers: headers(now + 301, [secret]) }, secret, nowMs), wrong)
  await t.throwsAsync(verifyWebhook({ body, headers: {} }, secret, nowMs), wrong)
  const other = { body: Buffer.from('{}'), headers: headers(now, [secret]) }
  await t.throwsAsync(verifyWebhook(other, secret, nowMs), wrong)
  const garbled = { body, headers: { ...headers(now, [secret]), 'webhook-signature': 'v1,%%% v2,x' } }
  await t.throwsAsync(verifyWebhook(garbled, secret, nowMs), wrong)
})
