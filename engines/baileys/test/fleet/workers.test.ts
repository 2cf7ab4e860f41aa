import { randomUUID } from 'node:crypto'
import test, { registerCompletionHandler } from 'ava'
import { systemClock } from '../../../../src/process/clock.ts'
import { workerCount } from '../../../../src/process/workers.ts'
import { ENGINES } from '../../../../src/register/engines.ts'
import { openRedisRegister } from '../../../../src/register/redis.ts'
import { TEST_REDIS_URL } from '../../../../test/helpers/test-servers.ts'
import { until } from '../../../../test/helpers/until.ts'
import { readConfig } from '../../process/config.ts'
import { createLog } from '../../process/log.ts'
import { workerEnvironment } from '../../process/workers.ts'
import { startEngineProcess } from '../helpers/engine-process.ts'
import { KEY, temporaryFolder } from '../helpers/open-store.ts'
import { temporaryDatabase, testWithPostgres } from '../helpers/test-database.ts'
import { networkFor } from '../network/started.ts'

registerCompletionHandler(() => process.exit())

const FLEET = {
  ENGINE_DATABASE_URL: 'postgres://127.0.0.1/engines',
  ENGINE_KEY: KEY.toString('base64'),
  REDIS_URL: 'redis://127.0.0.1',
  INTERNAL_SECRET: 'a secret of the tests',
}

// [engine-fleet.register.12]
test('each worker has ports and a folder of its own, and keeps its port when it is started again', (t) => {
  const config = readConfig({ ...FLEET, ENGINE_URL: 'http://engines.example:{port}', ENGINE_METRICS_PORT: '9000' })
  t.like(workerEnvironment({ LOG_LEVEL: 'warn' }, config, 2, null), {
    LOG_LEVEL: 'warn',
    ENGINE_WORKERS: '1',
    ENGINE_PORT: '3007',
    ENGINE_METRICS_PORT: '9002',
    ENGINE_URL: 'http://engines.example:{port}',
    ENGINE_DATA_DIR: 'engine-data/worker-2',
  })
  t.is(workerEnvironment({}, config, 0, null)['ENGINE_DATA_DIR'], './engine-data')
  t.is(workerEnvironment({}, { ...config, port: 0 }, 1, null)['ENGINE_PORT'], '0')
  t.is(workerEnvironment({}, { ...config, port: 0 }, 1, { type: 'listening', port: 4711 })['ENGINE_PORT'], '4711')
  t.true(workerCount('auto') >= 1)
})

test('several workers need the register of a fleet, and the text says so', (t) => {
  const { message } = t.throws(() => readConfig({ ENGINE_WORKERS: '2' }))
  t.regex(message, /REDIS_URL must be set with ENGINE_WORKERS/)
})

// [engine-fleet.register.12]
if (TEST_REDIS_URL !== null)
  testWithPostgres('a program with workers is that many engines of the fleet, until it ends', async (t, server) => {
    const internalSecret = randomUUID()
    const network = await networkFor(t)
    const register = await openRedisRegister(ENGINES, {
      url: TEST_REDIS_URL ?? '',
      internalSecret,
      clock: systemClock,
      log: createLog('silent', () => {}),
    })
    t.teardown(() => register.close())
    const program = await startEngineProcess(t, network, temporaryFolder(t), {
      ENGINE_DATABASE_URL: await temporaryDatabase(t, server),
      ENGINE_KEY: KEY.toString('base64'),
      REDIS_URL: TEST_REDIS_URL ?? '',
      INTERNAL_SECRET: internalSecret,
      ENGINE_WORKERS: '2',
    })
    const entries = await until('both are registered', async () => {
      const found = await register.list()
      return found.length === 2 ? found : null
    })
    t.is(new Set(entries.map(({ url }) => url)).size, 2)
    t.is(await program.stop(), 0)
    t.deepEqual(await register.list(), [])
  })
