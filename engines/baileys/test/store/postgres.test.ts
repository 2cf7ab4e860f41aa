import { randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { createStore, type Store } from '../../store/store.ts'
import { leaseTimesOf } from '../../../../src/domain/lease-times.ts'
import { systemClock } from '../../../../src/process/clock.ts'
import { createLog } from '../../process/log.ts'
import { openPostgres, type PostgresOptions } from '../../store/postgres/postgres-driver.ts'
import { Client } from 'pg'
import { runOn, testWithPostgres } from '../helpers/test-database.ts'
import { KEY } from '../helpers/open-store.ts'
import { storeContract } from './contract.ts'

/** Options of an engine on a schema of its own in the server's database, dropped after the test. */
function schemaFor(t: ExecutionContext, url: string): PostgresOptions {
  const schema = `engine_${randomBytes(6).toString('hex')}`
  t.teardown(() => runOn(url, `drop schema if exists ${schema} cascade`))
  return {
    url,
    schema,
    key: KEY,
    engineId: `eng_${randomBytes(6).toString('hex')}`,
    times: leaseTimesOf(60_000),
    clock: systemClock,
    log: createLog('silent', () => {}),
  }
}

async function openStore(t: ExecutionContext, options: PostgresOptions, now = () => Date.now()): Promise<Store> {
  const store = createStore(await openPostgres(options), KEY, now)
  t.teardown(() => store.close().catch(() => {}))
  return store
}

/** Every row of every table, as the server gives it out; bytes as they are. */
async function dump({ url, schema }: PostgresOptions): Promise<Buffer> {
  const tables = await runOn(url, 'select tablename from pg_tables where schemaname = $1', [schema])
  const rows = await Promise.all(
    tables.map(({ tablename }) => runOn(url, `select * from ${schema}.${String(tablename)}`)),
  )
  return Buffer.concat(
    rows
      .flat()
      .flatMap((row) =>
        Object.values(row).map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${String(value)}\n`))),
      ),
  )
}

storeContract(
  'PostgreSQL',
  async (t, server) => {
    const options = schemaFor(t, server)
    return { open: (now) => openStore(t, options, now), atRest: () => dump(options) }
  },
  testWithPostgres,
)

// [engine-fleet.store.2]
testWithPostgres('with another key the store is not opened, and the variable is named', async (t, server) => {
  const options = schemaFor(t, server)
  await (await openStore(t, options)).close()
  const error = await t.throwsAsync(openPostgres({ ...options, key: randomBytes(32) }), { name: 'StartFault' })
  t.regex(error.message, /ENGINE_KEY is not the key/)
})

testWithPostgres('tables of a newer engine are left alone', async (t, server) => {
  const options = schemaFor(t, server)
  await (await openStore(t, options)).close()
  await runOn(server, `update ${options.schema}.store set version = 1000`)
  const error = await t.throwsAsync(openPostgres(options), { name: 'StartFault' })
  t.regex(error.message, /a newer engine wrote/)
})

testWithPostgres('a database that cannot be reached is told without its password', async (t, server) => {
  const options = schemaFor(t, server)
  const gone = await t.throwsAsync(openPostgres({ ...options, url: 'postgres://ann:s3cret@127.0.0.1:9/x' }), {
    name: 'StartFault',
  })
  t.regex(gone.message, /ENGINE_DATABASE_URL cannot be reached \(ECONNREFUSED\)/)
  const absent = new URL(server)
  absent.pathname = 'engine_absent'
  const refused = await t.throwsAsync(openPostgres({ ...options, url: absent.href }), { name: 'StartFault' })
  t.regex(refused.message, /ENGINE_DATABASE_URL is refused/)
  t.false(gone.message.includes('s3cret'))
})

testWithPostgres(
  'numbers commit beside each other, and what one asks for meanwhile waits for its own',
  async (t, server) => {
    const options = schemaFor(t, server)
    const store = await openStore(t, options)
    const [one, two] = await Promise.all(['num_1', 'num_2'].map((id) => store.number(id)))
    await one!.keys.set({ session: { a: Buffer.from([1]) } })
    const other = new Client(server)
    await other.connect()
    t.teardown(() => other.end())
    await other.query('begin')
    await other.query(`select from ${options.schema}.keys where number_id = 'num_1' for update`)
    const order: string[] = []
    const held = one!.keys.set({ session: { a: Buffer.from([2]) } }).then(() => order.push('held'))
    await new Promise((resolve) => setImmediate(resolve))
    const after = one!.keys.set({ session: { b: Buffer.from([3]) } }).then(() => order.push('after'))
    await two!.keys.set({ session: { a: Buffer.from([4]) } })
    order.push('beside')
    await other.query('commit')
    await Promise.all([held, after])
    t.deepEqual(order, ['beside', 'held', 'after'])
  },
)
