/** An operator's command replaces the encryption key, as docs/scale.md describes. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import test from 'ava'
import { rowsIn } from '../helpers/database-rows.ts'
import { copyMigrated } from '../helpers/migrated-folder.ts'
import { Service } from '../helpers/service.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const newKey = () => randomBytes(32).toString('base64')

/** The output of the command. Rejects with output and status when the status is not 0. */
async function runTenant(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_ARGUMENTS, 'src/tenant.ts', ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  return stdout
}

test('the key of a running installation is replaced in four steps: the command says how far it is, and the new key alone opens all there is', async (t) => {
  const [older, newer] = [newKey(), newKey()]
  const service = await Service.start({ env: { ENCRYPTION_KEY: older } })
  t.teardown(() => service.stop())
  const number = await service.pairNumber()
  for (const keys of [`${older},${newer}`, `${newer}, ${older}`]) {
    await service.gateway.kill('SIGTERM')
    await service.startGateway({ ENCRYPTION_KEY: keys })
  }
  const told = (await runTenant({ DATA_DIR: service.dataDir }, 'reseal')).trim().split('\n')
  t.true(
    told.some((line) => /^channel_numbers\.sealed_credentials: 1 looked at, 1 sealed anew$/.test(line)),
    told.join('\n'),
  )
  t.regex(told.at(-1) ?? '', /^[1-9]\d* of \d+ sealed anew\. Nothing needs an older key any more\.$/)
  t.like(JSON.parse(await runTenant({ DATA_DIR: service.dataDir }, 'reseal', '--json')), { resealed: 0, unopened: 0 })
  await service.gateway.kill('SIGTERM')
  await service.startGateway({ ENCRYPTION_KEY: newer })
  await service.untilState(number.id, 'OPEN')
  const { body } = await service.api('GET', '/v1/api-keys', service.tenantKey)
  t.true(
    body.some(({ key }: { key: string }) => key === number.key),
    'keys are shown as before',
  )
})

test('an installation at rest is resealed by the command itself, and where something is opened by no key it says so and fails', async (t) => {
  const [older, newer] = [newKey(), newKey()]
  const folder = await temporaryDirectory()
  t.teardown(() => folder.remove())
  await copyMigrated(folder.path)
  const withKeys = (keys: string, ...args: string[]) =>
    runTenant({ DATA_DIR: folder.path, ENCRYPTION_KEY: keys }, ...args)
  const { tenantId } = JSON.parse(await withKeys(older, 'create', '--name', 'First', '--json'))
  t.regex(
    await withKeys(`${newer},${older}`, 'reseal'),
    /^[1-9]\d* of \d+ sealed anew\. Nothing needs an older key any more\.$/m,
  )
  t.true((await withKeys(newer, 'list')).includes(tenantId))
  t.regex(((await t.throwsAsync(withKeys(older, 'list'))) as Error & { stderr: string }).stderr, /ENCRYPTION_KEY/)
  // This value is sealed for another column, so it cannot be opened in this one.
  await rowsIn(null, folder.path, 'update api_keys set sealed_key = sealed_id')
  const failed = (await t.throwsAsync(withKeys(newer, 'reseal'))) as Error & { code: number; stdout: string }
  t.is(failed.code, 1)
  t.regex(
    failed.stdout,
    /^0 of \d+ sealed anew\. 1 are opened by none of the keys of ENCRYPTION_KEY, and are as they were: keep every older key\.$/m,
  )
})
