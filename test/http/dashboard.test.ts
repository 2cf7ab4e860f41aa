import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import * as schema from '../../src/http/routes/dashboard/schema.ts'
import { signIn } from '../helpers/dashboard.ts'
import { serve, type Reply } from '../helpers/http-app.ts'
import { person } from '../helpers/people.ts'
import { World } from '../helpers/world.ts'

function saysCode(reply: Reply): string {
  return `${reply.status} ${reply.body?.code ?? ''}`
}

function idsOf(reply: Reply): string[] {
  return reply.body.calls.map(({ id }: { id: string }) => id)
}

// [dashboard.routes.1]
test('the dashboard shows how the account stands: its numbers by state, its calls, and the sandbox where there is one', async (t) => {
  const world = new World()
  world.addNumber(world.tenantId, '5511955554444', { state: 'CONNECTING' })
  world.calls.add(world.number, { status: 'ACCEPTED' })
  world.calls.add(world.number, { status: 'COMPLETED' })
  world.calls.add(world.foreignNumber, { status: 'ACCEPTED' })
  const own = await signIn(await serve(t, world), world)
  const { status, body } = await own.send('GET', '/api/overview')
  t.is(status, 200)
  t.deepEqual(schema.overview.parse(body), body)
  t.like(body, {
    numbers: { OPEN: 1, CONNECTING: 1, CLOSE: 0 },
    checklist: { numberConnected: true, callPlaced: true, messageSent: false },
    liveCalls: 1,
    sandbox: null,
  })
  const sandboxUrl = 'http://localhost:3002/control'
  const beside = await signIn(await serve(t, world, { sandboxUrl }), world)
  t.deepEqual((await beside.send('GET', '/api/overview')).body.sandbox, { controlUrl: sandboxUrl })
})

// [dashboard.routes.2] [dashboard.routes.8]
test('the dashboard lists the calls of all numbers, newest first, 25 unless it asks for more, and reads on after a call', async (t) => {
  const world = new World()
  const other = world.addNumber(world.tenantId, '5511955554444').number
  const made = Array.from({ length: 30 }, (_, at) =>
    world.calls.add(at % 2 === 0 ? world.number : other, { sdpOffer: 'v=0' }),
  )
  world.calls.add(world.foreignNumber, {})
  const own = await signIn(await serve(t, world), world)
  const newest = made.map(({ id }) => id).toReversed()
  const first = await own.send('GET', '/api/calls')
  t.is(first.status, 200)
  t.deepEqual(schema.calls.parse(first.body), first.body)
  t.deepEqual(idsOf(first), newest.slice(0, 25))
  t.like(first.body.calls[0], { numberId: other.id, fromNumber: other.number })
  t.false('sdpOffer' in first.body.calls[0])
  const rest = await own.send('GET', `/api/calls?limit=100&before=${newest[24]}`)
  t.deepEqual(idsOf(rest), newest.slice(25))
  t.deepEqual(idsOf(await own.send('GET', `/api/calls?before=${newest[29]}`)), [])
})

// [dashboard.routes.2]
test('the calls of the dashboard are narrowed by number, status, direction and peer, a peer as people write it', async (t) => {
  const world = new World()
  const other = world.addNumber(world.tenantId, '5511955554444').number
  const missed = world.calls.add(other, { status: 'MISSED', direction: 'INBOUND', peerNumber: '5511999990007' })
  const placed = world.calls.add(world.number, { status: 'COMPLETED', peerNumber: '5511999990007' })
  const hidden = world.calls.add(world.number, { status: 'MISSED', peerNumber: 'US.1349', direction: 'INBOUND' })
  const own = await signIn(await serve(t, world), world)
  for (const [query, calls] of [
    [`numberId=${world.number.id}`, [hidden, placed]],
    ['status=MISSED', [hidden, missed]],
    ['direction=OUTBOUND', [placed]],
    ['peer=%2B55%20(11)%2099999-0007', [placed, missed]],
    ['peer=US.1349', [hidden]],
    [`numberId=${other.id}&direction=INBOUND&status=MISSED&peer=5511999990007`, [missed]],
    ['status=FAILED', []],
  ] as const)
    t.deepEqual(
      idsOf(await own.send('GET', `/api/calls?${query}`)),
      calls.map(({ id }) => id),
      query,
    )
  const headers = { 'x-channel-number-id': other.id }
  t.deepEqual(idsOf(await own.send('GET', '/api/calls', { headers })), [missed.id], 'the header narrows, too')
  const both = await own.send('GET', `/api/calls?numberId=${world.number.id}`, { headers })
  t.is(saysCode(both), '404 NUMBER_NOT_FOUND')
})

