import test from 'ava'
import { openJobs } from '../../src/jobs/jobs.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { lookForDue, ROWS_DUE } from '../../src/storage/due.ts'
import { openTestPglite, openTestPostgres, type TestDatabase } from '../helpers/database.ts'
import { insertFilled, type Filled } from '../helpers/filled-rows.ts'
import { silentLog } from '../helpers/silent.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'

const NOW_MS = Date.UTC(2030, 0, 1)
const [PAST, FUTURE] = [-1_000, 1_000].map((ms) => new Date(NOW_MS + ms).toISOString()) as [string, string]

/**
 * For each kind of work: its table, the fields of a row that waits for it, and the fields of a row of the same table
 * that does not.
 */
const WAITING: Readonly<Record<string, readonly [table: string, waits: Filled, rests?: Filled]>> = {
  events: ['outbox', {}],
  sends: ['messages', { due_at: FUTURE }, { due_at: null }],
  changes: ['inbound_changes', { is_pending: true }, { is_pending: false }],
  accounts: ['account_changes', {}],
  errands: ['number_errands', { due_at: PAST }, { due_at: FUTURE }],
  notices: ['lead_notices', {}],
  autoSends: ['leads', { auto_send_due_at: PAST }, { auto_send_due_at: FUTURE }],
  backfills: ['lead_backfills', { due_at: PAST, status: 'RUNNING' }, { due_at: FUTURE, status: 'RUNNING' }],
  templates: ['templates', { ask: 'CREATE', number_id: 'num_1' }, { ask: null, number_id: 'num_1' }],
  flows: ['flows', { ask: 'CREATE' }, { ask: null }],
}

async function due(database: Database): Promise<string[]> {
  return [...(await lookForDue(database, ROWS_DUE, NOW_MS))].toSorted()
}

function lookSuite(name: string, open: () => Promise<TestDatabase>): void {
  test.serial(`${name}: one look finds all waiting work and nothing else`, async (t) => {
    const { database, close } = await open()
    t.teardown(close)
    t.deepEqual(await due(database), [], 'an empty database')
    for (const [table, , rests] of Object.values(WAITING)) if (rests) await insertFilled(database, table, rests)
    t.deepEqual(await due(database), [], 'what rests')
    for (const [table, waits] of Object.values(WAITING)) await insertFilled(database, table, waits)
    t.deepEqual(await due(database), Object.keys(WAITING).toSorted())
  })

  test.serial(`${name}: a number that was handed over and is paired no more is looked at by nobody`, async (t) => {
    const { database, close } = await open()
    t.teardown(close)
    await insertFilled(database, 'channel_numbers', { id: 'num_1', sealed_credentials: 'sealed' })
    await insertFilled(database, 'number_leases', { number_id: 'num_1', node_id: null, is_wanted: true })
    t.deepEqual(await due(database), ['wanted'])
    await database.query("update channel_numbers set sealed_credentials = null where id = 'num_1'")
    t.deepEqual(await due(database), [])
  })

  test.serial(
    `${name}: jobs are due from their time until they are fetched, and again if they are not ended in time`,
    async (t) => {
      const { database, close } = await open()
      t.teardown(close)
      const jobs = await openJobs(database, silentLog)
      t.teardown(() => jobs.close())
      const dueJobs = async () => [...(await lookForDue(database, { ...ROWS_DUE, ...jobs.due }, NOW_MS))]
      t.deepEqual(await dueJobs(), [])
      await database.transaction((session) => jobs.insert(session, [{ group: 'later', data: {}, delayMs: 3_600_000 }]))
      t.deepEqual(await dueJobs(), [])
      await database.transaction((session) => jobs.insert(session, [{ group: 'now', data: {}, delayMs: 0 }]))
      t.deepEqual(await dueJobs(), ['deliveries'])
      t.is((await database.transaction((session) => jobs.fetch(session, 10, []))).length, 1)
      t.deepEqual(await dueJobs(), [])
      await database.query(
        `update ${jobs.table} set started_on = started_on - interval '61 seconds' where state = 'active'`,
      )
      t.deepEqual(await dueJobs(), ['expiries'])
      await jobs.supervise()
      t.deepEqual(await dueJobs(), ['deliveries'])
    },
  )
}

lookSuite('PGlite', openTestPglite)
const url = TEST_DATABASE_URL
if (url === null) test.skip('the look on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
else lookSuite('PostgreSQL', () => openTestPostgres(url))
