import type { ExecutionContext } from 'ava'
import { moveStore } from '../../move/move-store.ts'
import type { Place } from '../../move/place.ts'
import type { PlaceKind } from '../../store/moves.ts'
import { HeldElsewhere } from '../../store/hold.ts'
import { openStore } from '../../store/open-store.ts'
import { STORE_PARTS, temporaryFolder } from '../helpers/open-store.ts'
import { testWithPostgres } from '../helpers/test-database.ts'
import { contentOf, fill, marksIn, type Places, placesFor } from './places.ts'

type Content = Awaited<ReturnType<typeof contentOf>>

/** What a killed process does at a step: nothing any more. */
class Killed extends Error {}

/** Counts what is asked of both places, and dies before the step with that number. */
function mortal(steps: number): { readonly wrap: (place: Place) => Place; readonly isDead: () => boolean } {
  let left = steps
  function step(): void {
    if (left <= 0) throw new Killed()
    left -= 1
  }
  return {
    isDead: () => left <= 0,
    wrap: (place) => ({
      ...place,
      async run(sql, values) {
        step()
        return place.run(sql, values)
      },
      async hold(numberId) {
        step()
        return place.hold(numberId)
      },
      async free(numberId) {
        step()
        return place.free(numberId)
      },
      async insert(table, numberId, rows) {
        step()
        return place.insert(table, numberId, rows)
      },
      async transaction(work) {
        step()
        const result = await place.transaction(async () => {
          const done = await work()
          step()
          return done
        })
        // Committed, and nobody heard of it.
        step()
        return result
      },
    }),
  }
}

const move = (from: Place, to: Place): Promise<readonly string[]> =>
  moveStore({ from, to, dropped: [], print: () => {}, now: () => 0 })

/** Moves, and is killed at that step; false when the move ended sooner. */
async function killedAt(steps: number, from: Place, to: Place): Promise<boolean> {
  const { wrap } = mortal(steps)
  try {
    await move(wrap(from), wrap(to))
    return false
  } catch (error) {
    if (error instanceof Killed) return true
    throw error
  }
}

async function isLeaving(place: Place): Promise<boolean> {
  return (await marksIn(place)).some(({ way }) => way === 'leaving')
}

/** Each place has all of a number or nothing, and an engine may open at most one that has it. */
async function assertUsableOnce(t: ExecutionContext, places: readonly Place[], content: Content): Promise<void> {
  const contents = await Promise.all(places.map((place) => contentOf(place, 'num_1')))
  for (const found of contents) if (Object.keys(found).length > 0) t.deepEqual(found, content)
  const usable = await Promise.all(
    places.map(async (place, at) => Object.keys(contents[at] ?? {}).length > 0 && !(await isLeaving(place))),
  )
  t.true(usable.filter(Boolean).length <= 1)
  t.true(contents.some((found) => Object.keys(found).length > 0))
}

/** Kills moves at each of their steps; `recover` goes on, and says where the number has to be then. */
async function atEachStep(
  t: ExecutionContext,
  [from, to]: readonly [Place, Place],
  recover: () => Promise<Place>,
): Promise<void> {
  let steps = 0
  for (let isKilled = true; isKilled; steps++) {
    await fill(from, 'num_1', steps, 2)
    const content = await contentOf(from, 'num_1')
    isKilled = await killedAt(steps, from, to)
    await assertUsableOnce(t, [from, to], content)
    const home = isKilled ? await recover() : to
    const away = home === to ? from : to
    t.deepEqual(await contentOf(home, 'num_1'), content, `killed at step ${steps}`)
    t.deepEqual(await contentOf(away, 'num_1'), {}, `killed at step ${steps}`)
    t.deepEqual([...(await marksIn(from)), ...(await marksIn(to))], [])
    await home.transaction(async () => {
      for (const name of Object.keys(content)) await home.run(`delete from ${name}`)
    })
  }
  t.true(steps > 40)
}

function bothWays(
  title: string,
  run: (t: ExecutionContext, from: Place, to: Place, places: Places) => Promise<void>,
): void {
  const declare = (one: PlaceKind, two: PlaceKind): void =>
    testWithPostgres(`${one} to ${two}: ${title}`, async (t, server) => {
      const places = await placesFor(t, server)
      await places.withBoth((sqlite, postgres) =>
        one === 'sqlite' ? run(t, sqlite, postgres, places) : run(t, postgres, sqlite, places),
      )
    })
  declare('sqlite', 'postgres')
  declare('postgres', 'sqlite')
}

// [engine-fleet.store.9]
bothWays('killed at any step and run again, a number is whole in the other place, and there alone', (t, from, to) =>
  atEachStep(t, [from, to], async () => {
    t.deepEqual(await move(from, to), [])
    return to
  }),
)

// [engine-fleet.store.9]
bothWays('killed at any step and run the other way, a number is whole where it was, and there alone', (t, from, to) =>
  atEachStep(t, [from, to], async () => {
    t.deepEqual(await move(to, from), [])
    return from
  }),
)

