import test from 'ava'
import { HEADS_AHEAD, HEADS_APART, LIST_DUE, NEXT_DUE } from '../../src/storage/messages/queue-sql.ts'
import type { SqlParameter } from '../../src/storage/engine/database.ts'
import { newBatch } from '../contracts/message-batches.ts'
import { accepted, ALL, DAY_MS, HOUR_MS, received } from '../contracts/message-world.ts'
import { ownedNumber } from '../contracts/world.ts'
import { openTestPostgres, sharedDatabase } from '../helpers/database.ts'
import { pagesRead } from '../helpers/pages-read.ts'
import { TEST_DATABASE_URL } from '../helpers/test-servers.ts'
import { until } from '../helpers/until.ts'
import { worldsOver } from '../contracts/sql-worlds.ts'
import { messageSuites } from './suites.ts'

const url = TEST_DATABASE_URL
if (url === null) {
  test.skip('messages keep their contract on PostgreSQL (TEST_DATABASE_URL is not set)', () => {})
} else {
  const database = sharedDatabase(test, () => openTestPostgres(url))
  messageSuites(test, 'PostgreSQL', database)

  test('a lease that is being renewed holds off its own number alone', async (t) => {
    const world = worldsOver(database)()
    const numbers = [await ownedNumber(world), await ownedNumber(world), await ownedNumber(world)] as const
    const messages = [
      await accepted(world, numbers[0]),
      await accepted(world, numbers[1]),
      await accepted(world, numbers[2]),
    ] as const
    const settle = (n: 0 | 1 | 2) =>
      world.stores.queue.settle(numbers[n].fence, {
        messageId: messages[n].id,
        kind: 'sent',
        externalMessageId: `lease.${n}`,
      })
    const statusOf = async (n: 0 | 1 | 2) =>
      (await world.stores.messages.find(numbers[n].number.id, messages[n].id))?.status
    let settling: Promise<string[]> = Promise.resolve([])
    await database().transaction(async (session) => {
      // It idles as long as a slow machine takes for the others.
      await session.query('set local idle_in_transaction_session_timeout = 0')
      await session.query('update number_leases set expires_at = expires_at where number_id = $1', [
        numbers[1].number.id,
      ])
      // The first one runs alone; the others share the next statement.
      settling = Promise.all([settle(0), settle(1), settle(2)])
      await until('the other number is written', async () => (await statusOf(2)) === 'SENT')
      t.is(await statusOf(1), 'QUEUED')
    })
    t.deepEqual(await settling, ['applied', 'applied', 'applied'])
    t.is(await statusOf(1), 'SENT')
  })

  // [identities.joining.4]
  test('two conversations of 12,000 messages become one without a message that moves, beside purges and what comes in', async (t) => {
    const world = worldsOver(database)()
    const [owned, other] = [await ownedNumber(world), await ownedNumber(world)]
    const [digits, userId] = ['4915100000099', 'DE.99']
    for (const peer of [userId, digits]) await received(world, owned, { peer, from: peer, events: [] })
    await database().chores.query(
      `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, created_at)
      select m.id || g, m.tenant_id, m.number_id, m.provider, m.conversation_id, m.conversation_type, m.direction, m.status, m.type, m.content, m.created_at
      from messages m, generate_series(1, 12000) g where m.number_id = $1`,
      [owned.number.id],
    )
    const idsOf = async () =>
      (
        await database().query<{ ids: string }>(
          `select string_agg(distinct conversation_id, ' ') as ids from messages where number_id = $1`,
          [owned.number.id],
        )
      )[0]?.ids
    const before = await idsOf()
    const naming = world.stores.inbox.name(owned.fence, { addresses: [digits, userId] })
    const results = await Promise.all([
      naming,
      world.stores.messages.purge(),
      received(world, other, { events: [] }),
      received(world, owned, { peer: userId, from: userId, events: [] }),
    ])
    t.is(results[0], 'applied')
    const history = async (peer: string) =>
      (await world.stores.messages.history(owned.number.id, { ...ALL, direction: 'INBOUND', peer })).total
    t.is(await history(digits), 24_003)
    t.is(await history(userId), 24_003)
    t.is(await idsOf(), before, 'messages stay where they are')
    t.like(await world.stores.messages.conversations(owned.number.id, { page: 1, pageSize: 2 }), {
      total: 1,
      items: [{ peer: digits, unreadCount: 3 }],
    })
  })

  // [messages.failures.10] [messages.failures.11]
  test('messages of a batch end when they waited too long, like others', async (t) => {
    const opened = await openTestPostgres(url)
    t.teardown(opened.close)
    const world = worldsOver(() => opened.database)()
    const owned = await ownedNumber(world)
    const deliverUntil = new Date(world.clock.now() + HOUR_MS)
    const batch = newBatch(world, owned, 3, {}, (at) => (at === 0 ? { deliverUntil } : {}))
    await world.stores.messageBatches.accept(batch, null)
    const counts = async () => (await world.stores.messageBatches.find(owned.number.id, batch.id))?.counts
    world.clock.advance(HOUR_MS)
    t.is(await world.stores.queue.expire(100, 60_000), 1)
    t.deepEqual(await counts(), { FAILED: 1, QUEUED: 2 })
    world.clock.advance(7 * DAY_MS)
    t.is(await world.stores.queue.expire(100, 60_000), 2)
    t.deepEqual(await counts(), { FAILED: 3 })
  })

  // [growth.indexes.1]
  test('a queue of 60,000 messages is never read for its heads, be they of one conversation or of as many', async (t) => {
    const opened = await openTestPostgres(url)
    t.teardown(opened.close)
    const world = worldsOver(() => opened.database)()
    const [one, many] = [await ownedNumber(world), await ownedNumber(world)]
    for (const [{ tenantId, number }, conversation] of [
      [one, "'conv_one'"],
      [many, "'conv_' || md5(n::text)"],
    ] as const) {
      await opened.database.chores.query(
        `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, to_address, outgoing, due_at, created_at)
        select 'msg_' || $2::text || n, $1, $2, 'UNOFFICIAL', ${conversation}, 'DIRECT', 'OUTBOUND', 'QUEUED', 'text', '4915100000001', '{}', '2026-01-01', '2026-01-01'
        from generate_series(1, 60000) n`,
        [tenantId, number.id],
      )
    }
    await opened.database.chores.query('analyze messages')
    const now = new Date(world.clock.now() + 1).toISOString()
    const pages = async (sql: string, parameters: SqlParameter[]) =>
      (await pagesRead(opened.database, sql, parameters)).count
    const whole = await pages('select count(*) from messages where number_id = $1 and outgoing is not null', [
      one.number.id,
    ])
    t.true(whole > 1_000, `the whole queue is ${whole} pages`)
    for (const { number } of [one, many]) {
      t.true(
        (await pages(HEADS_AHEAD.sql, [
          JSON.stringify([
            {
              place: 0,
              number_id: number.id,
              passed: [],
              page: 10,
              wants_batches: true,
            },
          ]),
          now,
        ])) < 700,
      )
      t.true((await pages(HEADS_APART, [number.id, now, [], 10, 'conv_'])) < 4_000)
      t.true((await pages(NEXT_DUE, [number.id, now])) < 50)
    }
    t.true((await pages(HEADS_APART, [one.number.id, now, [], 10, ''])) < 50, 'a long queue is one step')
    t.true((await pages(LIST_DUE, [now, 100])) < 50)
    t.is((await world.stores.queue.heads(one.number.id, [], 10)).length, 1)
    t.is((await world.stores.queue.heads(many.number.id, [], 10)).length, 10)
  })
}
