import { hostname } from 'node:os'
import { DEFAULT_CONNECTION_CONFIG } from 'baileys'
import test from 'ava'
import { bridgeTokenOf } from '../../../../src/register/bridge-token.ts'
import { addressesOf } from '../../fleet/addresses.ts'
import { readConfig } from '../../process/config.ts'
import { createLog } from '../../process/log.ts'
import { startEngine } from '../../start.ts'
import { connectBridge } from '../helpers/bridge-client.ts'
import { TOKEN } from '../helpers/engine-process.ts'
import { temporaryFolder } from '../helpers/open-store.ts'
import { networkFor } from '../network/started.ts'

/** What an engine of a fleet is told. */
const FLEET = {
  REDIS_URL: 'redis://127.0.0.1',
  INTERNAL_SECRET: 'a secret of an installation',
  ENGINE_DATABASE_URL: 'postgres://127.0.0.1/engines',
  ENGINE_KEY: Buffer.alloc(32, 1).toString('base64'),
}

// [engines.baileys.7]
test('an engine listens at port 3005 of this machine alone, unless it is told otherwise', (t) => {
  t.like(readConfig({}), { host: '127.0.0.1', port: 3005 })
  t.like(readConfig({ ENGINE_PORT: '4005' }), { host: '127.0.0.1', port: 4005 })
  t.throws(() => readConfig({ ENGINE_PORT: '65536' }), { name: 'StartFault', message: /ENGINE_PORT must be a port/ })
})

// [engines.baileys.13]
test('the network is told the client build of ENGINE_VERSION, and without one that of the library', async (t) => {
  const network = await networkFor(t)
  const toldOf = async (numberId: string, env: Record<string, string>) => {
    const engine = await startEngine(
      readConfig({
        ENGINE_PORT: '0',
        ENGINE_TOKEN: TOKEN,
        ENGINE_DATA_DIR: temporaryFolder(t),
        ENGINE_SOCKET_URL: network.socketUrl,
        ...env,
      }),
      createLog('silent', () => {}),
    )
    t.teardown(() => engine.close())
    const client = await connectBridge(t, engine.port, numberId)
    await client.start({ number: '5511999994001', credentials: null })
    await client.find(({ ev }) => ev === 'session.qr')
    return network.statistics.lastBuild
  }
  t.is(await toldOf('num_1', { ENGINE_VERSION: '2.3000.1234567890' }), '2.3000.1234567890')
  t.is(await toldOf('num_2', {}), DEFAULT_CONNECTION_CONFIG.version.join('.'))
  t.throws(() => readConfig({ ENGINE_VERSION: '2.3000' }), { name: 'StartFault', message: /ENGINE_VERSION must be/ })
})

// [engine-fleet.store.2]
test('a store in PostgreSQL needs the address of a database, and the key that seals it', (t) => {
  const [url, key] = ['postgres://127.0.0.1/engines', Buffer.alloc(32, 1).toString('base64')]
  t.is(readConfig({}).databaseUrl, null)
  t.is(readConfig({ ENGINE_DATABASE_URL: url, ENGINE_KEY: key }).databaseUrl, url)
  t.throws(() => readConfig({ ENGINE_DATABASE_URL: url }), {
    name: 'StartFault',
    message: /ENGINE_KEY must be set with ENGINE_DATABASE_URL/,
  })
  t.throws(() => readConfig({ ENGINE_DATABASE_URL: 'mysql://127.0.0.1/x', ENGINE_KEY: key }), {
    name: 'StartFault',
    message: /ENGINE_DATABASE_URL must be a URL starting with postgres/,
  })
})

// [engine-fleet.register.3]
test('an engine registers with the Redis and the secret of its gateways, and on a database that the fleet shares', (t) => {
  const fleet = FLEET
  t.is(readConfig({}).fleet, null)
  const config = readConfig(fleet)
  t.deepEqual(config.fleet, {
    redisUrl: 'redis://127.0.0.1',
    internalSecret: 'a secret of an installation',
    capacity: 2_000,
  })
  t.is(readConfig({ ...fleet, ENGINE_CAPACITY: '500' }).fleet?.capacity, 500)
  for (const [variable, why] of [
    ['REDIS_URL', /REDIS_URL must be set with INTERNAL_SECRET/],
    ['INTERNAL_SECRET', /INTERNAL_SECRET must be set with REDIS_URL/],
    ['ENGINE_DATABASE_URL', /ENGINE_DATABASE_URL must be set with REDIS_URL: .* must not stay with one engine/],
  ] as const)
    t.throws(() => readConfig({ ...fleet, [variable]: '' }), { name: 'StartFault', message: why })
  t.throws(() => readConfig({ ...fleet, ENGINE_CAPACITY: '0' }), { message: /ENGINE_CAPACITY must be a whole number/ })
  t.throws(() => readConfig({ ...fleet, INTERNAL_SECRET: 'short' }), {
    message: /^(?=[\s\S]*INTERNAL_SECRET must be at least 16)(?![\s\S]*INTERNAL_SECRET must be set)/,
  })
})

// [engine-fleet.register.4]
test('in a fleet the token of the bridge is derived from the secret, unless one is set', (t) => {
  const fleet = {
    ENGINE_HOST: '0.0.0.0',
    REDIS_URL: 'redis://127.0.0.1',
    INTERNAL_SECRET: 'a secret of an installation',
    ENGINE_DATABASE_URL: 'postgres://127.0.0.1/engines',
    ENGINE_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  t.is(readConfig(fleet).token, bridgeTokenOf(fleet.INTERNAL_SECRET))
  t.is(readConfig({ ...fleet, ENGINE_TOKEN: TOKEN }).token, TOKEN)
  t.throws(() => readConfig({ ENGINE_HOST: '0.0.0.0' }), { message: /ENGINE_TOKEN must be set/ })
})

// [engine-fleet.register.5]
test('an engine goes by ENGINE_URL, in a fleet else by the name of its machine, alone else by its own address', (t) => {
  const fleet = {
    ...FLEET,
    ENGINE_TOKEN: TOKEN,
  }
  const at = (env: Record<string, string>) => addressesOf(readConfig(env), 4005)
  t.deepEqual(at({}), { bridge: 'ws://127.0.0.1:4005', media: 'http://127.0.0.1:4005' })
  t.is(at({ ENGINE_HOST: '::', ENGINE_TOKEN: TOKEN }).media, 'http://127.0.0.1:4005')
  t.is(at(fleet).bridge, 'ws://127.0.0.1:4005')
  t.is(at({ ...fleet, ENGINE_HOST: '0.0.0.0' }).bridge, `ws://${hostname()}:4005`)
  t.deepEqual(at({ ...fleet, ENGINE_URL: 'https://engine-{worker}.example:{port}/' }), {
    bridge: 'wss://engine-0.example:4005',
    media: 'https://engine-0.example:4005',
  })
  t.throws(() => readConfig({ ENGINE_URL: 'https://engine.example/{port}' }), { message: /ENGINE_URL must be a URL/ })
})
