import test from 'ava'
import { IDEMPOTENCY_LOCK_MS } from '../../src/domain/limits.ts'
import { type AwayKind, StoreAway } from '../../src/domain/store-away.ts'
import { describedRoutes } from '../../src/http/described-routes.ts'
import { createCaches } from '../../src/http/caches.ts'
import { isOfTenant, opensTo } from '../../src/http/request/access.ts'
import type { Route } from '../../src/http/request/route.ts'
import type { RestDeps } from '../../src/http/server.ts'
import { OWN_PAGE } from '../helpers/dashboard.ts'
import { serve, type Reply } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { until } from '../helpers/until.ts'

/** Ports that need the database; all other ports behind HTTP keep working. */
const ROWS = [
  'keys',
  'numbers',
  'calls',
  'pairing',
  'idempotency',
  'events',
  'messages',
  'webhooks',
  'deliveries',
  'official',
  'inbound',
  'files',
  'templates',
  'flows',
  'flowResponses',
  'flowExchanges',
  'leads',
  'leadPages',
  'leadNotices',
  'leadBackfills',
  'privacy',
  'webSessions',
  'users',
  'loginFailures',
  'embedSessions',
  'branding',
  'inbox',
] as const

/** A port whose methods all reject. */
function away(kind: AwayKind = 'gone'): any {
  return new Proxy({}, { get: () => () => Promise.reject(new StoreAway(kind)) })
}

function withoutRows(world: World, except: readonly string[] = []): Partial<RestDeps> {
  const known: object = world.deps()
  return Object.fromEntries(
    ROWS.filter((name) => name in known && !except.includes(name)).map((name) => [name, away()]),
  )
}

function isAway({ status, body, headers }: Reply): boolean {
  return (
    status === 503
    && body?.code === 'UNAVAILABLE'
    && typeof body.error === 'string'
    && headers.get('retry-after') === '5'
  )
}

/** Headers like those of a page of ours with a session cookie. */
const FROM_DASHBOARD: Record<string, string> = {
  ...OWN_PAGE,
  cookie: `cms_session=${'A'.repeat(43)}`,
  'x-csrf-token': 'x',
}

/** A header like that of an embed session. */
const FROM_EMBED: Record<string, string> = { authorization: `Bearer emb_${'0'.repeat(26)}.${'A'.repeat(43)}` }

