import test from 'ava'
import type { Route } from '../../src/http/request/route.ts'
import { serve } from '../helpers/http-app.ts'
import { World } from '../helpers/world.ts'
import { servedRoutes } from '../helpers/served-routes.ts'

/** The path of the route with well-formed ids; only that of the number exists. */
function pathOf(route: Route, world: World): string {
  return route.path
    .replace('{id}', world.number.id)
    .replace('{callId}', 'call_01kb0000000000000000000000')
    .replace('{token}', 'rp_00000000000000000000000000')
    .replace('{logId}', 'log_01kb0000000000000000000000')
    .replace('{mediaId}', '1037543291543636')
    .replace('{fileId}', 'file_00000000000000000000000000')
    .replace('{fileName}', 'photo.jpg')
    .replace('{file}', 'embed.js')
    .replace('{name}', 'webhooks')
}

const routes = servedRoutes().filter(({ path }) => path !== '/mcp')

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
