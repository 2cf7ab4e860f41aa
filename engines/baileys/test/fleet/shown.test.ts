import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { TEST_REDIS_URL } from '../../../../test/helpers/test-servers.ts'
import { temporaryFolder } from '../helpers/open-store.ts'
import { temporaryDatabase, testWithPostgres } from '../helpers/test-database.ts'

const CLUSTER = fileURLToPath(new URL('../../../../tools/demo/cluster.ts', import.meta.url))
const run = promisify(execFile)
/** In ms: only a story that hangs takes so long. */
const PATIENCE_MS = 240_000

test('a cluster is not shown with one engine, since one is killed', async (t) => {
  const asked = run(process.execPath, [CLUSTER, '--once', '--engines', '1'], { env: { PATH: process.env['PATH'] } })
  const { stderr } = (await t.throwsAsync(asked)) as unknown as { stderr: string }
  t.regex(stderr, /--engines takes 2 to 9/)
})

// [engine-fleet.takeover.1]
if (TEST_REDIS_URL !== null)
  testWithPostgres(
    'the cluster that is shown kills the engine of a number, and another one reads on without a scan',
    async (t, server) => {
      t.timeout(PATIENCE_MS)
      const { stdout } = await run(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', CLUSTER, '--once', '--engines', '2'],
        {
          env: {
            PATH: process.env['PATH'],
            PORT: '0',
            DATABASE_URL: await temporaryDatabase(t, server),
            REDIS_URL: TEST_REDIS_URL ?? '',
            CLUSTER_DIR: temporaryFolder(t),
          },
          timeout: PATIENCE_MS,
        },
      )
      t.regex(stdout, /engine :\d+ is gone, 1 are left/)
      t.regex(stdout, /the number is OPEN on the same linked device/)
      t.regex(stdout, /a message is read on +\d+ ms +stored/)
    },
  )