function requestOf(
  route: Route,
  world: World,
): [string, string, { key?: string; body?: unknown; headers?: Record<string, string> }] {
  const path = route.path
    .replace('{id}', world.number.id)
    .replace('{callId}', 'call_01kb0000000000000000000000')
    .replace('{flowId}', 'flow_01kb0000000000000000000000')
    .replace('{token}', 'rp_00000000000000000000000000')
    .replace('{logId}', 'log_01kb0000000000000000000000')
    .replace('{mediaId}', '1037543291543636')
    .replace('{fileId}', 'file_00000000000000000000000000')
    .replace('{fileName}', 'photo.jpg')
    .replace('{key}', `${'0'.repeat(26)}.png`)
    .replace('{messageId}', 'msg_01kb0000000000000000000000')
    .replaceAll(/\{\w+\}/g, 'x')
  const key = isOfTenant(route.access) ? world.tenantKey.raw : world.numberKey.raw
  const body = route.bodyExample ?? Object.values(route.bodyExamples ?? {})[0]
  // These routes check the given proof before they look anything up, so the request must contain one.
  const query =
    route.name === 'verifyOfficialWebhook'
      ? '?hub.mode=subscribe&hub.verify_token=t&hub.challenge=1'
      : route.name === 'diagnoseEmbed'
        ? `?s=emb_${'0'.repeat(26)}&origin=https://a.example`
        : ''
  const signature: Record<string, string> =
    route.rawBodyBytes === undefined ? {} : { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
  return [
    route.method.toUpperCase(),
    path + query,
    {
      ...(opensTo(route, 'key') ? { key } : {}),
      ...(route.method === 'get' ? {} : { body: body ?? {} }),
      headers: {
        ...(opensTo(route, 'embed') ? FROM_EMBED : FROM_DASHBOARD),
        ...signature,
        ...(route.isIdempotent ? { 'idempotency-key': 'k' } : {}),
      },
    },
  ]
}

function routesOf(world: World): Route[] {
  const deps = world.deps()
  return describedRoutes({ ...deps, ...createCaches(deps) })
}

/**
 * Whether the route needs the database. The token of an app's webhook is derived and metadata is fixed at start, so
 * those routes do not. The authorization server has tests of its own.
 */
function hasRows({ group, name, path }: Route): boolean {
  return (
    group !== 'Operations'
    && name !== 'verifyLeadWebhook'
    && !path.startsWith('/.well-known/')
    && !path.startsWith('/oauth/')
  )
}

// [rest.bounds.3]
for (const route of routesOf(new World()).filter(hasRows)) {
  const title = `${route.method.toUpperCase()} ${route.path}`

  test(`${title} is 503 UNAVAILABLE with retry-after while the database is away`, async (t) => {
    const world = new World()
    const client = await serve(t, world, withoutRows(world))
    const reply = await client.send(...requestOf(route, world))
    t.true(isAway(reply), `${reply.status} ${reply.text}`)
  })

  test(`${title} is no fault of ours when the database goes away after the key was looked up`, async (t) => {
    const world = new World()
    const client = await serve(t, world, withoutRows(world, ['keys']))
    const reply = await client.send(...requestOf(route, world))
    t.true(isAway(reply) || reply.status < 500 || reply.body.code === 'BUSY', `${reply.status} ${reply.text}`)
  })
}

test('routes that need no database answer while it is away', async (t) => {
  const world = new World()
  const client = await serve(t, world, withoutRows(world))
  for (const path of ['/', '/health/live', '/openapi.json', '/asyncapi.json', '/docs', '/metrics'])
    t.is((await client.send('GET', path)).status, 200, path)
  t.is((await client.send('GET', '/v1/none')).status, 404)
  t.is((await client.send('GET', '/v1/calls')).status, 401)
})

// [rest.bounds.3]
test("a full disk is 503 too, be it the database's or our own", async (t) => {
  const world = new World()
  const noRoom = Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
  const full = await serve(t, world, { webhooks: away('full') })
  t.like(await full.send('GET', '/v1/webhooks', { key: world.tenantKey.raw }), {
    status: 503,
    body: { code: 'UNAVAILABLE', error: 'The disk is full. Try again later.' },
  })
  const own = await serve(t, world, { webhooks: new Proxy({}, { get: () => () => Promise.reject(noRoom) }) as any })
  t.true(isAway(await own.send('GET', '/v1/webhooks', { key: world.tenantKey.raw })))
})

test('an Idempotency-Key that a request claimed as the database went away is free again when it is back', async (t) => {
  const world = new World()
  let isGone = true
  const { numbers } = world
  const deps: Partial<RestDeps> = {
    numbers: new Proxy(numbers, {
      get: (target: any, name) =>
        name === 'create' && isGone ? away().create : (target[name]?.bind?.(target) ?? target[name]),
    }),
  }
  const abandon = world.idempotency.abandon.bind(world.idempotency)
  world.idempotency.abandon = async (request) => {
    if (isGone) throw new StoreAway('gone')
    await abandon(request)
  }
  const client = await serve(t, world, deps)
  const create = () =>
    client.send('POST', '/v1/numbers', {
      key: world.tenantKey.raw,
      body: { name: 'Desk', number: '5511900001111' },
      headers: { 'idempotency-key': 'k' },
    })
  t.true(isAway(await create()))
  t.is((await create()).body.code, 'IDEMPOTENCY_IN_PROGRESS')
  world.clock.advance(1_000)
  isGone = false
  const created = await until('the key is free', async () => {
    world.clock.advance(1_000)
    const reply = await create()
    return reply.status === 201 ? reply : null
  })
  t.is(created.headers.get('idempotency-replayed'), null)
})

test('a first answer that could not be kept is kept when the database is back, unless another may have its key by then', async (t) => {
  const world = new World()
  let isGone = true
  const finish = world.idempotency.finish.bind(world.idempotency)
  world.idempotency.finish = async (request, answer) => {
    if (isGone) throw new StoreAway('gone')
    await finish(request, answer)
  }
  const client = await serve(t, world)
  const create = (idempotencyKey: string, number: string) =>
    client.send('POST', '/v1/numbers', {
      key: world.tenantKey.raw,
      body: { name: 'Desk', number },
      headers: { 'idempotency-key': idempotencyKey },
    })
  t.is((await create('old', '5511900001111')).status, 201)
  world.clock.advance(IDEMPOTENCY_LOCK_MS - 10_000)
  const first = await create('new', '5511900002222')
  isGone = false
  const again = await until('it is kept', async () => {
    world.clock.advance(1_000)
    const reply = await create('new', '5511900002222')
    return reply.body.code === 'IDEMPOTENCY_IN_PROGRESS' ? null : reply
  })
  t.deepEqual([again.status, again.text, again.headers.get('idempotency-replayed')], [201, first.text, 'true'])
  t.not((await create('old', '5511900001111')).headers.get('idempotency-replayed'), 'true', 'nothing was kept for it')
})
