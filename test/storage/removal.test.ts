import test from 'ava'
import { randomBytes } from 'node:crypto'
import { newId } from '../../src/domain/ids.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { openNumbers } from '../../src/storage/provisioning/numbers.ts'
import { ENTITIES } from '../../src/storage/entities.ts'
import { openTestPglite, openTestPostgres, type TestDatabase } from '../helpers/database.ts'
import { FakeClock } from '../helpers/fake-clock.ts'
import { insertFilled, type Filled } from '../helpers/filled-rows.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'

const OF_NUMBERS = ENTITIES.map(({ meta }) => meta)
  .filter((meta) => 'numberId' in meta.properties)
  .map((meta) => meta.tableName)

/** The fields that a row of a table needs besides its owner. */
const HELD: Readonly<Record<string, Filled>> = {
  flow_response_counts: { flow_id: 'flow_1' },
  inbound_changes: { is_pending: true },
  set_aside: { line: 'changes' },
  templates: { account_id: null },
}
const WITHOUT_TENANT = new Set(
  ENTITIES.map(({ meta }) => meta)
    .filter((meta) => !('tenantId' in meta.properties))
    .map((meta) => meta.tableName),
)

/** Tables that keep rows of a removed number, each with the reason. */
const KEPT: Readonly<Record<string, string>> = {
  events: 'they are told, its end among them',
  message_files: 'whoever purges files takes them, with what lies on the disk',
  usage_days: 'what was used stays with the tenant',
  webhooks: 'they turn invisible, and go once number.removed was told',
}

function removalSuite(name: string, open: () => Promise<TestDatabase>): void {
  // [handling.notes.4]
  test.serial(
    `${name}: no table keeps rows of a removed number, except those that are listed with a reason`,
    async (t) => {
      const { database, close } = await open()
      t.teardown(close)
      const [tenantId, numberId] = [newId('ten'), newId('num')]
      await insertFilled(database, 'tenants', { id: tenantId })
      await insertFilled(database, 'channel_numbers', {
        id: numberId,
        tenant_id: tenantId,
        official_account_id: 'acc_1',
        official_phone_id: 'phone_1',
      })
      await insertFilled(database, 'official_accounts', { account_id: 'acc_1', tenant_id: tenantId })
      await insertFilled(database, 'flows', { id: 'flow_1', account_id: 'acc_1', tenant_id: tenantId })
      for (const table of OF_NUMBERS) {
        await insertFilled(database, table, {
          number_id: numberId,
          ...(WITHOUT_TENANT.has(table) ? {} : { tenant_id: tenantId }),
          ...HELD[table],
        })
      }
      await insertFilled(database, 'leads', {
        number_id: numberId,
        tenant_id: tenantId,
        erased_at: '2020-01-01T00:00:00Z',
      })
      const numbers = openNumbers({
        database,
        cipher: new AesCipher([randomBytes(32)]),
        clock: new FakeClock(),
        onEvents: () => {},
        onMoved: { call: () => {}, number: () => {}, conversation: () => {} },
      }).numbers

      t.true(await numbers.remove(tenantId, numberId))

      const left: string[] = []
      for (const table of OF_NUMBERS)
        if ((await database.query(`select 1 from ${table} where number_id = $1 limit 1`, [numberId])).length > 0)
          left.push(table)
      t.deepEqual(left.toSorted(), Object.keys(KEPT).toSorted())
    },
  )
}

removalSuite('PGlite', openTestPglite)
const url = TEST_DATABASE_URL
if (url === null) test.skip('removal on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
else removalSuite('PostgreSQL', () => openTestPostgres(url))