// [dashboard.routes.8]
test('calls of another tenant are none to the dashboard, and what it cannot read is a 400', async (t) => {
  const world = new World()
  const foreign = world.calls.add(world.foreignNumber, {})
  const own = await signIn(await serve(t, world), world)
  t.deepEqual((await own.send('GET', '/api/calls')).body, { calls: [] })
  for (const [query, told] of [
    [`numberId=${world.foreignNumber.id}`, '404 NUMBER_NOT_FOUND'],
    ['numberId=x', '404 NUMBER_NOT_FOUND'],
    [`before=${foreign.id}`, '404 CALL_NOT_FOUND'],
    [`before=${newId('call')}`, '404 CALL_NOT_FOUND'],
    ['before=2026-01-01', '400 INVALID_BEFORE'],
    ['limit=0', '400 INVALID_LIMIT'],
    ['limit=101', '400 INVALID_LIMIT'],
    ['status=OVER', '400 '],
    ['direction=UP', '400 '],
    ['peer=nobody', '400 '],
    ['numberId=', '400 '],
  ] as const)
    t.is(saysCode(await own.send('GET', `/api/calls?${query}`)), told, query)
})

// [dashboard.routes.9]
test('the dashboard reads a call of any number of its account by its id, with its files and without its descriptions', async (t) => {
  const world = new World()
  const other = world.addNumber(world.tenantId, '5511955554444').number
  const call = world.calls.add(other, { sdpOffer: 'v=0' })
  const foreign = world.calls.add(world.foreignNumber, {})
  const own = await signIn(await serve(t, world), world)
  const read = await own.send('GET', `/api/calls/${call.id}`)
  t.deepEqual(schema.callRead.parse(read.body), read.body)
  t.like(read.body, { id: call.id, numberId: other.id, playback: [] })
  t.false('sdpOffer' in read.body)
  for (const id of [foreign.id, newId('call'), 'x'.repeat(300)])
    t.is(saysCode(await own.send('GET', `/api/calls/${id}`)), '404 CALL_NOT_FOUND')
})

// [dashboard.routes.4]
test('the dashboard tells the key of the tenant by id, last characters and age, never the key, also after it rotated it', async (t) => {
  const world = new World()
  const own = await signIn(await serve(t, world), world)
  const { id, last4, createdAt, raw } = world.tenantKey
  const before = await own.send('GET', '/api/tenant-key')
  t.deepEqual(before.body, { keyId: id, keyLast4: last4, createdAt: createdAt.toISOString() })
  t.false(before.text.includes(raw))
  const rotated = await own.send('POST', '/api/v1/api-keys/regenerate')
  t.is(rotated.status, 201)
  t.like((await own.send('GET', '/api/tenant-key')).body, { keyId: rotated.body.id, keyLast4: rotated.body.keyLast4 })
})

// [dashboard.routes.6]
test('a role reads of the dashboard what it may: the overview by numbers:read, calls by calls:read, the key of the tenant by account:manage', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  for (const [role, calls, key] of [
    ['OWNER', '200 ', '200 '],
    ['ADMIN', '200 ', '200 '],
    ['AGENT', '200 ', '403 PERMISSION_DENIED'],
    ['ANALYST', '403 PERMISSION_DENIED', '403 PERMISSION_DENIED'],
  ] as const) {
    const page = await person(client, world, role)
    t.is(saysCode(await page.send('GET', '/api/overview')), '200 ', role)
    t.is(saysCode(await page.send('GET', '/api/calls')), calls, role)
    t.is(saysCode(await page.send('GET', '/api/tenant-key')), key, role)
  }
})

test('keys, tokens and strangers do not reach what the dashboard reads, and where it is off nobody does', async (t) => {
  const world = new World()
  const [on, off] = [await serve(t, world), await serve(t, world, { isDashboardOn: false })]
  const own = await signIn(on, world)
  for (const path of ['/api/overview', '/api/calls', '/api/tenant-key']) {
    t.is((await on.send('GET', path, { key: world.tenantKey.raw })).status, 401)
    t.is((await on.send('GET', path)).status, 401)
    const reply = await off.send('GET', path, { headers: { cookie: own.cookie } })
    t.is(saysCode(reply), '404 ROUTE_NOT_FOUND')
  }
})
