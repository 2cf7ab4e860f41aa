import test from 'ava'
import type { ExecutionContext } from 'ava'
import { generateApiKey } from '../../src/domain/api-key.ts'
import { describedRoutes } from '../../src/http/described-routes.ts'
import { createCaches } from '../../src/http/caches.ts'
import { opensTo } from '../../src/http/request/access.ts'
import type { Route } from '../../src/http/request/route.ts'
import { serve, World } from '../helpers/http-app.ts'
import type { Client, Reply } from '../helpers/http-app.ts'

function routesOf(world: World): Route[] {
  const deps = world.deps()
  return describedRoutes({ ...deps, ...createCaches(deps) })
}

/** The route's path with ids that are well formed; the number is the world's own unless told. */
function pathOf(route: Route, world: World, numberId: string = world.number.id): string {
  return route.path
    .replace('{id}', numberId)
    .replace('{callId}', 'call_01kb0000000000000000000000')
    .replace('{token}', 'rp_00000000000000000000000000')
    .replace('{logId}', 'log_01kb0000000000000000000000')
    .replace('{mediaId}', '1037543291543636')
    .replace('{fileId}', 'file_00000000000000000000000000')
    .replace('{fileName}', 'photo.jpg')
    .replace('{file}', 'embed.js')
}

function isRefused(t: ExecutionContext, reply: Reply, status: number, code: string | undefined): void {
  t.is(reply.status, status)
  t.is(reply.body.code, code)
  t.is(typeof reply.body.error, 'string')
  t.regex(reply.headers.get('x-request-id') ?? '', /./)
}

/** One application for all that is refused: what does not come as far as its handler leaves nothing for others. */
const world = new World()
let client: Client
const ends: (() => unknown)[] = []
test.before(async () => {
  client = await serve({ teardown: (end) => void ends.push(end) }, world)
})
test.after.always(async () => {
  for (const end of ends) await end()
})

const routes = routesOf(world)
const keyed = routes.filter((route) => opensTo(route, 'key'))

for (const route of keyed) {
  const { of } = route.access
  const method = route.method.toUpperCase()
  const title = `${method} ${route.path}`
  // What comes later in the order of checks is broken on purpose: it must not be reached.
  const body = method === 'GET' ? {} : { body: '{broken' }

  test.serial(`${title} without a key, or with a wrong one, is 401`, async (t) => {
    // What proves nothing is counted for the address, which all of them share.
    world.clock.advance(60_000)
    isRefused(t, await client.send(method, pathOf(route, world), body), 401, undefined)
    isRefused(t, await client.send(method, pathOf(route, world), { ...body, key: generateApiKey() }), 401, undefined)
    isRefused(
      t,
      await client.send(method, pathOf(route, world), {
        ...body,
        headers: { 'x-api-key-id': 'key_00000000000000000000000000' },
      }),
      401,
      undefined,
    )
  })

  if (of !== 'either' && of !== 'chosenNumber') {
    test(`${title} refuses a key of the other scope`, async (t) => {
      const [key, code] =
        of === 'number' || of === 'namedNumber'
          ? [world.tenantKey.raw, 'TENANT_SCOPE_NOT_ALLOWED']
          : [world.numberKey.raw, 'NUMBER_SCOPE_NOT_ALLOWED']
      isRefused(t, await client.send(method, pathOf(route, world), { ...body, key }), 403, code)
      if (of !== 'namedNumber')
        isRefused(
          t,
          await client.send(method, pathOf(route, world), {
            ...body,
            key,
            headers: { 'x-channel-number-id': world.foreignNumber.id },
          }),
          403,
          code,
        )
    })
  }

  test(`${title} answers 404 for a number that is not the caller's, named in header or path`, async (t) => {
    const key = of === 'number' ? world.numberKey.raw : world.tenantKey.raw
    const headers = { 'x-channel-number-id': world.foreignNumber.id }
    isRefused(t, await client.send(method, pathOf(route, world), { ...body, key, headers }), 404, 'NUMBER_NOT_FOUND')
    if (of === 'namedNumber')
      isRefused(
        t,
        await client.send(method, pathOf(route, world), { ...body, key: world.numberKey.raw, headers }),
        404,
        'NUMBER_NOT_FOUND',
      )
    if (of === 'pathNumber') {
      isRefused(
        t,
        await client.send(method, pathOf(route, world, world.foreignNumber.id), { ...body, key }),
        404,
        'NUMBER_NOT_FOUND',
      )
      isRefused(t, await client.send(method, pathOf(route, world, 'x'), { ...body, key }), 404, 'NUMBER_NOT_FOUND')
    }
    t.deepEqual(world.directory.asked, [])
  })
}

test('who may what with leads: reading is of chats, all else and all of Pages is managing', (t) => {
  const ofLeads = routes.filter(({ path }) => path.startsWith('/v1/leads') || path.startsWith('/v1/lead-pages'))
  t.is(ofLeads.length, 12)
  for (const { method, path, permission, access } of ofLeads) {
    t.is(
      permission,
      method === 'get' && path.startsWith('/v1/leads') ? 'chat:read' : 'leads:manage',
      `${method} ${path}`,
    )
    t.is(access.of, path.startsWith('/v1/leads') ? 'namedNumber' : 'tenant', `${method} ${path}`)
  }
})

test('every route that is not hidden is in the document, and every documented route is answered', async (t) => {
  const world = new World()
  const client = await serve(t, world)
  const { body: document } = await client.send('GET', '/openapi.json')
  const documented = Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  )
  t.deepEqual(
    documented.toSorted(),
    routes
      .filter(({ isHidden }) => !isHidden)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  )
  t.is(new Set(routes.map(({ name }) => name)).size, routes.length, 'operation ids are unique')
  for (const route of routes) {
    const { status, body } = await client.send(route.method.toUpperCase(), pathOf(route, world))
    t.not(body?.code, 'ROUTE_NOT_FOUND', route.path)
    t.true(status !== 404 || route.access.of === 'link', route.path)
    t.not(status, 405, route.path)
  }
})
