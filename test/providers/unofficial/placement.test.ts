import test from 'ava'
import { placeSession } from '../../../src/providers/unofficial/placement.ts'
import type { Holder, PlaceableEngine } from '../../../src/providers/unofficial/placement.ts'

function engine(engineId: string, over: Partial<PlaceableEngine> = {}): PlaceableEngine {
  return {
    engineId,
    url: `ws://${engineId}.example`,
    sessions: 0,
    capacity: 100,
    draining: false,
    isRefusing: false,
    ...over,
  }
}

/** Numbers of 0 to 1 that look random and are the same in each run (Park and Miller, 1988). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

function placedAt(
  engines: readonly PlaceableEngine[],
  holder: Holder | null = null,
  random = seeded(1),
): string | null {
  return placeSession(engines, holder, random)?.engineId ?? null
}

// [engine-fleet.register.2]
test('of two drawn engines the one with fewer sessions for its capacity gets the number, in either order', (t) => {
  const engines = [engine('small', { sessions: 10, capacity: 20 }), engine('large', { sessions: 40, capacity: 100 })]
  for (const drawn of [0, 0.99])
    t.is(
      placedAt(engines, null, () => drawn),
      'large',
    )
})

// [engine-fleet.register.2]
test('a number stays at the engine that holds it, however full or unreachable that is, unless it drains', (t) => {
  const holder = { engineId: 'a', url: 'ws://a.example' }
  const other = engine('b')
  t.is(placedAt([engine('a', { sessions: 100, isRefusing: true }), other], holder), 'a')
  t.is(placedAt([engine('a', { draining: true }), other], holder), 'b')
  t.is(placedAt([other], holder), 'b', 'a holder that is not registered is nowhere to dial')
})

test('an engine that was started again is found by its address, and one that moved by its id', (t) => {
  const engines = [engine('a-again', { url: 'ws://a.example', sessions: 90 }), engine('b')]
  t.is(placedAt(engines, { engineId: 'a', url: 'ws://a.example' }), 'a-again')
  t.is(placedAt([engine('a', { url: 'ws://new.example' }), engine('b')], { engineId: 'a', url: 'ws://a.example' }), 'a')
  t.is(placedAt([engine('a'), engine('b')], { engineId: 'b', url: null }), 'b')
})

test('a new number goes to no engine that drains, is full, or refused just now; where all do it waits', (t) => {
  const none = [
    engine('draining', { draining: true }),
    engine('full', { sessions: 100 }),
    engine('refusing', { isRefusing: true }),
  ]
  for (const drawn of [0, 0.4, 0.7, 0.99])
    t.is(
      placedAt([...none, engine('free', { sessions: 99 })], null, () => drawn),
      'free',
    )
  t.is(placedAt(none), null)
  t.is(placedAt([]), null)
})

// [engine-fleet.register.2]
test('two gateways that know nothing of what the other places do not overrun the engine that both see empty', (t) => {
  const reported = [0, 1_000, 1_000, 1_000].map((sessions, i) => engine(`${i}`, { sessions, capacity: 2_000 }))
  const placed = [seeded(7), seeded(11)].flatMap((random) => {
    const seen = reported.map((one) => ({ ...one, sessions: one.sessions as number }))
    return Array.from({ length: 1_000 }, () => {
      const chosen = placeSession(seen, null, random)
      if (chosen) chosen.sessions += 1
      return chosen?.engineId
    })
  })
  const held = reported.map(({ engineId, sessions }) => sessions + placed.filter((id) => id === engineId).length)
  t.is(
    held.reduce((sum, count) => sum + count, 0),
    5_000,
  )
  // Gateways that both took the emptiest one would have made it hold 2,000.
  t.true(
    held.every((count) => count < 1_600),
    held.join(' '),
  )
})

test('one gateway fills no engine beyond its capacity, and then waits', (t) => {
  const engines = ['a', 'b', 'c'].map((id) => engine(id, { sessions: 0, capacity: 10 })) as { sessions: number }[]
  const random = seeded(3)
  const placed = Array.from({ length: 31 }, () => {
    const chosen = placeSession(engines as (PlaceableEngine & { sessions: number })[], null, random)
    if (chosen) chosen.sessions += 1
    return chosen?.engineId ?? null
  })
  t.deepEqual(
    engines.map(({ sessions }) => sessions),
    [10, 10, 10],
  )
  t.is(placed.at(-1), null)
})
