import test from 'ava'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database } from '../../src/storage/engine/database.ts'
import { openStores } from '../../src/storage/stores.ts'
import { pagesOf, watched } from '../contracts/message-pages.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { newCall, ownedNumber, secondNumber } from '../contracts/world.ts'
import { openTestPglite, openTestPostgres, type TestDatabase } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'

/** Calls of the tenant, and of each of its peers. */
const CALLS = 20_000
const OF_PEER = 20
/** Numbers of the tenant, each with a webhook, and what each of both has at first and gets then. */
const NUMBERS = 300
const [FEW, MORE] = [15, 100]

/** Gives each number as many more calls in, messages that were not sent, and failed attempts of its webhook. */
async function fill(database: Database, from: number, to: number): Promise<void> {
  const each = `generate_series(${from + 1}, ${to}) n`
  for (const statement of [
    `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, created_at)
      select 'msg_' || n || id, tenant_id, id, provider, 'conv_' || id, 'DIRECT', 'OUTBOUND', 'FAILED', 'text', '{}', now() from channel_numbers, ${each}`,
    `insert into calls (id, tenant_id, number_id, provider, direction, status, peer_number, from_number, created_at, updated_at)
      select 'call_' || n || id, tenant_id, id, provider, 'INBOUND', 'COMPLETED', '49', '49', now(), now() from channel_numbers, ${each}`,
    `insert into webhook_logs (id, webhook_id, event_id, event, attempt, status, status_code, payload, response, duration_ms, created_at)
      select 'log_' || n || id, id, 'evt_' || n, 'call.ended', 1, 'FAILED', 500, '', '', 1, now() - n * interval '1 minute' from webhooks, ${each}`,
    'analyze',
  ])
    await database.chores.query(statement)
}

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

  // [dashboard.routes.1] [growth.indexes.1]
  test.serial(
    `${name}: the overview of a tenant that did nothing yet costs the same whether its ${NUMBERS} numbers have ${FEW} messages, calls and failed deliveries each or ${MORE}`,
    async (t) => {
      const { database, close } = await open()
      t.teardown(close)
      const world = worldsOver(() => database)(Date.now())
      const { tenantId, number } = await ownedNumber(world)
      await database.chores.query(
        `insert into channel_numbers (id, tenant_id, name, number, provider, settings, pii_mode, created_at, updated_at)
        select id || n, tenant_id, name, n, provider, settings, pii_mode, created_at, updated_at
        from channel_numbers, generate_series(2, ${NUMBERS}) n where id = $1`,
        [number.id],
      )
      await database.chores.query(
        `insert into webhooks (id, tenant_id, number_id, provider, url, events, sealed_secret, last_triggered, failing_since, created_at, updated_at)
        select 'wh_' || id, tenant_id, id, provider, 'https://a.example', '["*"]', '', now(), case when number in ('2', '3') then now() end, now(), now() from channel_numbers`,
      )
      const seen: number[] = []
      const { overview } = openStores({
        database: watched(database, seen),
        cipher: new AesCipher(Buffer.alloc(32)),
        clock: world.clock,
      })
      for (const [from, to] of [
        [0, FEW],
        [FEW, MORE],
      ] as const) {
        await fill(database, from, to)
        const { numbers, checklist, failing, liveCalls } = await overview.read(tenantId)
        t.deepEqual([numbers.CLOSE, liveCalls, failing.length, failing[0]?.failed24h], [NUMBERS, 0, 2, to])
        t.false(Object.values(checklist).includes(true))
      }
      const [few = 0, more = 0] = seen
      t.is(seen.length, 2, 'each is one statement')
      t.true(more < few * 1.5, `with few rows it looked at ${few} pages, with more at ${more}`)
    },
  )
}

readSuite('PGlite', openTestPglite)
const url = TEST_DATABASE_URL
if (url === null) test.skip('reads of a tenant on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
else readSuite('PostgreSQL', () => openTestPostgres(url))
