import test from 'ava'
import { FAILED_AUTH_PER_MINUTE, REQUESTS_PER_MINUTE } from '../../../src/domain/limits.ts'
import { ANSWER_BYTES, STATIC_REQUESTS_PER_MINUTE } from '../../../src/http/middlewares/rate-limited.ts'
import { OPEN_REQUESTS_PER_MINUTE } from '../../../src/http/request/open-requests.ts'
import { createClientAddress } from '../../../src/net/client-address.ts'
import type { RateLimiter } from '../../../src/ports/rate-limiter.ts'
import { serve } from '../../helpers/http-app.ts'
import { World } from '../../helpers/world.ts'

const BEHIND_PROXY = { clientAddress: createClientAddress(['127.0.0.1']) }

/** Takes everything that a bucket holds. */
async function exhaust(limiter: RateLimiter, bucket: string, perMinute: number): Promise<void> {
  for (let i = 0; i < perMinute; i++) await limiter.take(bucket, perMinute)
}

test('failed authentications are counted by the /64 of an IPv6 address, which gives a subscriber no more tries than an IPv4 address (security case 12)', async (t) => {
  const world = new World()
  const client = await serve(t, world, BEHIND_PROXY)
  const from = (address: string) =>
    client.send('GET', '/v1/status', {
      key: world.numberKey.raw.replace(/.$/, '~'),
      headers: { 'x-forwarded-for': address },
    })
  const statuses: number[] = []
  for (let i = 0; i < FAILED_AUTH_PER_MINUTE + 1; i++)
    statuses.push((await from(`2001:db8:1:2::${i.toString(16)}`)).status)
  t.deepEqual(statuses, [...Array<number>(FAILED_AUTH_PER_MINUTE).fill(401), 429])
  t.is((await from('2001:db8:1:3::1')).status, 401)
})

test('routes without a key are limited by address, files separately, and other addresses are not affected', async (t) => {
  const world = new World()
  const client = await serve(t, world, BEHIND_PROXY)
  const from = (path: string, address: string) => client.send('GET', path, { headers: { 'x-forwarded-for': address } })
  await exhaust(world.nodeLimiter, 'open:203.0.113.9', OPEN_REQUESTS_PER_MINUTE)
  const refused = await from('/health/live', '203.0.113.9')
  t.is(refused.status, 429)
  t.truthy(refused.headers.get('retry-after'))
  t.is((await from('/', '203.0.113.9')).status, 200)
  await exhaust(world.nodeLimiter, 'static:203.0.113.9', STATIC_REQUESTS_PER_MINUTE)
  for (const path of ['/', '/openapi.json', '/docs', '/docs/reference.js', '/embed.js', '/assets/a.js'])
    t.is((await from(path, '203.0.113.9')).status, 429, path)
  t.is((await from('/health/live', '203.0.113.10')).status, 200)
  t.is(
    (
      await client.send('GET', '/v1/status', {
        key: world.numberKey.raw,
        headers: { 'x-forwarded-for': '203.0.113.9' },
      })
    ).status,
    200,
  )
})

test('requests that are refused before authentication count for the address, like open routes, and requests of a key do not', async (t) => {
  const world = new World()
  const client = await serve(t, world, BEHIND_PROXY)
  const from = (method: string, path: string, headers: Record<string, string> = {}) =>
    client.send(method, path, { headers: { 'x-forwarded-for': '203.0.113.9', ...headers } })
  const left = async () => (await world.nodeLimiter.peek('open:203.0.113.9', OPEN_REQUESTS_PER_MINUTE)).remaining
  const STRANGE = [
    ['GET', '/nowhere', 404],
    ['DELETE', '/v1/status', 405],
    ['GET', '/v1/status', 401],
    ['POST', '/mcp', 401],
    ['GET', '/api/session', 401],
    ['GET', '/%00', 400],
  ] as const
  for (const [at, [method, path, status]] of STRANGE.entries()) {
    t.is((await from(method, path)).status, status, path)
    t.is(await left(), OPEN_REQUESTS_PER_MINUTE - at - 1, path)
  }
  const key = { 'x-api-key': world.numberKey.raw }
  t.is((await from('GET', '/v1/status', key)).status, 200)
  t.is((await from('GET', '/v1/messages/msg_nobody', key)).status, 404)
  t.is((await from('GET', '/v1/status', { 'x-api-key': `${world.numberKey.raw}x` })).status, 401)
  t.is(await left(), OPEN_REQUESTS_PER_MINUTE - STRANGE.length, 'a failed proof has a count of its own')
  await exhaust(world.nodeLimiter, 'open:203.0.113.9', OPEN_REQUESTS_PER_MINUTE)
  for (const [method, path] of STRANGE) {
    const refused = await from(method, path)
    t.deepEqual([refused.status, refused.headers.has('retry-after')], [429, true], path)
  }
  t.is((await from('GET', '/v1/status', key)).status, 200)
  t.is((await client.send('GET', '/nowhere', { headers: { 'x-forwarded-for': '203.0.113.10' } })).status, 404)
})

