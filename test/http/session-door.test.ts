import test from 'ava'
import type { ExecutionContext } from 'ava'
import { succeed } from '../../src/domain/errors.ts'
import { SESSION_REQUESTS_PER_MINUTE } from '../../src/domain/web-session.ts'
import { KEY_ROTATED } from '../../src/http/request/caller-cache.ts'
import { OWN_PAGE, signIn } from '../helpers/dashboard.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'

async function dashboard(t: ExecutionContext) {
  const world = new World()
  const client = await serve(t, world)
  return { world, client, own: await signIn(client, world) }
}

// [sessions.second-door.1]
test("below /api/v1 a session may do what the tenant key may, and with the number header what that number's key may", async (t) => {
  const { world, own } = await dashboard(t)
  const { id } = world.number
  t.deepEqual(
    (await own.send('GET', '/api/v1/numbers')).body.map((one: any) => one.id),
    [id],
  )
  t.is((await own.send('GET', `/api/v1/numbers/${id}`)).body.id, id)
  const headers = { 'x-channel-number-id': id }
  t.is((await own.send('GET', '/api/v1/status', { headers })).body.numberId, id)
  t.deepEqual((await own.send('GET', '/api/v1/calls', { headers })).body, { calls: [] })
  t.is((await own.send('GET', '/api/v1/leads', { headers })).status, 200)
  t.is((await own.send('PATCH', `/api/v1/numbers/${id}`, { body: { name: 'Desk' } })).body.name, 'Desk')
})

// [sessions.second-door.1]
test("a number route without the header is 400 NUMBER_REQUIRED, with another tenant's number or none that exists 404", async (t) => {
  const { world, own } = await dashboard(t)
  for (const path of [
    '/api/v1/calls',
    '/api/v1/status',
    '/api/v1/leads',
    '/api/v1/messages/unread',
    '/api/v1/groups',
  ]) {
    const without = await own.send('GET', path)
    t.is(`${without.status} ${without.body.code}`, '400 NUMBER_REQUIRED', path)
    for (const id of [world.foreignNumber.id, 'num_01kb0000000000000000000000', 'x']) {
      const reply = await own.send('GET', path, { headers: { 'x-channel-number-id': id } })
      t.is(`${reply.status} ${reply.body.code}`, '404 NUMBER_NOT_FOUND', path)
    }
  }
  const ofFlows = await own.send('GET', '/api/v1/flows')
  t.is(`${ofFlows.status} ${ofFlows.body.code}`, '422 FLOW_NUMBER_FROM_KEY')
  t.is(typeof ofFlows.body.errorEN, 'string')
  t.is((await own.send('GET', `/api/v1/numbers/${world.foreignNumber.id}`)).body.code, 'NUMBER_NOT_FOUND')
})

test('a request that changes something is refused before its session and body are checked, unless our own page sends it with the CSRF token', async (t) => {
  const { world, client, own } = await dashboard(t)
  const path = `/api/v1/numbers/${world.number.id}`
  const { cookie, csrfToken } = own
  const sent = (headers: Record<string, string>) => client.send('PATCH', path, { headers, body: '{broken' })
  for (const headers of [
    {},
    { cookie },
    { cookie, 'x-csrf-token': csrfToken },
    { cookie, 'x-csrf-token': csrfToken, origin: 'null' },
    { cookie, 'x-csrf-token': csrfToken, 'sec-fetch-site': 'cross-site' },
    { cookie, ...OWN_PAGE },
    { cookie, ...OWN_PAGE, 'x-csrf-token': 'A'.repeat(43) },
  ]) {
    const reply = await sent(headers as Record<string, string>)
    t.is(`${reply.status} ${reply.body.code}`, '403 CSRF_REJECTED')
  }
  t.is((await sent({ ...OWN_PAGE, 'x-csrf-token': csrfToken })).status, 401)
  t.is((await sent({ ...OWN_PAGE, 'x-csrf-token': csrfToken, cookie })).body.code, 'INVALID_JSON')
})

