import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { Permissions } from '../../../src/domain/caller.ts'
import type { Permission } from '../../../src/domain/permissions.ts'
import { admission, proof } from '../../../src/http/admission.ts'
import { execution } from '../../../src/http/execution.ts'
import { errorsAnswered } from '../../../src/http/middlewares/errors-answered.ts'
import { requestId } from '../../../src/http/middlewares/request-id.ts'
import { routeExists } from '../../../src/http/middlewares/route-exists.ts'
import { createCaches } from '../../../src/http/caches.ts'
import { HeavyWork } from '../../../src/http/request/heavy-work.ts'
import type { Access } from '../../../src/http/request/access.ts'
import { route } from '../../../src/http/request/route.ts'
import { serveSteps } from '../../helpers/http-app.ts'
import { World } from '../../helpers/world.ts'
import { silentLog } from '../../helpers/silent.ts'

function routeOf(name: string, access: Access, permission?: Permission) {
  return route({
    method: 'get',
    path: `/${name}`,
    name,
    group: 'Status',
    access,
    summary: 'A route of this test',
    ...(permission ? { permission } : {}),
    answer: { status: 200, description: 'Whatever' },
    handle: async () => ({ status: 200, body: {} }),
  })
}

const ACCOUNT = { by: ['key', 'grant'], of: 'either' } as const

const ROUTES = [
  routeOf('flows', ACCOUNT, 'flows:read'),
  routeOf('flow-writes', ACCOUNT, 'flows:manage'),
  routeOf('keys-only', ACCOUNT),
  routeOf('account', { by: ['key', 'grant'], of: 'tenant' }, 'flows:read'),
  routeOf('open', { by: ['nobody'], of: 'service' }, 'flows:read'),
]

/** Serves routes behind the complete admission; the number's key has `permissions`. */
async function serveFor(t: ExecutionContext, permissions: Permissions) {
  const world = new World()
  const deps = world.deps()
  const prove = world.keys.authenticateKey.bind(world.keys)
  world.keys.authenticateKey = async (raw) => {
    const caller = await prove(raw)
    return caller && { ...caller, permissions }
  }
  const known = { ...deps, ...createCaches(deps) }
  const client = await serveSteps(t, [
    requestId(),
    errorsAnswered(silentLog),
    routeExists(ROUTES),
    ...proof(known),
    ...admission(known),
    ...execution(deps, new HeavyWork(deps.clock)),
  ])
  return async (name: string, headers: Record<string, string> = {}) => {
    const { status, body } = await client.send('GET', `/${name}`, { key: world.numberKey.raw, headers })
    return status === 200 ? 'done' : `${status} ${body.code}`
  }
}

// [people.permissions.10] [rest.errors.18]
test('a caller does what its permissions name, and nothing on routes that name none', async (t) => {
  const call = await serveFor(t, new Set<Permission>(['flows:read', 'chat:read']))
  t.is(await call('flows'), 'done')
  t.is(await call('flow-writes'), '403 PERMISSION_DENIED')
  t.is(await call('keys-only'), '403 PERMISSION_DENIED')
  t.is(await call('open'), 'done')
})

// [people.permissions.13] [keys.credentials.4]
test('a classic key is not affected by permissions', async (t) => {
  const call = await serveFor(t, 'all')
  for (const name of ['flows', 'flow-writes', 'keys-only']) t.is(await call(name), 'done')
})

// [oauth.tokens.3] [rest.order.1]
test('the permission is looked at before scope and number', async (t) => {
  const denied = await serveFor(t, new Set<Permission>())
  t.is(await denied('account'), '403 PERMISSION_DENIED')
  t.is(await denied('flows', { 'x-channel-number-id': 'num_x' }), '403 PERMISSION_DENIED')
  const held = await serveFor(t, new Set<Permission>(['flows:read']))
  t.is(await held('account'), '403 NUMBER_SCOPE_NOT_ALLOWED')
  t.is(await held('flows', { 'x-channel-number-id': 'num_x' }), '404 NUMBER_NOT_FOUND')
})
