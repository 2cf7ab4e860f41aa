import { DEFAULT_CONNECTION_CONFIG } from 'baileys'
import test from 'ava'
import { readConfig } from '../../process/config.ts'
import { createLog } from '../../process/log.ts'
import { startEngine } from '../../start.ts'
import { connectBridge } from '../helpers/bridge-client.ts'
import { TOKEN } from '../helpers/engine-process.ts'
import { temporaryFolder } from '../helpers/open-store.ts'
import { networkFor } from '../network/started.ts'

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