test('known paths answer 405 to other methods, unknown ones 404, and where the dashboard is off all are', async (t) => {
  const { world, own } = await dashboard(t)
  const wrong = await own.send('PUT', '/api/v1/numbers')
  t.is(wrong.status, 405)
  t.is(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS, POST')
  t.is((await own.send('GET', '/api/v1/nothing')).body.code, 'ROUTE_NOT_FOUND')
  const off = await serve(t, world, { isDashboardOn: false })
  t.is((await off.send('GET', '/api/v1/numbers', { headers: { cookie: own.cookie } })).body.code, 'ROUTE_NOT_FOUND')
  t.is((await off.send('GET', '/v1/numbers', { key: world.tenantKey.raw })).status, 200)
})

// [sessions.second-door.4]
test('a session has 1,200 requests a minute for all that it asks, sends among them', async (t) => {
  const { world, own } = await dashboard(t)
  const headers = { 'x-channel-number-id': world.number.id }
  const read = await own.send('GET', '/api/v1/numbers')
  t.is(read.headers.get('ratelimit-limit'), String(SESSION_REQUESTS_PER_MINUTE))
  const sent = await own.send('POST', '/api/v1/messages/send', {
    headers,
    body: { destinationNumber: '5511988887777', text: 'Hi' },
  })
  t.is(sent.status, 202)
  t.is(Number(read.headers.get('ratelimit-remaining')) - Number(sent.headers.get('ratelimit-remaining')), 1)
})

test('an Idempotency-Key belongs to the session, and the same body for another number is another request', async (t) => {
  const { world, client, own } = await dashboard(t)
  const other = world.addNumber(world.tenantId, '5511955554444').number
  const send = (as: typeof own, numberId: string) =>
    as.send('POST', '/api/v1/messages/send', {
      headers: { 'x-channel-number-id': numberId, 'idempotency-key': 'once' },
      body: { destinationNumber: '5511988887777', text: 'Hi' },
    })
  const first = await send(own, world.number.id)
  const again = await send(own, world.number.id)
  t.is(again.headers.get('idempotency-replayed'), 'true')
  t.is(again.body.id, first.body.id)
  t.is((await send(own, other.id)).body.code, 'IDEMPOTENCY_KEY_REUSED')
  const colleague = await signIn(client, world)
  t.not((await send(colleague, world.number.id)).body.id, first.body.id)
})

// [sessions.second-door.3]
test('regenerating replaces the key of the tenant, header or not: all other sessions are over, the one that asked goes on', async (t) => {
  const { world, client, own } = await dashboard(t)
  const other = await signIn(client, world)
  const reply = await own.send('POST', '/api/v1/api-keys/regenerate', {
    headers: { 'x-channel-number-id': world.number.id, 'idempotency-key': 'lost' },
  })
  t.is(reply.status, 201)
  t.like(reply.body, { scope: 'TENANT', channelNumberId: null })
  t.is((await client.send('GET', '/v1/numbers', { key: world.tenantKey.raw })).status, 401)
  t.is((await client.send('GET', '/v1/numbers', { key: reply.body.key })).status, 200)
  t.is((await client.send('GET', '/v1/status', { key: world.numberKey.raw })).status, 200)
  t.is((await other.send('GET', '/api/v1/numbers')).status, 401)
  t.is((await own.send('GET', '/api/v1/numbers')).status, 200)
  const again = await own.send('POST', '/api/v1/api-keys/regenerate', {
    headers: { 'x-channel-number-id': world.number.id, 'idempotency-key': 'lost' },
  })
  t.is(again.body.key, reply.body.key)
})

test('an embed session that the dashboard mints lives with the key of the tenant', async (t) => {
  const { world, own, client } = await dashboard(t)
  const minted = await own.send('POST', '/api/v1/embed/sessions', {
    body: { surface: 'connect', allowedOrigins: ['https://shop.example'] },
  })
  t.is(minted.status, 201)
  t.is((await own.send('GET', '/api/v1/embed/sessions')).body.sessions.length, 1)
  await client.send('POST', '/v1/api-keys/regenerate', { key: world.tenantKey.raw })
  t.deepEqual(await world.embedSessions.prove(minted.body.token), { kind: 'over', reason: 'REVOKED' })
})

test('a realtime session of a call is minted for the session that asks, and taken back where that ended meanwhile', async (t) => {
  const { world, client, own } = await dashboard(t)
  const call = world.calls.add(world.number, { status: 'RINGING' })
  const minted = succeed({ wsUrl: 'ws://m/v1/realtime/x?token=y', token: 'y', expiresAtMs: 1_000 })
  const [live] = await world.webSessions.list(world.tenantId)
  const revoked: string[] = []
  world.broadcast.subscribe(KEY_ROTATED, (id) => void revoked.push(id))
  const open = () =>
    own.send('POST', `/api/v1/calls/${call.id}/realtime-session`, {
      headers: { 'x-channel-number-id': world.number.id },
    })
  world.directory.script = { OpenSession: () => minted }
  t.is((await open()).status, 200)
  t.is(world.directory.asked[0]?.fields.by, live?.id)
  t.deepEqual(revoked, [])
  world.directory.script = {
    OpenSession: async () => ((await world.webSessions.end(world.tenantId, live?.id ?? '')) ? minted : minted),
  }
  t.is((await open()).status, 401)
  t.deepEqual(revoked, [live?.id])
  const [again, other] = [await signIn(client, world), await signIn(client, world)]
  const [second, first] = await world.webSessions.list(world.tenantId)
  t.is((await other.send('DELETE', `/api/sessions/${first?.id}`)).status, 200)
  t.is((await other.send('DELETE', '/api/session')).status, 200)
  t.is((await again.send('GET', '/api/session')).status, 401)
  t.deepEqual(
    revoked,
    [live?.id, first?.id, second?.id],
    'with a session that is signed out, and one that is ended, go the tokens it asked for',
  )
})