/** How many steps a move of one number takes until it arrived and has not left. */
async function stepsToArrival(from: Place, to: Place): Promise<number> {
  for (let steps = 1; ; steps++) {
    await fill(from, 'num_0', 1, 1)
    await killedAt(steps, from, to)
    const isThere = (await marksIn(to)).some(({ way }) => way === 'arrived') && (await isLeaving(from))
    await move(from, to)
    await to.transaction(async () => {
      for (const name of Object.keys(await contentOf(to, 'num_0'))) await to.run(`delete from ${name}`)
    })
    if (isThere) return steps
  }
}

// [engine-fleet.store.9]
bothWays(
  'a device that went on where it arrived is not rolled back by what is still where it came from',
  async (t, from, to) => {
    const steps = await stepsToArrival(from, to)
    await fill(from, 'num_0', 1, 1)
    t.true(await killedAt(steps, from, to))
    const value = to.seal.seal(['creds', 'num_0'], Buffer.from('newer'))
    await to.run('update sessions set creds = :value', { value })
    const newer = await contentOf(to, 'num_0')
    t.not(JSON.stringify(newer), JSON.stringify(await contentOf(from, 'num_0')))
    t.deepEqual(await move(to, from), [])
    t.deepEqual(await contentOf(from, 'num_0'), newer)
    t.deepEqual(await contentOf(to, 'num_0'), {})
  },
)

// [engine-fleet.store.9]
bothWays(
  'no engine opens a place that a number was leaving, and the text says what to do',
  async (t, from, to, places) => {
    const steps = await stepsToArrival(from, to)
    await fill(from, 'num_1', 1, 1)
    t.true(await killedAt(steps, from, to))
    await from.close()
    const { dataDir, url, keys } = places
    const error = await t.throwsAsync(
      openStore(
        { dataDir, databaseUrl: from.kind === 'sqlite' ? null : url, key: keys[from.kind], leaseMs: 9_000 },
        STORE_PARTS,
      ),
      { name: 'StartFault' },
    )
    t.true(error.message.includes(`run \`npm run engine -- move --from ${from.kind} --to ${to.kind}\` again`))
  },
)

// [engine-fleet.store.13]
bothWays('no engine opens a place whose numbers all moved away, until they are back', async (t, from, to, places) => {
  const open = (kind: PlaceKind) =>
    openStore(
      {
        dataDir: places.dataDir,
        databaseUrl: kind === 'sqlite' ? null : places.url,
        key: places.keys[kind],
        leaseMs: 9_000,
      },
      STORE_PARTS,
    )
  await fill(from, 'num_1', 1, 1)
  await move(from, to)
  await Promise.all([from.close(), to.close()])
  await t.throwsAsync(open(from.kind), { name: 'StartFault', message: /were moved to .* move them back \(`npm run/ })
  await (await open(to.kind)).close()
  await places.withBoth((sqlite, postgres) =>
    from.kind === 'sqlite' ? move(postgres, sqlite) : move(sqlite, postgres),
  )
  await (await open(from.kind)).close()
})

// [engine-fleet.store.9]
testWithPostgres('a move that went elsewhere is not taken for one that never arrived', async (t, server) => {
  const places = await placesFor(t, server)
  await places.withBoth(async (sqlite, postgres) => {
    const steps = await stepsToArrival(sqlite, postgres)
    await fill(sqlite, 'num_1', 1, 1)
    t.true(await killedAt(steps, sqlite, postgres))
    const other = await placesFor(t, server).then(({ open }) => open('postgres'))
    const error = await t.throwsAsync(move(sqlite, other), { name: 'StartFault' })
    t.regex(error.message, /A move of num_1 from SQLite in .* to another place was interrupted: end it first/)
    await other.close()
    t.deepEqual(await move(sqlite, postgres), [])
  })
})

testWithPostgres('a SQLite store that an engine runs on is not taken', async (t, server) => {
  const places = await placesFor(t, server)
  const sqlite = await places.open('sqlite')
  await t.throwsAsync(places.open('sqlite'), { name: 'StartFault', message: /in use by another engine: stop it/ })
  await sqlite.close()
})

// [engine-fleet.store.3]
bothWays('a number that an engine of a fleet holds stays, and others move', async (t, from, to, places) => {
  const store = await openStore(
    { dataDir: temporaryFolder(t), databaseUrl: places.url, key: places.keys.postgres, leaseMs: 9_000 },
    STORE_PARTS,
  )
  t.teardown(() => store.close())
  const held = await store.number('num_1')
  await fill(from, 'num_1', 1, 1)
  await fill(from, 'num_2', 2, 1)
  t.deepEqual(await move(from, to), ['num_1'])
  t.false(held.hold.over.aborted)
  t.deepEqual(await contentOf(to, 'num_1'), {})
  // Where a number came from it stays taken, since an engine would tell its gateway that it is not linked.
  const opening = store.number('num_2')
  if (from.kind === 'postgres') await t.throwsAsync(opening, { instanceOf: HeldElsewhere })
  else await t.notThrowsAsync(opening)
})
