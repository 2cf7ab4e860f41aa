import test from 'ava'
import type { ExecutionContext } from 'ava'
import * as fc from 'fast-check'
import { succeed } from '../../src/domain/errors.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { signed } from '../helpers/http-memory-official.ts'

const SECRET = 'app-secret'

function envelope(changes: readonly { field: string; value: unknown }[], accountId = '2000'): string {
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: accountId, changes }] })
}

const ringing = (id: string) => ({
  field: 'calls',
  value: { metadata: { phone_number_id: '1000' }, statuses: [{ id, type: 'call', status: 'RINGING', timestamp: '1' }] },
})

async function open(t: ExecutionContext) {
  const world = new World()
  const { number } = world.addOfficial()
  const client = await serve(t, world)
  const path = `/webhooks/official/${number.id}`
  const post = (
    body: string | Buffer,
    headers: Record<string, string> = { 'x-hub-signature-256': signed(SECRET, body) },
    to = path,
  ) => client.send('POST', to, { body, headers })
  return { world, number, client, path, post }
}

// [rest.errors.21]
test('the challenge is answered as plain text, to the verify token alone', async (t) => {
  const { client, path } = await open(t)
  const ask = (to: string, query: Record<string, string>) => client.send('GET', `${to}?${new URLSearchParams(query)}`)
  const fitting = { 'hub.mode': 'subscribe', 'hub.verify_token': 'verify-me', 'hub.challenge': '<b>115&' }
  for (const to of [path, '/webhooks/official/2000']) {
    const reply = await ask(to, fitting)
    t.deepEqual([reply.status, reply.text], [200, '<b>115&'])
    t.regex(reply.headers.get('content-type') ?? '', /^text\/plain/)
    t.is(reply.headers.get('x-content-type-options'), 'nosniff')
  }
  const wrong = [
    { ...fitting, 'hub.verify_token': 'verify-you' },
    { ...fitting, 'hub.mode': 'unsubscribe' },
    { 'hub.mode': 'subscribe' },
    { 'hub.mode': 'subscribe', 'hub.verify_token': '' },
    {},
  ]
  for (const query of wrong) {
    const { status, body } = await ask(path, query)
    t.deepEqual([status, Object.keys(body)], [403, ['error']])
  }
  for (const to of ['/webhooks/official/num_01kb0000000000000000000000', '/webhooks/official/9999'])
    t.is((await ask(to, fitting)).status, 403)
})

test('a signed post is stored whole, its number is woken, and the answer says how much was new', async (t) => {
  const { world, number, post } = await open(t)
  const body = envelope([ringing('wacid.1'), ringing('wacid.2'), { field: 'account_update', value: { event: 'X' } }])
  t.like(await post(body), { status: 200, body: { stored: 3 } })
  t.deepEqual(
    world.official.inbound.accepted.map(({ field, phoneId }) => [field, phoneId]),
    [
      ['calls', '1000'],
      ['calls', '1000'],
      ['account_update', null],
    ],
  )
  t.deepEqual(world.directory.received, [number.id])
  t.like(await post(body), { status: 200, body: { stored: 0 } })
  t.deepEqual(world.directory.received, [number.id], 'a repetition wakes nobody')
  t.like(await post(envelope([ringing('wacid.3')]), undefined, '/webhooks/official/2000'), {
    status: 200,
    body: { stored: 1 },
  })
})

test('a post whose signature does not fit is 401 and stores nothing', async (t) => {
  const { world, number, path, post, client } = await open(t)
  const body = envelope([ringing('wacid.1')])
  const unfit: Record<string, string>[] = [
    {},
    { 'x-hub-signature-256': '' },
    { 'x-hub-signature-256': 'sha256=' },
    { 'x-hub-signature-256': signed('other', body) },
    { 'x-hub-signature-256': signed(SECRET, `${body} `) },
    { 'x-hub-signature-256': signed(SECRET, body).replace('sha256', 'sha1') },
    { 'x-hub-signature': signed(SECRET, body) },
  ]
  for (const headers of unfit) t.is((await post(body, headers)).status, 401, JSON.stringify(headers))
  for (const to of ['/webhooks/official/9999', `/webhooks/official/${world.number.id}`])
    t.is((await post(body, undefined, to)).status, 401)
  const secrets = world.official.store.secrets.get(number.id)
  if (secrets)
    world.official.store.secrets.set(number.id, {
      ...secrets,
      credentials: { ...secrets.credentials, appSecret: null },
    })
  const fresh = await serve(t, world)
  t.is(
    (await fresh.send('POST', path, { body, headers: { 'x-hub-signature-256': signed('', body) } })).status,
    401,
    'a number without an app secret takes nothing',
  )
  t.deepEqual([world.official.inbound.accepted, world.directory.received], [[], []])
  t.is((await client.send('PUT', path, {})).status, 405)
})

