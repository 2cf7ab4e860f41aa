import { AsyncResource } from 'node:async_hooks'
import test from 'ava'
import { newId } from '../../src/domain/ids.ts'
import { LongConversations } from '../../src/storage/messages/long-conversations.ts'
import { messageChangePurgeSuite } from '../contracts/message-changes.ts'
import { keyFillSuite } from '../contracts/message-keys.ts'
import { messageCountsSuite, SMALL } from '../contracts/message-counts.ts'
import { accepted, ALL, PEER } from '../contracts/message-world.ts'
import { ownedNumber } from '../contracts/world.ts'
import { openTestPostgres, sharedDatabase } from '../helpers/database.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('totals keep their contract on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
} else {
  const database = sharedDatabase(test, () => openTestPostgres(url))
  const makeWorld = worldsOver(database)
  const makeLooks = () => new LongConversations({ database: database() }, SMALL)
  messageCountsSuite(test, 'PostgreSQL', makeWorld, makeLooks)
  messageChangePurgeSuite(test, 'PostgreSQL', makeWorld)

  test.serial(
    'rows of a statement that began before its conversation was found long are counted, however long it takes',
    async (t) => {
      const world = makeWorld()
      const owned = await ownedNumber(world)
      for (let n = 0; n < 5; n++) await accepted(world, owned)
      const looks = makeLooks()
      // Bound outside the transaction, because the database would otherwise run it inside.
      const look = AsyncResource.bind(() => looks.look())
      const isComplete = AsyncResource.bind(() =>
        database().query<{ is_complete: boolean }>(
          'select is_complete from counted_conversations where number_id = $1',
          [owned.number.id],
        ),
      )
      const total = AsyncResource.bind(
        async () =>
          (await world.stores.messages.history(owned.number.id, { ...ALL, direction: 'OUTBOUND', peer: PEER })).total,
      )
      await database().transaction(async (session) => {
        // Inserts as a statement that does not know the long conversation: it adds nothing to the counts.
        await session.query(
          `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, created_at)
        select $2, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, created_at from messages where number_id = $1 limit 1`,
          [owned.number.id, newId('msg')],
        )
        for (let turn = 0; turn < 4; turn++) await look()
        t.deepEqual(await isComplete(), [{ is_complete: false }])
        t.is(await total(), 5)
      })
      t.is(await total(), 6)
      await until('its counts are complete', async () => {
        await look()
        return (await isComplete())[0]?.is_complete === true
      })
      t.is(await total(), 6)
      await accepted(world, owned)
      t.is(await total(), 7)
    },
  )
  // Last, because it moves the positions that the others step through.
  keyFillSuite(test, 'PostgreSQL', makeWorld, database)
}
