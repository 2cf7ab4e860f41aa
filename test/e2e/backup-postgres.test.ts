import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { makeDatabase, Service } from '../helpers/service.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const run = promisify(execFile)
const GUIDE = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8')

/** A command of the guide, without the comment behind it. */
function commandOf(program: string): string {
  return new RegExp(`^${program} .*?(?= +#|$)`, 'm').exec(GUIDE)?.[0] ?? ''
}

/**
 * Whether PostgreSQL's client programs are installed. A machine that tests on a server has them; others skip the test.
 */
async function isInstalled(): Promise<boolean> {
  return run('pg_dump', ['--version']).then(
    () => true,
    () => false,
  )
}

async function databaseOf(t: ExecutionContext): Promise<string> {
  const database = await makeDatabase()
  t.teardown(async () => database?.drop())
  return database?.url ?? ''
}

const story = process.env['TEST_DATABASE_URL'] && (await isInstalled()) ? test : test.skip

story(
  "the guide's PostgreSQL dump of a running installation restores what was accepted before it and nothing that came after",
  async (t) => {
    const folder = await temporaryDirectory()
    t.teardown(() => folder.remove())
    const [url, restoredUrl] = [await databaseOf(t), await databaseOf(t)]
    const service = await Service.start({ env: { DATABASE_URL: url } })
    t.teardown(() => service.stop())
    const perform = (program: string) =>
      run('sh', ['-ec', commandOf(program)], {
        cwd: folder.path,
        env: { ...process.env, DATABASE_URL: url, RESTORED_URL: restoredUrl },
      })

    const before = await service.pairNumber()
    await perform('pg_dump')
    const after = await service.pairNumber()
    await service.gateway.kill('SIGTERM')
    await perform('pg_restore')
    await service.startGateway({ DATABASE_URL: restoredUrl })
    t.is((await service.api('GET', '/v1/status', before.key)).status, 200)
    t.is((await service.api('GET', '/v1/status', after.key)).status, 401)
  },
)
