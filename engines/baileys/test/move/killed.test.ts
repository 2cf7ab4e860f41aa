import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { Client } from 'pg'
import { until } from '../../../../test/helpers/until.ts'
import type { Place } from '../../move/place.ts'
import type { PlaceKind } from '../../store/moves.ts'
import { KEY } from '../helpers/open-store.ts'
import { runOn, testWithPostgres } from '../helpers/test-database.ts'
import { type MoveProcess, startMove } from './move-process.ts'
import { contentOf, fill, placesFor } from './places.ts'

const waitsForLock = async (url: string): Promise<boolean> =>
  (await runOn(url, "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
    .length > 0

/** Holds a table, so that no rows are added or deleted. */
async function holdTable(t: ExecutionContext, url: string, table: string): Promise<{ release(): Promise<void> }> {
  const client = new Client(url)
  await client.connect()
  await client.query(`begin; lock table engine.${table} in exclusive mode`)
  const release = () => client.end()
  t.teardown(() => release().catch(() => {}))
  return { release }
}

/** Declares that a move of two numbers is ended while PostgreSQL waits with rows of the first, and run again. */
function endedWhile(
  title: string,
  from: PlaceKind,
  to: PlaceKind,
  end: (moving: MoveProcess, url: string) => Promise<unknown>,
): void {
  testWithPostgres(title, async (t, server) => {
    const { dataDir, url, withBoth } = await placesFor(t, server, { sqlite: KEY, postgres: KEY })
    const env = { ENGINE_DATA_DIR: dataDir, ENGINE_DATABASE_URL: url, ENGINE_KEY: KEY.toString('base64') }
    const words = ['--from', from, '--to', to]
    const contents = (place: Place) => Promise.all(['num_1', 'num_2'].map((numberId) => contentOf(place, numberId)))
    const before = await withBoth(async (sqlite, postgres) => {
      const place = from === 'sqlite' ? sqlite : postgres
      for (const seed of [1, 2]) await fill(place, `num_${seed}`, seed)
      return contents(place)
    })
    const held = await holdTable(t, url, 'sequences')
    const moving = startMove(t, words, env)
    await until('the move waits', () => waitsForLock(url))
    await end(moving, url)
    await held.release()
    const again = startMove(t, words, env)
    t.is(await again.gone, 0, again.said())
    await withBoth(async (sqlite, postgres) => {
      const [there, here] = from === 'sqlite' ? [postgres, sqlite] : [sqlite, postgres]
      t.deepEqual(await contents(there), before)
      t.deepEqual(await contents(here), [{}, {}])
    })
  })
}

const kill = (moving: MoveProcess): Promise<void> => moving.kill()

// [engine-fleet.store.9]
endedWhile(
  'a move that is killed while PostgreSQL takes a number ends when it is run again',
  'sqlite',
  'postgres',
  kill,
)

// [engine-fleet.store.9]
endedWhile(
  'a move that is killed while PostgreSQL lets a number go ends when it is run again',
  'postgres',
  'sqlite',
  kill,
)

// [engine-fleet.store.9]
endedWhile(
  'a move that loses its database says so, and ends when it is run again',
  'sqlite',
  'postgres',
  async (moving, url) => {
    await runOn(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'engine'",
    )
    assert.equal(await moving.gone, 1)
    assert.match(moving.said(), /each number is whole in one place; see to .*, then run the same command again/)
  },
)

// [engine-fleet.store.5]
testWithPostgres(
  'a move without a database, without a store or with another key says what to do',
  async (t, server) => {
    const { dataDir, url, open } = await placesFor(t, server)
    const words = ['--from', 'sqlite', '--to', 'postgres']
    const key = randomBytes(32).toString('base64')
    const saidOf = async (env: Record<string, string>): Promise<string> => {
      const moving = startMove(t, words, { ENGINE_DATA_DIR: dataDir, ENGINE_KEY: key, ...env })
      t.is(await moving.gone, 1)
      return moving.said()
    }
    t.regex(await saidOf({}), /^ENGINE_DATABASE_URL must be set, with ENGINE_KEY/)
    t.regex(await saidOf({ ENGINE_DATABASE_URL: url }), /^ENGINE_DATA_DIR .* holds no store/)
    const sqlite = await open('sqlite')
    await fill(sqlite, 'num_1', 1)
    await sqlite.close()
    t.regex(await saidOf({ ENGINE_DATABASE_URL: url }), /^The store in ENGINE_DATA_DIR .* was sealed with another key/)
  },
)
