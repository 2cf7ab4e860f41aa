import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { makeDatabase } from '../helpers/service.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { TEST_DATABASE_URL, TEST_REDIS_URL } from '../helpers/test-servers.ts'

const CLUSTER = fileURLToPath(new URL('../../tools/demo/cluster.ts', import.meta.url))
/** In ms: enough for a machine a hundred times slower than an idle one, so that only a hanging test is ended. */
const PATIENCE_MS = 480_000

async function runCluster(
  environment: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const ran = promisify(execFile)(process.execPath, [...NODE_ARGUMENTS, CLUSTER, '--once'], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...environment },
    timeout: PATIENCE_MS,
  })
  return await ran.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

test('without a database and a Redis the cluster says what it misses and where to get it', async (t) => {
  const { code, stderr } = await runCluster({
    DATABASE_URL: 'postgres://127.0.0.1:1/x',
    REDIS_URL: 'redis://127.0.0.1:1',
  })
  t.is(code, 1)
  t.regex(
    stderr,
    /PostgreSQL: 127\.0\.0\.1:1\/x cannot be used \(.*ECONNREFUSED.*\)\. Start it or correct DATABASE_URL/,
  )
  t.regex(stderr, /Redis: nothing answers at REDIS_URL 127\.0\.0\.1:1\. Start it, or leave REDIS_URL out/)
  t.notRegex(stderr, /^ +at /m, 'no trace')
})

if (TEST_DATABASE_URL === null || TEST_REDIS_URL === null) {
  test.skip('the cluster that is shown kills a gateway and its call goes on (TEST_DATABASE_URL and TEST_REDIS_URL are not both set)', () => {})
} else {
  const redisUrl = TEST_REDIS_URL
  test('the cluster that is shown kills the gateway of a call, and the call is hung up through another', async (t) => {
    const database = await makeDatabase()
    if (!database) throw new Error('there is no database')
    const folder = await temporaryDirectory()
    t.teardown(async () => {
      await database.drop()
      await folder.remove()
    })
    const { code, stdout, stderr } = await runCluster({
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl,
      CLUSTER_DIR: folder.path,
    })
    t.is(code, 0, stderr)
    t.regex(stdout, /gateway \d is gone, 2 are left/)
    t.regex(stdout, /sing on: bot and peer hear each other +\d+ ms +all four notes/)
    t.regex(stdout, /gateway \d; the call is still ACCEPTED/)
    t.regex(stdout, /COMPLETED after \d+ s/)
  })
}
