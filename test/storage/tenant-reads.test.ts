import test from 'ava'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import { openStores } from '../../src/storage/stores.ts'
import { pagesOf, watched } from '../contracts/message-pages.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { newCall, ownedNumber, secondNumber } from '../contracts/world.ts'
import { openTestPglite, openTestPostgres, type TestDatabase } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'

/** Calls of the tenant, and of each of its peers. */
const CALLS = 20_000
const OF_PEER = 20

function readSuite(name: string, open: () => Promise<TestDatabase>): void {
  // [dashboard.routes.2] [growth.indexes.1]
  test.serial(
    `${name}: a page of a tenant's calls is read without the ${CALLS} calls it has, whatever it is narrowed to, also to what there is none of`,
    async (t) => {
      const { database, close } = await open()
      t.teardown(close)
      const world = worldsOver(() => database)()
      const owned = await ownedNumber(world)
      const other = await secondNumber(world, owned)
      const call = newCall(owned, { status: 'COMPLETED', direction: 'INBOUND' })
      await world.stores.calls.insert(owned.fence, call, [])
      await database.chores.query(
        `insert into calls (id, tenant_id, number_id, provider, direction, status, peer_number, from_number, created_at, updated_at)
        select 'call_' || n, tenant_id, case when n % 100 = 7 then $1 else number_id end, provider, direction, status, '49' || n / ${OF_PEER}, from_number, created_at - n * interval '1 minute', updated_at
        from calls, generate_series(1, ${CALLS}) n`,
        [other.number.id],
      )
      await database.chores.query('analyze calls')
      const whole = await pagesOf(database, 'select count(sdp_offer) from calls')
      t.true(whole > 300, `all calls are ${whole} pages`)
      const seen: number[] = []
      const { calls } = openStores({
        database: watched(database, seen),
        cipher: new AesCipher(Buffer.alloc(32)),
        clock: world.clock,
      })
      const all = { limit: 25, before: null, numberId: null, status: null, direction: null, peerNumber: null }
      for (const [narrow, found] of [
        [{}, 25],
        [{ before: `call_${CALLS / 2}` }, 25],
        [{ status: 'COMPLETED' }, 25],
        [{ status: 'FAILED' }, 0],
        [{ direction: 'OUTBOUND' }, 0],
        [{ direction: 'INBOUND', before: `call_${CALLS - 3}` }, 3],
        [{ peerNumber: '497' }, OF_PEER],
        [{ peerNumber: '497', status: 'FAILED' }, 0],
        [{ numberId: other.number.id }, 25],
      ] as const) {
        const page = await calls.listOfTenant(owned.tenantId, { ...all, ...narrow })
        t.is(page?.length, found, JSON.stringify(narrow))
        t.true(Math.max(...seen) < 150, `${JSON.stringify(narrow)} looked at ${Math.max(...seen)} pages`)
      }
    },
  )
}

readSuite('PGlite', openTestPglite)
const url = TEST_DATABASE_URL
if (url === null) test.skip('reads of a tenant on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
else readSuite('PostgreSQL', () => openTestPostgres(url))
