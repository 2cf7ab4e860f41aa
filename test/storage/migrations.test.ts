import test from 'ava'
import type { NumberId } from '../../src/domain/ids.ts'
import { openDatabase } from '../../src/storage/engine/orm.ts'
import { openStores } from '../../src/storage/stores.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { systemClock } from '../../src/process/clock.ts'
import { loadEmbedded, loadPostgres, readLeft } from '../fixtures/upgrade/load.ts'
import { OFFICIAL } from '../fixtures/upgrade/world.ts'
import { temporaryDirectory } from '../helpers/database.ts'
import { makeDatabase } from '../helpers/service.ts'
import { silentLog } from '../helpers/silent.ts'

test('rows of an earlier version: the accounts of its numbers are listed at once, and its files are found', async (t) => {
  const directory = await temporaryDirectory()
  const server = await makeDatabase()
  if (server) await loadPostgres(server.url, 'http://127.0.0.1:9')
  else await loadEmbedded(directory.path, 'http://127.0.0.1:9')
  const database = await openDatabase({ databaseUrl: server?.url ?? null, dataDir: directory.path, log: silentLog, clock: systemClock })
  t.teardown(async () => {
    await database.close()
    await server?.drop()
    await directory.remove()
  })
  const stores = openStores({ database, cipher: new AesCipher(Buffer.alloc(32)), clock: systemClock })
  const numbers = await database.query<{ tenant_id: string, account_id: string }>('select distinct tenant_id, official_account_id as account_id from channel_numbers where official_account_id is not null')
  t.true(numbers.length > 0)
  const due = await stores.templates.takeDueListings(100, 3_600_000, 600_000, 60_000)
  t.deepEqual(due.map(({ tenantId, accountId }) => ({ tenant_id: tenantId as string, account_id: accountId })), numbers)
  const id = (await readLeft()).numbers.OFFICIAL.id as NumberId
  const [number] = await database.query<{ tenant_id: `ten_${string}` }>('select tenant_id from channel_numbers where id = $1', [id])
  const made = await stores.templates.ownerOf({ id, tenantId: number?.tenant_id ?? 'ten_', provider: 'OFFICIAL', number: OFFICIAL.number })
  t.deepEqual(made, { kind: 'ACCOUNT', tenantId: due[0]?.tenantId, accountId: due[0]?.accountId } as typeof made)
  const files = await database.query<{ id: string }>(`select id from message_files where expires_at > now()`)
  for (const file of files) t.not(await stores.files.find(file.id), null)
})
