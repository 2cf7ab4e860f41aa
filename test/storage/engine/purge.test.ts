import test from 'ava'
import { InboundChangeEntity } from '../../../src/storage/changes/entity.ts'
import { PURGE_BATCH, purgePast } from '../../../src/storage/engine/purge.ts'
import { LoginFailuresEntity } from '../../../src/storage/login-failures/entity.ts'
import { PairingLinkEntity } from '../../../src/storage/pairing/entity.ts'
import { openTestDatabase, openTestPostgres, sharedDatabase } from '../../helpers/database.ts'
import { insertFilled } from '../../helpers/filled-rows.ts'
import { TEST_DATABASE_URL } from '../../helpers/test-servers.ts'
import { until } from '../../helpers/until.ts'

const NOW_MS = Date.UTC(2030, 0, 1)
const [PAST, FUTURE] = [-1, 1].map((ms) => new Date(NOW_MS + ms).toISOString()) as [string, string]

const database = sharedDatabase(test, openTestDatabase)

test.serial('rows past their time are removed, however many batches that takes, and spared rows stay', async (t) => {
  await database().query(
    `insert into inbound_changes (tenant_id, account_id, key, field, is_pending, received_at)
    select 'ten_1', 'acc_1', 'key ' || nth, 'field', nth > $1::integer, $2::timestamptz from generate_series(1, $1::integer + 1) as nth`,
    [PURGE_BATCH + 1, PAST],
  )
  await insertFilled(database(), 'inbound_changes', { received_at: FUTURE })
  t.is(await purgePast(database(), InboundChangeEntity, ['receivedAt'], NOW_MS, 'not is_pending'), PURGE_BATCH + 1)
  t.deepEqual(await database().query('select is_pending from inbound_changes order by position'), [
    { is_pending: true },
    { is_pending: false },
  ])
})

test.serial('of several columns of times the first one that is set decides whether a row is past', async (t) => {
  await insertFilled(database(), 'pairing_links', { token_hash: 'over', over_at: PAST, expires_at: FUTURE })
  await insertFilled(database(), 'pairing_links', { token_hash: 'expired', expires_at: PAST })
  await insertFilled(database(), 'pairing_links', { token_hash: 'live', expires_at: FUTURE })
  await insertFilled(database(), 'pairing_links', { token_hash: 'over later', over_at: FUTURE, expires_at: PAST })
  t.is(await purgePast(database(), PairingLinkEntity, ['overAt', 'expiresAt'], NOW_MS), 2)
  t.deepEqual(await database().query('select token_hash from pairing_links order by token_hash'), [
    { token_hash: 'live' },
    { token_hash: 'over later' },
  ])
})

const url = TEST_DATABASE_URL
if (url === null)
  test.skip('a failed login that is noted while its bucket is purged is counted (TEST_DATABASE_URL is not set)', () => {})
else
  test.serial('a failed login that is noted while its bucket is purged is counted', async (t) => {
    const { database: server, close } = await openTestPostgres(url)
    t.teardown(close)
    await insertFilled(server, 'login_failures', { bucket_hash: 'noted', ends_at: PAST })
    await insertFilled(server, 'login_failures', { bucket_hash: 'over', ends_at: PAST })
    const purging = await server.transaction(async (session) => {
      await session.query("update login_failures set ends_at = $1::timestamptz where bucket_hash = 'noted'", [FUTURE])
      const purge = purgePast(server, LoginFailuresEntity, ['endsAt'], NOW_MS)
      await until(
        'the purge waits for the row',
        async () =>
          (
            await server.query(
              "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from login_failures%'",
            )
          ).length > 0,
      )
      return { purge }
    })
    t.is(await purging.purge, 1)
    t.deepEqual(await server.query('select bucket_hash from login_failures'), [{ bucket_hash: 'noted' }])
  })
