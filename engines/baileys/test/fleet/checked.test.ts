import { randomUUID } from 'node:crypto'
import test, { registerCompletionHandler } from 'ava'
import { TEST_REDIS_URL } from '../../../../test/helpers/test-servers.ts'
import { ANA, BIA, controlRoute, passes } from '../helpers/engine-check.ts'
import { startEngineProcess } from '../helpers/engine-process.ts'
import { KEY, temporaryFolder } from '../helpers/open-store.ts'
import { temporaryDatabase, testWithPostgres } from '../helpers/test-database.ts'
import { networkFor } from '../network/started.ts'

registerCompletionHandler(() => process.exit())

const ROWS = ['takeover.refused', 'takeover.open', 'takeover.events', 'takeover.send']
const TITLE =
  'engine:check --takeover passes a fleet: its engine is killed, another one opens the number without a scan, tells again what waits, and sends nothing twice'

// [engine-fleet.takeover.3] [engine-fleet.register.7]
if (TEST_REDIS_URL === null) test.skip(`${TITLE} (needs TEST_REDIS_URL)`, () => {})
else
  testWithPostgres(TITLE, async (t, server) => {
    t.timeout(300_000)
    const network = await networkFor(t)
    const env = {
      ENGINE_DATABASE_URL: await temporaryDatabase(t, server),
      ENGINE_KEY: KEY.toString('base64'),
      REDIS_URL: TEST_REDIS_URL ?? '',
      INTERNAL_SECRET: randomUUID(),
      // Short, so that the taker does not wait long.
      LEASE_TTL_MS: '3000',
    }
    const start = () => startEngineProcess(t, network, temporaryFolder(t), env)
    const engines = await Promise.all([start(), start()])
    const [url, other] = engines.map(({ port }) => `ws://127.0.0.1:${port}`) as [string, string]
    const killed: string[] = []
    const killUrl = await controlRoute<{ number: string; url: string }>(t, async (asked) => {
      killed.push(`${asked.number} ${asked.url}`)
      await engines.find(({ port }) => asked.url.endsWith(`:${port}`))?.kill()
    })
    const bia = network.phone(BIA, 'Bia')
    const also = ['--takeover', '--other', other, '--kill-url', killUrl]
    const findings = await passes(t, { network, url, also })
    t.deepEqual(
      ROWS.map((name) => findings.find((finding) => finding.name === name)?.verdict),
      ROWS.map(() => 'holds'),
    )
    t.deepEqual(killed, [`${ANA} ${url}`])
    for (const words of ['sent before its engine died', 'asked for as its engine died'])
      t.is(bia.received.filter(({ text }) => text?.includes(words) === true).length, 1, words)
  })
