import test from 'ava'
import { randomBytes } from 'node:crypto'
import { Flows } from '../../migrations/0013-flows.ts'
import { FlowNamesHeld } from '../../migrations/0014-flow-names-held.ts'
import { ImportedFlows } from '../../migrations/0053-imported-flows.ts'
import type { NumberId } from '../../src/domain/ids.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { openStores } from '../../src/storage/stores.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { systemClock } from '../../src/process/clock.ts'
import { loadEmbedded, loadPostgres, readLeft } from '../fixtures/upgrade/load.ts'
import { OFFICIAL } from '../fixtures/upgrade/world.ts'
import { flowAccount, madeFlow } from '../contracts/flow-world.ts'
import { newTenant } from '../contracts/official-store.ts'
import { created, EVERYTHING } from '../contracts/template-world.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { makeDatabase } from '../helpers/service.ts'
import { silentLog } from '../helpers/silent.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'

test('rows of an earlier version: the accounts of its numbers are listed at once, and its files are found', async (t) => {
  const directory = await temporaryDirectory()
  const server = await makeDatabase()
  if (server) await loadPostgres('0004', server.url, 'http://127.0.0.1:9')
  else await loadEmbedded('0004', directory.path, 'http://127.0.0.1:9')
  const database = await openDatabase({
    databaseUrl: server?.url ?? null,
    dataDir: directory.path,
    log: silentLog,
    clock: systemClock,
  })
  t.teardown(async () => {
    await database.close()
    await server?.drop()
    await directory.remove()
  })
  const stores = openStores({ database, cipher: new AesCipher(Buffer.alloc(32)), clock: systemClock })
  const numbers = await database.query<{ tenant_id: string; account_id: string }>(
    'select distinct tenant_id, official_account_id as account_id from channel_numbers where official_account_id is not null',
  )
  t.true(numbers.length > 0)
  const due = await stores.templates.takeDueListings(100, 3_600_000, 600_000, 60_000)
  t.deepEqual(
    due.map(({ tenantId, accountId }) => ({ tenant_id: tenantId as string, account_id: accountId })),
    numbers,
  )
  const id = (await readLeft('0004')).numbers.OFFICIAL.id as NumberId
  const [number] = await database.query<{ tenant_id: `ten_${string}` }>(
    'select tenant_id from channel_numbers where id = $1',
    [id],
  )
  const made = await stores.templates.ownerOf({
    id,
    tenantId: number?.tenant_id ?? 'ten_',
    provider: 'OFFICIAL',
    number: OFFICIAL.number,
  })
  t.deepEqual(made, { kind: 'ACCOUNT', tenantId: due[0]?.tenantId, accountId: due[0]?.accountId } as typeof made)
  const files = await database.query<{ id: string }>(`select id from message_files where expires_at > now()`)
  for (const file of files) t.not(await stores.files.find(file.id), null)
})

/** Reverts the migrations of Flows, as if no version with Flows had ever run. */
async function revert(database: Database): Promise<void> {
  for (const [name, Taken] of [
    ['0053-imported-flows', ImportedFlows],
    ['0014-flow-names-held', FlowNamesHeld],
    ['0013-flows', Flows],
  ] as const) {
    const migration = new Taken(undefined as never, undefined as never)
    migration.down()
    for (const sql of migration.getQueries()) await database.query(String(sql))
    const reverted = await database.query('delete from schema_migrations where name = $1 returning 1', [name])
    if (reverted.length !== 1) throw new Error('the migration is called otherwise')
  }
}

for (const engine of ['PGlite', 'PostgreSQL'] as const) {
  const databaseUrl = engine === 'PGlite' ? null : TEST_DATABASE_URL
  const declare = engine === 'PostgreSQL' && databaseUrl === null ? test.skip : test
  declare(
    `${engine}: a database from before Flows keeps its accounts and templates, and its accounts are asked for Flows at once`,
    async (t) => {
      const directory = await temporaryDirectory()
      const schema = databaseUrl === null ? {} : { schema: `test_${randomBytes(6).toString('hex')}` }
      let database = await openDatabase({
        databaseUrl,
        dataDir: directory.path,
        log: silentLog,
        clock: systemClock,
        ...schema,
      })
      t.teardown(async () => {
        if (schema.schema !== undefined) await database.query(`drop schema "${schema.schema}" cascade`)
        await database.close()
        await directory.remove()
      })
      const makeWorld = worldsOver(() => database)
      const before = makeWorld()
      const { tenantId, owner, number } = await flowAccount(before, await newTenant(before))
      const template = await created(before, { kind: 'ACCOUNT', ...owner }, { officialStatus: 'APPROVED' })
      await before.stores.templates.listed(tenantId, owner.accountId)
      await revert(database)
      await database.close()
      database = await openDatabase({
        databaseUrl,
        dataDir: directory.path,
        log: silentLog,
        clock: systemClock,
        ...schema,
      })
      const after = makeWorld()
      const { flows, templates, numbers } = after.stores
      t.deepEqual(
        (await templates.list(number, EVERYTHING)).items.map(({ id }) => id),
        [template.id],
      )
      t.deepEqual(
        await templates.takeDueListings(10, 3_600_000, 600_000, 60_000),
        [],
        'its templates were listed a moment ago',
      )
      t.deepEqual(await flows.takeDueListings(10, 3_600_000, 60_000), [owner])
      const flow = await madeFlow(after, owner)
      t.deepEqual(await flows.find(number, flow.id), flow)
      await numbers.remove(tenantId, number.id)
      t.is(await flows.change(flow.id, () => ({ kind: 'KEEP' })), null)
      t.is((await templates.list(number, EVERYTHING)).total, 0)
    },
  )
}
