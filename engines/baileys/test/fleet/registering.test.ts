import { randomUUID } from 'node:crypto'
import test, { registerCompletionHandler, type ExecutionContext } from 'ava'
import { WebSocket } from 'ws'
import type { EngineEntry } from '../../../../src/ports/engine-register.ts'
import { systemClock } from '../../../../src/process/clock.ts'
import { bridgeTokenOf } from '../../../../src/register/bridge-token.ts'
import { ENGINES } from '../../../../src/register/engines.ts'
import { openRedisRegister } from '../../../../src/register/redis.ts'
import { TEST_REDIS_URL } from '../../../../test/helpers/test-servers.ts'
import { until } from '../../../../test/helpers/until.ts'
import { readConfig } from '../../process/config.ts'
import { createLog } from '../../process/log.ts'
import { startEngine } from '../../start.ts'
import { KEY, temporaryFolder } from '../helpers/open-store.ts'
import { temporaryDatabase, testWithPostgres } from '../helpers/test-database.ts'

registerCompletionHandler(() => process.exit())

const silent = createLog('silent', () => {})

/** Declares a test that needs PostgreSQL and Redis. */
function testWithBoth(
  title: string,
  run: (t: ExecutionContext, server: string, redisUrl: string) => Promise<void>,
): void {
  const redisUrl = TEST_REDIS_URL
  if (redisUrl === null) test.skip(`${title} (needs TEST_REDIS_URL)`, () => {})
  else testWithPostgres(title, (t, server) => run(t, server, redisUrl))
}

// [engine-fleet.register.1]
testWithBoth(
  'an engine of a fleet is in the register while it runs, says at once that it drains, and leaves when it ends',
  async (t, server, redisUrl) => {
    const internalSecret = randomUUID()
    const engine = await startEngine(
      readConfig({
        ENGINE_PORT: '0',
        ENGINE_DATA_DIR: temporaryFolder(t),
        ENGINE_DATABASE_URL: await temporaryDatabase(t, server),
        ENGINE_KEY: KEY.toString('base64'),
        REDIS_URL: redisUrl,
        INTERNAL_SECRET: internalSecret,
      }),
      silent,
    )
    let isClosed = false
    t.teardown(() => (isClosed ? undefined : engine.close()))
    const register = await openRedisRegister(ENGINES, {
      url: redisUrl,
      internalSecret,
      clock: systemClock,
      log: silent,
    })
    t.teardown(() => register.close())
    const entryWhen = (is: (entry: EngineEntry) => boolean) =>
      until('the entry is so', async () => (await register.list()).find(is))

    const url = `ws://127.0.0.1:${engine.port}`
    t.like(await entryWhen(() => true), {
      engineId: engine.engineId,
      url,
      sessions: 0,
      capacity: 2_000,
      draining: false,
    })
    const socket = new WebSocket(`${url}/sessions/num_1`, {
      headers: { authorization: `Bearer ${bridgeTokenOf(internalSecret)}` },
    })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    t.is((await entryWhen(({ sessions }) => sessions === 1)).engineId, engine.engineId)
    await engine.fleet.setDraining(true)
    t.true((await register.list())[0]?.draining)
    isClosed = true
    await engine.close()
    t.deepEqual(await register.list(), [])
  },
)
