import { randomUUID } from 'node:crypto'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { readConfig } from '../../src/config.ts'
import { newId } from '../../src/domain/ids.ts'
import { NO_TRACES } from '../../src/ports/traces.ts'
import { createCore } from '../../src/gateway/core.ts'
import { openEngines } from '../../src/gateway/open-engines.ts'
import { openProviders } from '../../src/gateway/open-providers.ts'
import { openUpstreams } from '../../src/gateway/open-upstreams.ts'
import type { EngineEntry, EngineRegister } from '../../src/ports/engine-register.ts'
import type { ProviderDriver, ProviderEvent, ProviderRegistry } from '../../src/ports/provider.ts'
import { systemClock } from '../../src/process/clock.ts'
import { ENGINES } from '../../src/register/engines.ts'
import { keepEntry } from '../../src/register/keep-entry.ts'
import { openRedisRegister } from '../../src/register/redis.ts'
import { silentLog } from '../helpers/silent.ts'
import { TEST_REDIS_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'
import { ScriptedEngine } from '../providers/scripted-engine.ts'
import { specOf } from '../providers/session-probe.ts'

const official = { kind: 'OFFICIAL' } as unknown as ProviderDriver

/** Opens the upstream part of a gateway. */
async function gateway(t: ExecutionContext, env: Record<string, string>, internalSecret: string) {
  const core = createCore(
    readConfig({ LOG_LEVEL: 'silent', ...env }),
    { nodeId: newId('node'), log: silentLog, traces: NO_TRACES },
    () => {},
  )
  t.teardown(() => core.closing.run())
  const upstreams = await openUpstreams(core, { internalSecret, baseUrl: 'http://localhost:3999' })
  const open = await openEngines(core, { upstreams, internalSecret })
  return { core, ...open, providers: openProviders(core, { ...open, official, upstreams }) }
}

function openSession(t: ExecutionContext, providers: ProviderRegistry) {
  const driver = providers.driver('UNOFFICIAL')
  if (!driver) throw new Error('there is no driver of QR-paired numbers')
  const opening = specOf()
  const told: ProviderEvent[] = []
  const session = driver.openSession(opening, (event) => void told.push(event))
  t.teardown(() => session.close())
  return { ...opening, isUp: () => told.findLast(({ type }) => type.startsWith('link'))?.type === 'linkUp' }
}

/** An engine with its entry in the register, kept as an engine keeps it. */
async function registered(t: ExecutionContext, register: EngineRegister, fields: Partial<EngineEntry> = {}) {
  const engine = await ScriptedEngine.start()
  const entry = {
    engineId: randomUUID(),
    url: engine.url,
    version: '1.0.0',
    sessions: 0,
    capacity: 10,
    draining: false,
    ...fields,
  }
  const kept = keepEntry({
    register,
    id: entry.engineId,
    program: 'engine',
    describe: () => entry,
    clock: systemClock,
    log: silentLog,
  })
  t.teardown(async () => {
    await kept.withdraw()
    await engine.close()
  })
  return { engine, entry, kept }
}

// [engine-fleet.register.1]
test('an address that is configured is dialled, whatever is registered', async (t) => {
  const engine = await ScriptedEngine.start()
  t.teardown(() => engine.close())
  const env = { DEVICE_BRIDGE_URL: engine.url, REDIS_URL: 'redis://127.0.0.1:9' }
  const { providers, engineUrls, listEngines } = await gateway(t, env, randomUUID())
  const one = openSession(t, providers)
  await until('the session is up', one.isUp)
  t.deepEqual(engineUrls(), [engine.url])
  t.deepEqual(listEngines(), [])
})

const redisUrl = TEST_REDIS_URL
if (redisUrl === null) {
  test.skip('a gateway finds registered engines in Redis (TEST_REDIS_URL is not set)', () => {})
} else {
  // [engine-fleet.register.1] [engine-fleet.register.2] [engine-fleet.register.10]
  test('a gateway opens numbers at engines that registered, and goes on elsewhere when one is gone', async (t) => {
    const secret = randomUUID()
    const register = await openRedisRegister(ENGINES, {
      url: redisUrl,
      internalSecret: secret,
      clock: systemClock,
      log: silentLog,
    })
    const env = { DEVICE_BRIDGE_URL: 'register', REDIS_URL: redisUrl }
    const { core, providers, engineUrls, listEngines } = await gateway(t, env, secret)
    const one = openSession(t, providers)
    const first = await registered(t, register)
    t.teardown(() => register.close())
    await until('the session is up', one.isUp)
    t.deepEqual(engineUrls(), [first.engine.url])
    t.like(listEngines(), [{ engineId: first.entry.engineId, capacity: 10, isDraining: false, connected: 1 }])
    t.regex(await core.metrics.text(), /device_engines\{state="taking"\} 1\n/)
    t.regex(await core.metrics.text(), /device_bridge_sessions\{state="connected"\} 1\n/)

    const second = await registered(t, register)
    await until('both are known', () => engineUrls().length === 2)
    await first.kept.withdraw()
    first.engine.refusal = { status: 503 }
    first.engine.number(one.numberId).drop()
    await until('it is up elsewhere', () => second.engine.number(one.numberId).connects === 1 && one.isUp())
    await until('the first one is forgotten', () => engineUrls().length === 1)
    t.deepEqual(engineUrls(), [second.engine.url])
  })
}