test('a new app secret verifies at once, on every node, and the old one does not any more', async (t) => {
  const { world, number, client, post, path } = await open(t)
  const body = (id: string) => envelope([ringing(id)])
  const status = async (secret: string, id: string, to = path) =>
    (await post(body(id), { 'x-hub-signature-256': signed(secret, body(id)) }, to)).status
  t.deepEqual([await status(SECRET, 'A'), await status(SECRET, 'B', '/webhooks/official/2000')], [200, 200])
  world.directory.script = { Reopen: () => succeed(null) }
  world.official.upstream.script = {
    'health.read': () =>
      succeed({
        number: number.number,
        qualityRating: null,
        messagingLimitTier: null,
        officialStatus: null,
        perSecond: null,
      }),
  }
  t.is(
    (
      await client.send('PATCH', `/v1/numbers/${number.id}`, {
        key: world.tenantKey.raw,
        body: { officialAppSecret: 'new-secret' },
      })
    ).status,
    200,
  )
  t.deepEqual(
    [
      await status('new-secret', 'C'),
      await status('new-secret', 'D', '/webhooks/official/2000'),
      await status(SECRET, 'E'),
    ],
    [200, 200, 401],
  )

  const secrets = world.official.store.secrets.get(number.id)
  if (!secrets) return t.fail()
  world.official.store.secrets.set(number.id, {
    ...secrets,
    credentials: { ...secrets.credentials, appSecret: 'newer' },
  })
  t.is(await status('newer', 'F'), 401, 'remembered for a moment')
  await world.broadcast.publish('official.secret', number.id)
  return t.is(await status('newer', 'F'), 200)
})

test('a signed post without changes is 200, whatever it contains', async (t) => {
  const { world, post } = await open(t)
  for (const body of [
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{"entry":5}',
    '{"entry":[1,null,{}]}',
    '{"object":"x","entry":[{"changes":[7]}]}',
    Buffer.from([0xff, 0xfe, 0x00]),
  ]) {
    t.like(await post(body), { status: 200, body: { stored: 0 } }, String(body))
  }
  t.deepEqual(world.official.inbound.accepted, [])
})

test('a higher limit is told at once, for the account it is of', async (t) => {
  const { world, post } = await open(t)
  await post(
    envelope([
      { field: 'phone_number_quality_update', value: { event: 'UPGRADE', current_limit: 'TIER_2K' } },
      { field: 'business_capability_update', value: {} },
      ringing('wacid.9'),
    ]),
  )
  t.deepEqual(world.official.noted, ['hasten 2000'])
})

test('a post is read up to 10 MB, whatever it calls itself', async (t) => {
  const { post } = await open(t)
  const big = envelope([
    {
      field: 'messages',
      value: {
        metadata: { phone_number_id: '1000' },
        messages: [{ id: 'wamid.1', type: 'text', text: { body: 'x'.repeat(9_000_000) } }],
      },
    },
  ])
  t.is((await post(big, { 'x-hub-signature-256': signed(SECRET, big), 'content-type': 'text/plain' })).status, 200)
  const huge = Buffer.alloc(10_000_001, ' ')
  t.is((await post(huge)).status, 413)
})

test('the values of a post are counted before it is read', async (t) => {
  const { world, post } = await open(t)
  for (const body of [
    `{"entry":[${'[],'.repeat(1_000_000)}{}]}`,
    `{"entry":[${'12345678901234567890,'.repeat(400_000)}1]}`,
  ])
    t.is((await post(body)).status, 413)
  t.deepEqual(world.official.inbound.accepted, [])
})

test('large posts are counted for the account that signed them, small ones are not, and over it they come later', async (t) => {
  const { world, post } = await open(t)
  const large = JSON.stringify({ object: 'x', entry: [], more: 'x'.repeat(9_000_000) })
  for (let bytes = 0; bytes < 135_000_000; bytes += 9_000_000) t.is((await post(large)).status, 200)
  t.is((await post(large)).status, 200)
  const refused = await post(large)
  t.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '2'])
  t.like(await post(envelope([ringing('wacid.1')])), { status: 200, body: { stored: 1 } })
  world.clock.advance(2_000)
  t.is((await post(large)).status, 200)
})

test('a store that fails is a 500, so that upstream comes again', async (t) => {
  const { world, post } = await open(t)
  world.official.inbound.accept = () => Promise.reject(new Error('the database is away'))
  t.is((await post(envelope([ringing('wacid.1')]))).status, 500)
})

test('no signed JSON is a fault of ours', async (t) => {
  const { world, post } = await open(t)
  await fc.assert(
    fc.asyncProperty(
      fc.json(),
      fc.array(fc.record({ field: fc.oneof(fc.constant('calls'), fc.string()), value: fc.jsonValue() })),
      async (noise, changes) => {
        return (await post(noise)).status === 200 && (await post(envelope(changes))).status === 200
      },
    ),
    { numRuns: 60 },
  )
  t.true(world.official.inbound.accepted.length > 0)
})
