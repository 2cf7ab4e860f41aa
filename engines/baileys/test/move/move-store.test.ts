import { randomBytes } from 'node:crypto'
import type { ExecutionContext } from 'ava'
import { moveStore, rehearse } from '../../move/move-store.ts'
import type { Place } from '../../move/place.ts'
import { backlogContext, eventContext } from '../../store/contexts.ts'
import type { PlaceKind } from '../../store/moves.ts'
import { createSeal } from '../../store/seal.ts'
import { testWithPostgres } from '../helpers/test-database.ts'
import { contentOf, fill, marksIn, placesFor } from './places.ts'

interface Moved {
  readonly stayed: readonly string[]
  readonly said: readonly string[]
}

async function move(from: Place, to: Place, dropped: readonly string[] = [], run = moveStore): Promise<Moved> {
  const said: string[] = []
  const stayed = await run({ from, to, dropped, print: (line) => said.push(line), now: () => Date.now() })
  return { stayed, said }
}

/** Declares a test over both ways. */
function bothWays(title: string, run: (t: ExecutionContext, from: Place, to: Place) => Promise<void>): void {
  const declare = (from: PlaceKind, to: PlaceKind): void =>
    testWithPostgres(`${from} to ${to}: ${title}`, async (t, server) => {
      const places = await placesFor(t, server)
      await places.withBoth((sqlite, postgres) =>
        from === 'sqlite' ? run(t, sqlite, postgres) : run(t, postgres, sqlite),
      )
    })
  declare('sqlite', 'postgres')
  declare('postgres', 'sqlite')
}

const SEEDS = [1, 2, 3, 4, 5]

// [engine-fleet.store.5] [engine-fleet.store.8]
bothWays(
  'all rows of all numbers arrive in order, sealed with the other key, and nothing of them is left behind',
  async (t, from, to) => {
    const before = new Map<string, unknown>()
    for (const seed of SEEDS) {
      await fill(from, `num_${seed}`, seed)
      before.set(`num_${seed}`, await contentOf(from, `num_${seed}`))
    }
    const { stayed } = await move(from, to)
    t.deepEqual(stayed, [])
    for (const [numberId, content] of before) {
      t.deepEqual(await contentOf(to, numberId), content)
      t.deepEqual(await contentOf(from, numberId), {})
    }
    t.deepEqual([...(await marksIn(from)), ...(await marksIn(to))], [])
    const again = await move(from, to)
    t.deepEqual(again.stayed, [])
  },
)

bothWays('a number with more rows than one page has arrives whole', async (t, from, to) => {
  await fill(from, 'num_1', 7, 1_500)
  const content = await contentOf(from, 'num_1')
  t.true(Object.values(content).some((rows) => rows.length > 600))
  await move(from, to)
  t.deepEqual(await contentOf(to, 'num_1'), content)
})

bothWays('a number that has rows and is not linked moves too', async (t, from, to) => {
  await fill(from, 'num_1', 3)
  await from.run('delete from sessions')
  const content = await contentOf(from, 'num_1')
  await move(from, to)
  t.deepEqual(await contentOf(to, 'num_1'), content)
})

bothWays(
  'what an unlinked number left in the other place gives way, and the numbers of its events never go down',
  async (t, from, to) => {
    await fill(from, 'num_1', 3)
    const content = await contentOf(from, 'num_1')
    const value = to.seal.seal(['event', 'num_1', '1'], Buffer.from('{}'))
    await to.run("insert into keys (number_id, type, id, value) values ('num_1', 'pre-key', 'stale', :value)", {
      value,
    })
    await to.run("insert into events (number_id, seq, ev, value) values ('num_1', 1, 'session.state', :value)", {
      value,
    })
    await to.run("insert into sequences (number_id, last) values ('num_1', 1900000000000)")
    t.deepEqual((await move(from, to)).stayed, [])
    t.deepEqual(await contentOf(to, 'num_1'), { ...content, sequences: [{ last: 1_900_000_000_000 }] })
  },
)

