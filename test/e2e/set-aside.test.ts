import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { systemClock } from '../../src/process/clock.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { loadOrCreateSecrets } from '../../src/storage/engine/secrets.ts'
import { openStores } from '../../src/storage/stores.ts'
import { copyMigrated } from '../helpers/migrated-folder.ts'
import { NODE_ARGUMENTS } from '../helpers/short-lived.ts'
import { silentLog } from '../helpers/silent.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { PATIENCE_MS } from '../helpers/until.ts'

test('npm run set-aside lists, puts back and drops what is set aside, and says what it cannot', async (t) => {
  const directory = await temporaryDirectory()
  t.teardown(() => directory.remove())
  const dataDir = join(directory.path, 'data')
  await copyMigrated(dataDir)
  const { encryptionKey } = await loadOrCreateSecrets(dataDir)
  const database = await openDatabase({ databaseUrl: null, dataDir, log: silentLog, clock: systemClock })
  const { setAside, tenants } = openStores({
    database,
    cipher: new AesCipher(Buffer.from(encryptionKey, 'base64')),
    clock: systemClock,
  })
  const { tenantId } = await tenants.create('Acme')
  await setAside.note(
    { line: 'sends', item: 'msg_1', tenantId, numberId: null, accountId: null, reason: '22P02', tries: 4 },
    null,
  )
  await setAside.note(
    { line: 'outbox', item: 'evt_1', tenantId, numberId: null, accountId: null, reason: 'SyntaxError', tries: 3 },
    '{"event_id":"evt_1"}',
  )
  await database.close()
  const run = async (...args: string[]) => {
    const ran = promisify(execFile)(process.execPath, [...NODE_ARGUMENTS, 'src/set-aside.ts', ...args], {
      timeout: PATIENCE_MS,
      env: { ...process.env, DATABASE_URL: undefined, DATA_DIR: dataDir },
    })
    return await ran.then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    )
  }
  const listed = JSON.parse((await run('list', '--json')).stdout) as { id: string; line: string; reason: string }[]
  t.deepEqual(
    listed.map(({ line, reason }) => [line, reason]),
    [
      ['sends', '22P02'],
      ['outbox', 'SyntaxError'],
    ],
  )
  const [send, event] = listed.map(({ id }) => id)
  t.like(await run('retry', '--all', '--json'), {
    code: 1,
    stdout: `${JSON.stringify({ done: [event], final: [send], unknown: [] })}\n`,
  })
  t.like(await run('drop', send ?? ''), { code: 0, stdout: '1 dropped\n' })
  t.like(await run('list'), { code: 0, stdout: 'Nothing is set aside.\n' })
  t.like(await run('drop', '--line', 'nothing'), { code: 1 })
  const { code, stderr } = await run('retry')
  t.is(code, 1)
  t.true(stderr.includes('usage: npm run set-aside -- list'))
})
