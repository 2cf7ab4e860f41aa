import test from 'ava'
import type { ExecutionContext } from 'ava'
import { readConfig } from '../../src/config.ts'
import { newId } from '../../src/domain/ids.ts'
import { NO_TRACES } from '../../src/ports/traces.ts'
import { createCore } from '../../src/gateway/core.ts'
import { openUpstreams } from '../../src/gateway/open-upstreams.ts'
import { bridgeTokenOf } from '../../src/register/bridge-token.ts'
import { silentLog } from '../helpers/silent.ts'

const BASE_URL = 'http://localhost:3999'

async function openWith(t: ExecutionContext, env: Record<string, string>) {
  const core = createCore(
    readConfig({ LOG_LEVEL: 'silent', ...env }),
    { nodeId: newId('node'), log: silentLog, traces: NO_TRACES },
    () => {},
  )
  t.teardown(() => core.closing.run())
  return openUpstreams(core, { internalSecret: 'a-long-enough-secret', baseUrl: BASE_URL })
}

// [configuration.variables.14]
test('the official platform is that of OFFICIAL_API_URL, else the sandbox, else the live one', async (t) => {
  const live = await openWith(t, { SANDBOX: 'off' })
  t.is(live.officialUrl, 'https://graph.facebook.com/v24.0')
  const named = await openWith(t, { OFFICIAL_API_URL: 'https://official.example/v24.0/' })
  t.is(named.officialUrl, 'https://official.example/v24.0')
  const { officialUrl, sandboxPort } = await openWith(t, { SANDBOX: 'on', SANDBOX_PORT: '0' })
  t.is(officialUrl, `http://127.0.0.1:${sandboxPort}/official/v24.0`)
  t.is((await fetch(`${officialUrl}/me`)).headers.get('content-type')?.split(';')[0], 'application/json')
})

// [dashboard.routes.5]
test('the sandbox lets the pages of the gateway that starts it', async (t) => {
  const { sandboxPort } = await openWith(t, { SANDBOX: 'on', SANDBOX_PORT: '0' })
  for (const [origin, status] of [
    [BASE_URL, 200],
    ['http://localhost:4000', 403],
  ] as const) {
    const reply = await fetch(`http://localhost:${sandboxPort}/control/requests`, { headers: { origin } })
    t.is(reply.status, status)
    t.is(reply.headers.get('access-control-allow-origin'), status === 200 ? origin : null)
  }
})

// [configuration.variables.15] [engine-fleet.register.1] [engine-fleet.register.6]
test('engines are at DEVICE_BRIDGE_URL, else in the sandbox, else in the register where there is a Redis', async (t) => {
  const redis = { REDIS_URL: 'redis://localhost' }
  const bridgeOf = async (env: Record<string, string>) => (await openWith(t, env)).bridge
  const registered = { kind: 'register', redisUrl: 'redis://localhost' } as const
  const named = { DEVICE_BRIDGE_URL: 'ws://engine.example' }
  t.deepEqual(await bridgeOf({ ...redis, ...named }), { kind: 'one', url: 'ws://engine.example' })
  t.deepEqual(await bridgeOf({ SANDBOX: 'off' }), { kind: 'none' })
  t.deepEqual(await bridgeOf({ ...redis, SANDBOX: 'off' }), registered)
  const sandbox = { ...redis, SANDBOX: 'on', SANDBOX_PORT: '0' }
  const { bridge, sandboxPort } = await openWith(t, sandbox)
  t.deepEqual(bridge, { kind: 'one', url: `ws://127.0.0.1:${sandboxPort}/devices` })
  t.deepEqual(await bridgeOf({ ...sandbox, DEVICE_BRIDGE_URL: 'register' }), registered)
})

// [engine-fleet.register.4]
test('registered engines are shown the configured token, else the one that they derive as well', async (t) => {
  const registered = { REDIS_URL: 'redis://localhost', DEVICE_BRIDGE_URL: 'register' }
  t.is((await openWith(t, registered)).bridgeToken, bridgeTokenOf('a-long-enough-secret'))
  t.is((await openWith(t, { ...registered, DEVICE_BRIDGE_TOKEN: 'a token' })).bridgeToken, 'a token')
  t.is((await openWith(t, { DEVICE_BRIDGE_URL: 'ws://engine.example' })).bridgeToken, null)
})
