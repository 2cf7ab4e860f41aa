import { createHash, randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import test from 'ava'
import { Client, Pool } from 'pg'
import { assertLeaseOrders } from '../../../../test/contracts/lease-orders.ts'
import { until } from '../../../../test/helpers/until.ts'
import { newId, type NodeId } from '../../../../src/domain/ids.ts'
import { leaseTimesOf } from '../../../../src/domain/lease-times.ts'
import { systemClock } from '../../../../src/process/clock.ts'
import { createLog } from '../../process/log.ts'
import { HeldElsewhere, HoldFault } from '../../store/hold.ts'
import { configOf, openPostgres } from '../../store/postgres/postgres-driver.ts'
import { leaseRows } from '../../store/postgres/lease-rows.ts'
import { functions, LEASES, SCHEMA_VERSION, TABLES } from '../../store/postgres/schema.ts'
import { createStore, type Store } from '../../store/store.ts'
import { KEY } from '../helpers/open-store.ts'
import { runOn, testWithPostgres } from '../helpers/test-database.ts'

const [one, two] = [Buffer.from([1]), Buffer.from([2])]

/** Engines on one schema, each with an id of its own; leases last far longer than a test unless `ttlMs` says else. */
function fleet(t: ExecutionContext, url: string, ttlMs = 600_000) {
  const schema = `engine_${randomBytes(6).toString('hex')}`
  t.teardown(() => runOn(url, `drop schema if exists ${schema} cascade`))
  const log = createLog('silent', () => {})
  return {
    schema,
    run: (sql: string, values: unknown[] = []) => runOn(url, sql.replaceAll('engine.', `${schema}.`), values),
    async open(engineId: string): Promise<Store> {
      const options = { url, schema, key: KEY, engineId, times: leaseTimesOf(ttlMs), clock: systemClock, log }
      const store = createStore(await openPostgres(options), KEY, () => Date.now())
      t.teardown(() => store.close().catch(() => {}))
      return store
    },
  }
}

/** Holds all keys of a schema, so that no commit that changes one is answered. */
async function holdKeys(t: ExecutionContext, url: string, schema: string): Promise<Client> {
  const client = new Client(url)
  await client.connect()
  t.teardown(() => client.end())
  await client.query(`begin; select from ${schema}.keys for update`)
  return client
}

/** Gives the number to another engine, as a taker does once the lease is over. */
const TAKE = "update engine.number_leases set engine_id = 'eng_other', token = token + 1"

// [engine-fleet.store.3]
testWithPostgres(
  'a number that an engine holds is not opened by another, which is told who holds it',
  async (t, url) => {
    const { open } = fleet(t, url)
    const [first, second] = [await open('eng_1'), await open('eng_2')]
    await first.number('num_1')
    const error = await t.throwsAsync(second.number('num_1'), { instanceOf: HeldElsewhere })
    t.is(error.engineId, 'eng_1')
    t.true(error.leftMs > 0 && error.leftMs <= 600_000)
    await t.notThrowsAsync(second.number('num_2'), 'other numbers are free')
  },
)

// [engine-fleet.takeover.2]
testWithPostgres(
  'a number that was given back is opened by another engine at once, with all that was stored',
  async (t, url) => {
    const { open } = fleet(t, url)
    const [first, second] = [await open('eng_1'), await open('eng_2')]
    const number = await first.number('num_1')
    await number.keys.set({ session: { a: one } })
    await number.hold.release()
    t.true(number.hold.over.aborted)
    t.deepEqual(await (await second.number('num_1')).keys.get('session', ['a']), { a: one })
  },
)

// [engine-fleet.store.3]
testWithPostgres(
  'an engine whose number was taken can neither write nor read it: its hold is over before it is told',
  async (t, url) => {
    const { open, run } = fleet(t, url)
    const store = await open('eng_1')
    const [mine, read] = await Promise.all([store.number('num_1'), store.number('num_2')])
    await mine.keys.set({ session: { a: one } })
    await run(TAKE)
    const words: string[] = []
    mine.hold.over.addEventListener('abort', () => words.push('over'))
    const write = mine.keys.set({ session: { a: two } })
    await t.throwsAsync(
      write.catch((error: unknown) => {
        words.push('told')
        throw error
      }),
      { instanceOf: HoldFault },
    )
    t.deepEqual(words, ['over', 'told'])
    // A query that would find no row fails, too: nothing is not an answer.
    await t.throwsAsync(async () => read.keys.get('pre-key', ['9']), { instanceOf: HoldFault })
    t.true(read.hold.over.aborted)
    t.is((await run("select from engine.keys where number_id = 'num_1'")).length, 1)
    await t.throwsAsync(store.number('num_1'), { instanceOf: HeldElsewhere })
  },
)

// [engine-fleet.store.3]
testWithPostgres('a number that was taken undoes nothing of the others in the same commit', async (t, url) => {
  const { open, run } = fleet(t, url)
  const store = await open('eng_1')
  const [taken, kept] = await Promise.all([store.number('num_1'), store.number('num_2')])
  await run(`${TAKE} where number_id = 'num_1'`)
  const outcomes = await Promise.allSettled([
    taken.keys.set({ session: { a: one } }),
    kept.keys.set({ session: { a: one } }),
  ])
  t.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  t.false(kept.hold.over.aborted)
  t.deepEqual(await run('select number_id from engine.keys'), [{ number_id: 'num_2' }])
})

// [engine-fleet.store.3]
testWithPostgres(
  'who takes a number waits for a commit under way and reads what it stored; a renewal does not wait',
  async (t, url) => {
    const { open, run, schema } = fleet(t, url)
    const [first, second] = [await open('eng_1'), await open('eng_2')]
    const number = await first.number('num_1')
    await number.keys.set({ session: { a: one } })
    const other = await holdKeys(t, url, schema)
    const commit = number.keys.set({ session: { a: two } })
    const waiting = async (many: number) =>
      (
        await runOn(url, "select from pg_stat_activity where query like $1 and wait_event_type = 'Lock'", [
          `%${schema}%`,
        ])
      ).length === many
    await until('the commit waits', () => waiting(1))
    await run("update engine.number_leases set expires_at = clock_timestamp() - interval '1 day'")
    const taking = second.number('num_1')
    await until('the taker waits', () => waiting(2))
    await other.query('commit')
    await commit
    t.deepEqual(await (await taking).keys.get('session', ['a']), { a: two })
  },
)

// [engine-fleet.store.7]
testWithPostgres(
  'when a connection breaks during a commit nobody knows what is stored: the hold is over, and the number is opened anew',
  async (t, url) => {
    const { open, schema } = fleet(t, url)
    const store = await open('eng_1')
    const number = await store.number('num_1')
    await number.keys.set({ session: { a: one } })
    const other = await holdKeys(t, url, schema)
    const commit = number.keys.set({ session: { a: two } })
    const cut = async () =>
      (
        await runOn(
          url,
          "select pg_terminate_backend(pid) from pg_stat_activity where query like $1 and wait_event_type = 'Lock'",
          [`%${schema}%`],
        )
      ).length > 0
    await until('its connection is cut', cut)
    await t.throwsAsync(commit, { instanceOf: HoldFault })
    t.true(number.hold.over.aborted)
    await other.query('rollback')
    const again = await store.number('num_1')
    t.true(again.hold.token > number.hold.token)
    t.deepEqual(await again.keys.get('session', ['a']), { a: one })
    await t.throwsAsync(
      number.keys.set({ session: { a: two } }),
      { instanceOf: HoldFault },
      'the earlier one stays over',
    )
  },
)

testWithPostgres('a fault of the values ends no hold', async (t, url) => {
  const number = await (await fleet(t, url).open('eng_1')).number('num_1')
  const event = { op: 'event.put', numberId: 'num_1', seq: 5, ev: 'a', messageKey: null, value: one } as const
  await t.throwsAsync(number.write([event, event]))
  t.true(number.hold.isSure())
  await t.notThrowsAsync(number.write([event]))
})

// [engine-fleet.store.6] [engine-fleet.takeover.1]
testWithPostgres(
  'the numbers of an engine that is gone are free once their leases and the grace are over',
  async (t, url) => {
    const { open, run } = fleet(t, url)
    const gone = await open('eng_1')
    await gone.number('num_1')
    const second = await open('eng_2')
    // Its process does not run any more, so nobody renews.
    await run("update engine.number_leases set expires_at = clock_timestamp() - interval '1 second'")
    await t.throwsAsync(second.number('num_1'), { instanceOf: HeldElsewhere }, 'the grace is not over')
    await run("update engine.number_leases set expires_at = clock_timestamp() - interval '201 seconds'")
    await t.notThrowsAsync(second.number('num_1'))
  },
)

// [engine-fleet.store.6]
testWithPostgres(
  'in every order leases are taken, renewed, reclaimed and released as their rows say',
  async (t, url) => {
    const { open, schema } = fleet(t, url)
    await open('eng_1')
    const pool = new Pool(configOf(url))
    t.teardown(() => pool.end())
    const leases = (engineId: string, times: object = {}) =>
      leaseRows({ pool, schema, engineId: engineId as NodeId, times: { ...leaseTimesOf(600_000), ...times } })
    await t.notThrowsAsync(assertLeaseOrders(async () => newId('num'), leases))
  },
)

test('whoever changes the statements of the PostgreSQL store raises its version, since engines of two versions run side by side', (t) => {
  const digest = createHash('sha256').update(TABLES).update(LEASES).update(functions('engine')).digest('hex')
  t.deepEqual([SCHEMA_VERSION, digest.slice(0, 12)], [2, 'b56582ff44e6'])
})
