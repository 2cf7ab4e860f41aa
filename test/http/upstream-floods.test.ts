import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { UNPROVED_POSTS_PER_MINUTE } from '../../src/http/request/posts-of-upstream.ts'
import { createClientAddress } from '../../src/net/client-address.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { signed } from '../helpers/http-memory-official.ts'

const BODY = JSON.stringify({
  object: 'whatsapp_business_account',
  entry: [{ id: '2000', changes: [{ field: 'account_update', value: { event: 'X' } }] }],
})
const [STRANGER, UPSTREAM] = ['203.0.113.9', '203.0.113.10']
const WRONG = `sha256=${'0'.repeat(64)}`

async function open(t: ExecutionContext) {
  const world = new World()
  const { number } = world.addOfficial()
  const client = await serve(t, world, { clientAddress: createClientAddress(['127.0.0.1']) })
  const path = `/webhooks/official/${number.id}`
  const post = (address: string, signature: string, body: string | Buffer = BODY, to = path) =>
    client.send('POST', to, { body, headers: { 'x-forwarded-for': address, 'x-hub-signature-256': signature } })
  /** Announces a body and sends none of it; resolves to the answer. */
  const state = async (address: string, signature: string, bytes: number, to = path) => {
    const sent = request(client.url + to, {
      method: 'POST',
      agent: false,
      headers: {
        'x-forwarded-for': address,
        'x-hub-signature-256': signature,
        'content-type': 'application/json',
        'content-length': bytes,
      },
    })
    sent.on('error', () => {})
    sent.flushHeaders()
    const [{ statusCode, headers }] = (await once(sent, 'response')) as [IncomingMessage]
    sent.destroy()
    return { status: statusCode, retryAfter: headers['retry-after'], connection: headers.connection }
  }
  /** Begins a body and holds the rest back. */
  const hold = async (address: string, bytes: number): Promise<void> => {
    const sent = request(client.url + path, {
      method: 'POST',
      agent: false,
      headers: {
        'x-forwarded-for': address,
        'x-hub-signature-256': WRONG,
        'content-type': 'application/json',
        'content-length': bytes,
        expect: '100-continue',
      },
    })
    sent.on('error', () => {})
    t.teardown(() => sent.destroy())
    sent.flushHeaders()
    await once(sent, 'continue')
  }
  const left = async (address: string) =>
    (await world.nodeLimiter.peek(`notice-unproved:${address}`, UNPROVED_POSTS_PER_MINUTE)).remaining
  const exhaust = async (address: string, to = 0) =>
    world.nodeLimiter.take(`notice-unproved:${address}`, UNPROVED_POSTS_PER_MINUTE, (await left(address)) - to)
  return { world, post, state, hold, left, exhaust }
}

test('an address that posted too much that upstream never signed is refused before its body is read, others are not', async (t) => {
  const { post, state, exhaust } = await open(t)
  t.is((await post(STRANGER, WRONG)).status, 401)
  await exhaust(STRANGER)
  for (const to of ['/webhooks/official/2000', '/webhooks/official/pages/1234']) {
    const refused = await state(STRANGER, WRONG, 9_000_000, to)
    t.like(refused, { status: 429, connection: 'close' }, to)
    t.regex(refused.retryAfter ?? '', /^[1-9]/)
  }
  t.is((await post(UPSTREAM, WRONG)).status, 401)
  t.is((await post(UPSTREAM, signed('app-secret', BODY))).status, 200)
})

test('addresses of one /64 of IPv6 share what they may post', async (t) => {
  const { state, post, exhaust } = await open(t)
  await exhaust('2001:db8:1:2::/64')
  t.is((await state('2001:db8:1:2::77', WRONG, 100)).status, 429)
  t.is((await post('2001:db8:1:3::77', WRONG)).status, 401)
})

test('true posts are never refused for wrong ones of the same address, and count nothing', async (t) => {
  const { world, post, left, exhaust } = await open(t)
  const isTaken = async () => (await post(UPSTREAM, signed('app-secret', BODY))).status === 200
  t.true(await isTaken())
  t.is(await left(UPSTREAM), UNPROVED_POSTS_PER_MINUTE)
  await exhaust(UPSTREAM)
  for (let round = 0; round < 3; round++) {
    t.is((await post(UPSTREAM, WRONG)).status, 429)
    t.true(await isTaken())
  }
  // An address without any valid post so far must wait until its limit allows the next one.
  await exhaust(STRANGER)
  world.clock.advance(60_000 / UNPROVED_POSTS_PER_MINUTE)
  t.is((await post(STRANGER, signed('app-secret', BODY))).status, 200)
})

test('a post whose signature is malformed is refused without reading its body', async (t) => {
  const { state, left } = await open(t)
  for (const [at, signature] of ['', 'sha256=', 'sha256=00', `sha1=${'0'.repeat(64)}`].entries()) {
    t.like(await state(STRANGER, signature, 9_000_000), { status: 401, connection: 'close' }, signature)
    t.is(await left(STRANGER), UNPROVED_POSTS_PER_MINUTE - at - 1)
  }
})

test('a wrong post counts by its size, and takes all that is left where that is less', async (t) => {
  const { post, left, exhaust } = await open(t)
  const large = Buffer.alloc(1_000_000, ' ')
  t.is((await post(STRANGER, WRONG, large)).status, 401)
  t.is(await left(STRANGER), UNPROVED_POSTS_PER_MINUTE - 4)
  await exhaust(STRANGER, 2)
  t.is((await post(STRANGER, WRONG, large)).status, 429)
  t.is(await left(STRANGER), 0)
})

test('large bodies that an address keeps waiting keep out nobody behind the same proxy', async (t) => {
  const { post, hold } = await open(t)
  await Promise.all([hold(STRANGER, 9_900_000), hold(STRANGER, 9_900_000)])
  const large = Buffer.concat([Buffer.from(BODY), Buffer.alloc(400_000, ' ')])
  t.is((await post(UPSTREAM, signed('app-secret', large), large)).status, 200)
})