test('numbers that are sent in pieces count as the requests that all of them are worth, before the second piece is read', async (t) => {
  const world = new World()
  world.keys.requestsPerMinute = 12
  const { raw: key } = world.keys.issue(world.tenantId, null)
  for (let i = 0; i < 2_000; i++) world.addNumber(world.tenantId, `55119${String(i).padStart(8, '0')}`)
  let read = 0
  const { numbers } = world
  const listSome = numbers.listSome.bind(numbers)
  numbers.listSome = (tenantId, ids, range) => {
    if (range.limit < Infinity) read++
    return listSome(tenantId, ids, range)
  }
  const client = await serve(t, world)
  const first = await client.send('GET', '/v1/numbers', { key })
  t.is(first.body.length, 2_001)
  const worth = 1 + Math.floor(Buffer.byteLength(first.text) / ANSWER_BYTES)
  t.true(worth > 3 && worth < 10, `${worth}`)
  t.is(first.headers.get('ratelimit-remaining'), String(12 - worth))
  t.is(read, 6)
  while (Number((await client.send('GET', '/v1/subscription', { key })).headers.get('ratelimit-remaining')) > 2);
  const refused = await client.send('GET', '/v1/numbers', { key })
  t.deepEqual(
    [refused.status, refused.body],
    [429, { error: 'Rate limit exceeded: each 256 KB of an answer count as a request' }],
  )
  t.truthy(refused.headers.get('retry-after'))
  t.is(read, 7, 'nothing was read for an answer that is not sent')
  t.is((await client.send('GET', '/v1/numbers?pageSize=10', { key })).status, 200)
})

test("a list that costs more than a minute's requests is served once a minute to a caller that asks for nothing else", async (t) => {
  const world = new World()
  world.keys.requestsPerMinute = 3
  const { raw: key } = world.keys.issue(world.tenantId, null)
  for (let i = 0; i < 2_000; i++) world.addNumber(world.tenantId, `55119${String(i).padStart(8, '0')}`)
  const client = await serve(t, world)
  const list = () => client.send('GET', '/v1/numbers', { key })
  const first = await list()
  t.deepEqual([first.status, first.headers.get('ratelimit-remaining')], [200, '0'])
  const statuses: number[] = []
  for (let asked = 0; asked < 3; asked++) {
    const again = await list()
    statuses.push(again.status)
    world.clock.advance(Number(again.headers.get('retry-after')) * 1_000)
  }
  t.deepEqual(statuses, [429, 429, 200], 'who waits as told is answered')
})

test('a tenant of thousands of numbers lists them all now and then', async (t) => {
  const world = new World()
  world.keys.requestsPerMinute = REQUESTS_PER_MINUTE
  const { raw: key } = world.keys.issue(world.tenantId, null)
  for (let i = 0; i < 5_000; i++) world.addNumber(world.tenantId, `55119${String(i).padStart(8, '0')}`)
  const client = await serve(t, world)
  for (let round = 0; round < 5; round++) t.is((await client.send('GET', '/v1/numbers', { key })).status, 200)
})

test('a long list counts as the requests that its size is worth, and is not sent where those are not left', async (t) => {
  const world = new World()
  world.keys.requestsPerMinute = 8
  const { raw: key } = world.keys.issue(world.tenantId, null)
  for (let i = 0; i < 1_500; i++) world.addNumber(world.tenantId, `55119${String(i).padStart(8, '0')}`)
  const client = await serve(t, world)
  const first = await client.send('GET', '/v1/api-keys', { key })
  t.is(first.status, 200)
  const worth = 1 + Math.floor(Buffer.byteLength(first.text) / ANSWER_BYTES)
  t.true(worth > 1 && worth < 7)
  t.is(first.headers.get('ratelimit-remaining'), String(8 - worth))
  while ((await client.send('GET', '/v1/subscription', { key })).headers.get('ratelimit-remaining') !== '1');
  const refused = await client.send('GET', '/v1/api-keys', { key })
  t.is(refused.status, 429)
  t.deepEqual(refused.body, { error: 'Rate limit exceeded: each 256 KB of an answer count as a request' })
  t.truthy(refused.headers.get('retry-after'))
})

test('an unpacked file costs more requests than a packed one, and its refusal is not cached', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  await world.nodeLimiter.take('static:127.0.0.1', STATIC_REQUESTS_PER_MINUTE, STATIC_REQUESTS_PER_MINUTE - 60)
  const script = (encoding: string) =>
    client.send('GET', '/docs/reference.js', { headers: { 'accept-encoding': encoding } })
  const refused = await script('identity')
  t.is(refused.status, 429)
  t.deepEqual(
    ['etag', 'content-encoding', 'cache-control'].map((name) => refused.headers.get(name)),
    [null, null, 'no-store'],
  )
  t.is((await script('br')).status, 200)
})
