import { randomBytes } from 'node:crypto'
import type { TestFn } from 'ava'
import { FILLS } from '../../migrations/0008-message-counts.ts'
import { KEEP_LONG } from '../../migrations/0009-long-conversations.ts'
import { AesCipher } from '../../src/storage/engine/cipher.ts'
import type { Database, KeptStatement, SqlParameter } from '../../src/storage/engine/database.ts'
import { SqlMessageStore } from '../../src/storage/messages/store.ts'
import { worldsOver } from './sql-worlds.ts'
import { ALL, DAY_MS, PEER, received } from './message-world.ts'
import { ownedNumber, type Owned, type World } from './world.ts'

/** Messages of the busy peer, and of 4,000 other peers together. */
const BUSY = 20_000
const OTHERS = 20_000
const DAYS = 40
const USER_ID = 'DE.4711'

type Plan = readonly [{ readonly Plan: Readonly<Record<string, number>> }]

/** The number of 8 KB pages that a statement reads. */
export async function pagesOf(
  database: Database,
  sql: string,
  parameters: readonly SqlParameter[] = [],
): Promise<number> {
  const rows = await database.query<{ 'QUERY PLAN': string | Plan }>(
    `explain (analyze, buffers, format json) ${sql}`,
    parameters,
  )
  const plan = rows[0]?.['QUERY PLAN'] ?? '[]'
  const [{ Plan: top }] = typeof plan === 'string' ? (JSON.parse(plan) as Plan) : plan
  return (top['Shared Hit Blocks'] ?? 0) + (top['Shared Read Blocks'] ?? 0)
}

/** Wraps the database so that it records how many pages each query of a store reads. */
export function watched(database: Database, seen: number[]): Database {
  const query: Database['query'] = async (sql, parameters) => {
    seen.push(await pagesOf(database, sql, parameters))
    return database.query(sql, parameters)
  }
  const session = {
    query,
    queryKept: ({ sql }: KeptStatement, parameters: readonly SqlParameter[]) => query(sql, parameters),
  }
  const queries: Readonly<Record<string | symbol, unknown>> = { ...session, lists: session }
  const own = (key: string | symbol): unknown => {
    const value: unknown = Reflect.get(database, key, database)
    return typeof value === 'function' ? value.bind(database) : value
  }
  return new Proxy(database, { get: (_, key) => queries[key] ?? own(key) })
}

/**
 * Statements that remove dead rows from the counts. A vacuum would keep those that any transaction of the database
 * could still see.
 */
const WITHOUT_DEAD_ROWS = [
  'create table live_counts as table conversation_counts',
  'truncate conversation_counts',
  'insert into conversation_counts table live_counts',
  'drop table live_counts',
  'analyze conversation_counts',
]

/**
 * Fills the busy conversation among many short ones with ids in no order: the planner takes a conversation that it does
 * not know by name for a short one.
 */
async function fill({ chores }: Database, { number }: Owned, endMs: number): Promise<void> {
  await chores.query(
    `insert into messages (id, tenant_id, number_id, provider, conversation_id, conversation_type, direction, status, type, content, created_at)
    select 'msg_' || n, m.tenant_id, m.number_id, m.provider, case when n % 2 = 0 then m.conversation_id else 'conv_' || md5((n % 8000)::text) end,
      m.conversation_type, m.direction, m.status, m.type, m.content, $2::timestamptz - n * (interval '${DAYS} days' / $3::integer)
    from messages m, generate_series(1, $3::integer) n where m.number_id = $1`,
    [number.id, new Date(endMs).toISOString(), BUSY + OTHERS],
  )
  // The messages are not vacuumed, as recent ones never are. The dead rows of counts do not matter to the test.
  await chores.query('truncate number_counts, conversation_counts, counted_conversations')
  for (const statement of [...FILLS, ...KEEP_LONG, ...WITHOUT_DEAD_ROWS, 'analyze messages'])
    await chores.query(statement)
}

/** A number with many messages, in a world of its own. */
export interface Busy {
  readonly world: World
  readonly owned: Owned
  readonly cipher: AesCipher
}

/** Makes the number on first use, once for each database. */
export function busyNumber(database: () => Database): () => Promise<Busy> {
  let made: Promise<Busy> | null = null
  const make = async () => {
    const cipher = new AesCipher(randomBytes(32))
    const world = worldsOver(database, undefined, cipher)()
    const owned = await ownedNumber(world)
    await received(world, owned, { events: [] })
    await fill(database(), owned, world.clock.now())
    return { world, owned, cipher }
  }
  return () => (made ??= make())
}

/** Measures the cost of lists. It needs a database of its own, because other rows change the plans. */
export function messagePagesSuite(
  test: TestFn,
  name: string,
  database: () => Database,
  busy: () => Promise<Busy>,
): void {
  // [growth.indexes.1]
  test.serial(
    `${name}: a page of a peer and its total are read without the ${BUSY} messages of the peer, by either name, with dates and without`,
    async (t) => {
      const { world, owned, cipher } = await busy()
      t.is(await world.stores.inbox.name(owned.fence, { addresses: [PEER, USER_ID] }), 'applied')
      const whole = await pagesOf(
        database(),
        'select count(content) from messages where number_id = $1 and conversation_type = $2',
        [owned.number.id, 'DIRECT'],
      )
      t.true(whole > 1_000, `the past is ${whole} pages`)
      const seen: number[] = []
      const store = new SqlMessageStore({
        database: watched(database(), seen),
        cipher,
        clock: world.clock,
        onChanged: () => {},
      })
      const dates = {
        startDate: new Date(world.clock.now() - (DAYS - 1) * DAY_MS),
        endDate: new Date(world.clock.now() - DAY_MS),
      }
      for (const peer of [PEER, USER_ID]) {
        for (const [range, total] of [
          [{}, BUSY + 1],
          [dates, (BUSY * (DAYS - 2)) / DAYS + 1],
        ] as const) {
          const history = await store.history(owned.number.id, {
            ...ALL,
            ...range,
            direction: 'INBOUND',
            peer,
            pageSize: 20,
          })
          t.is(history.total, total)
          t.is(history.items.length, 20)
        }
      }
      t.is(seen.length, 8)
      t.true(Math.max(...seen) < 200, `pages looked at: ${seen.join(', ')}`)
    },
  )
}
