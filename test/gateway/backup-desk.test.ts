import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { backupCommands, type BackupDeskDeps } from '../../src/gateway/backup-desk.ts'
import { systemClock } from '../../src/process/clock.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const BUCKET = { url: 'http://10.0.0.1:9000/files', prefix: 'cms/', secretAccessKey: 'not-to-be-told' }

test('the embedded database is copied as its checkpoint leaves it, and nothing that is written before or after', async (t) => {
  const folder = await temporaryDirectory()
  t.teardown(() => folder.remove())
  const [dataDir, to] = [join(folder.path, 'data'), join(folder.path, 'copy')]
  const [rows, gone] = [join(dataDir, 'pglite', 'rows'), join(dataDir, 'pglite', 'gone')]
  await mkdir(join(dataDir, 'pglite'), { recursive: true })
  for (const path of [rows, gone]) await writeFile(path, 'before')
  // The old and the new content have the same size, so the size does not reveal a change.
  const query = async (sql: string) => {
    t.is(sql, 'checkpoint')
    await writeFile(rows, 'during')
    await unlink(gone)
    return []
  }
  const database = {
    kind: 'pglite',
    async transaction(run: (session: { query: typeof query }) => Promise<void>) {
      await run({ query })
      await writeFile(rows, 'behind')
    },
  }
  const deps = { database, dataDir, clock: systemClock, files: BUCKET } as unknown as BackupDeskDeps
  t.like(await backupCommands(deps)['/backup']?.({ to }), { bucket: 'http://10.0.0.1:9000/files/cms/' })
  t.is(await readFile(join(to, 'pglite', 'rows'), 'utf8'), 'during')
  t.deepEqual(await readdir(join(to, 'pglite')), ['rows'])
})

// [operation.files.5]
test('a backup names the bucket of files without its secrets, and holds those that wait for their upload', async (t) => {
  const folder = await temporaryDirectory()
  t.teardown(() => folder.remove())
  const [dataDir, to] = [join(folder.path, 'data'), join(folder.path, 'copy')]
  for (const name of ['pglite', 'media/files']) await mkdir(join(dataDir, name), { recursive: true })
  await writeFile(join(dataDir, 'media/files/file_1'), 'waits')
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: dataDir,
    FILES_URL: 's3://files/cms?endpoint=http://10.0.0.1:9000',
    AWS_ACCESS_KEY_ID: 'an-id',
    AWS_SECRET_ACCESS_KEY: 'not-to-be-told',
  }
  const run = (more: string[]) => promisify(execFile)(process.execPath, ['src/backup.ts', '--to', ...more], { env })
  const { stdout } = await run([to])
  t.true(stdout.includes('Files in the bucket at http://10.0.0.1:9000/files/cms/ belong to it'), stdout)
  t.false(/an-id|not-to-be-told/.test(stdout))
  t.is(await readFile(join(to, 'media/files/file_1'), 'utf8'), 'waits')
  t.like(JSON.parse((await run([`${to}-2`, '--json'])).stdout), { bucket: 'http://10.0.0.1:9000/files/cms/' })
})
