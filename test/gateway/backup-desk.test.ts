import { mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { backupCommands, type BackupDeskDeps } from '../../src/gateway/backup-desk.ts'
import { systemClock } from '../../src/process/clock.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

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
  await backupCommands({ database, dataDir, clock: systemClock } as unknown as BackupDeskDeps)['/backup']?.({ to })
  t.is(await readFile(join(to, 'pglite', 'rows'), 'utf8'), 'during')
  t.deepEqual(await readdir(join(to, 'pglite')), ['rows'])
})