// [engine-fleet.store.10]
bothWays(
  'a number that is linked in both is overwritten in neither; the others move, and the operator is told what to do',
  async (t, from, to) => {
    for (const numberId of ['num_1', 'num_2']) await fill(from, numberId, 3)
    await fill(to, 'num_1', 4)
    const before = [await contentOf(from, 'num_1'), await contentOf(to, 'num_1')]
    const { stayed, said } = await move(from, to)
    t.deepEqual(stayed, ['num_1'])
    t.true(said.some((line) => /^num_1 stays: it is linked in .* too.*--drop num_1/.test(line)))
    t.deepEqual([await contentOf(from, 'num_1'), await contentOf(to, 'num_1')], before)
    t.deepEqual(await contentOf(from, 'num_2'), {})
    await t.throwsAsync(move(from, to, ['num_2']), { name: 'StartFault', message: /--drop num_2: only a number that/ })
    t.deepEqual((await move(from, to, ['num_1'])).stayed, [])
    t.deepEqual([await contentOf(from, 'num_1'), await contentOf(to, 'num_1')], [{}, before[1]])
  },
)

bothWays(
  'a number that is linked in the other place and left only the last number of its events here is done with',
  async (t, from, to) => {
    await fill(to, 'num_1', 4)
    const content = await contentOf(to, 'num_1')
    await from.run("insert into sequences (number_id, last) values ('num_1', 7)")
    t.deepEqual((await move(from, to)).stayed, [])
    t.deepEqual([await contentOf(from, 'num_1'), await contentOf(to, 'num_1')], [{}, content])
  },
)

// [engine-fleet.store.8]
bothWays('what an unlinked number left to be told in the other place stays, and comes first', async (t, from, to) => {
  const here = ['a', 'b'].map((value) => ({ value }))
  const there = ['c', 'd'].map((value) => ({ value }))
  const put = async (place: Place, rows: readonly { value: string }[]): Promise<void> => {
    for (const { value } of rows)
      await place.run("insert into backlog (number_id, value) values ('num_1', :value)", {
        value: place.seal.seal(backlogContext('num_1'), Buffer.from(value)),
      })
  }
  await put(from, here)
  await put(to, there)
  t.deepEqual((await move(from, to)).stayed, [])
  t.deepEqual(await contentOf(to, 'num_1'), { backlog: [...there, ...here] })
})

// [engine-fleet.store.10]
bothWays(
  'events of both places under one number keep it from moving, and are left as they are',
  async (t, from, to) => {
    for (const place of [from, to])
      await place.run(
        "insert into events (number_id, seq, ev, value) values ('num_1', 5, 'message.received', :value)",
        {
          value: place.seal.seal(eventContext('num_1', 5), Buffer.from(place.kind)),
        },
      )
    const { stayed, said } = await move(from, to)
    t.deepEqual(stayed, ['num_1'])
    t.true(said.some((line) => line.startsWith('num_1 stays: the other place has rows of it in events')))
    for (const place of [from, to]) t.is((await contentOf(place, 'num_1'))['events']?.[0]?.['value'], place.kind)
    t.deepEqual([...(await marksIn(from)), ...(await marksIn(to))], [])
  },
)

bothWays(
  'a number with a value that cannot be opened stays where it is, and can be used there; others move',
  async (t, from, to) => {
    for (const numberId of ['num_1', 'num_2']) await fill(from, numberId, 3)
    const value = createSeal(randomBytes(32)).seal(['key', 'num_1', 'session', 'x'], Buffer.from('1'))
    await from.run("insert into keys (number_id, type, id, value) values ('num_1', 'session', 'x', :value)", { value })
    const { stayed, said } = await move(from, to)
    t.deepEqual(stayed, ['num_1'])
    t.true(said.some((line) => line.startsWith('num_1 stays: a value in keys cannot be opened')))
    t.deepEqual(await marksIn(from), [])
    t.deepEqual(await contentOf(to, 'num_1'), {})
    t.not((await contentOf(to, 'num_2'))['sessions'], undefined)
  },
)

bothWays('a rehearsal says what would move, and moves nothing', async (t, from, to) => {
  for (const numberId of ['num_1', 'num_2']) await fill(from, numberId, 3)
  await fill(to, 'num_2', 4)
  const before = await contentOf(from, 'num_1')
  const { stayed, said } = await move(from, to, [], rehearse)
  t.deepEqual(stayed, ['num_2'])
  t.true(said.some((line) => /^num_1: linked, \d+ rows: moves$/.test(line)))
  t.true(said.at(-1)?.startsWith('would move 1 number ('))
  t.deepEqual([await contentOf(from, 'num_1'), await contentOf(to, 'num_1')], [before, {}])
})
