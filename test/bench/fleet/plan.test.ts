import test from 'ava'
import { ENGINE_STRIKES, planOf, type StrikeKind } from '../../../bench/fleet/plan.ts'

function namesOf(strikes: readonly StrikeKind[]): string[] {
  return strikes.map(({ what, frozenMs }) => `${what} ${frozenMs}`).toSorted()
}

const SETTINGS = { seed: 7, kinds: ENGINE_STRIKES, strikes: 10, texts: 1_000 }

test('a seed gives the same strikes each time, and another seed other ones', (t) => {
  t.deepEqual(planOf(SETTINGS), planOf(SETTINGS))
  t.notDeepEqual(planOf(SETTINGS), planOf({ ...SETTINGS, seed: 8 }))
})

test('each kind of strike comes once before any comes again', (t) => {
  const plan = planOf(SETTINGS)
  for (const half of [plan.slice(0, 5), plan.slice(5)]) t.deepEqual(namesOf(half), namesOf(ENGINE_STRIKES))
})

test('strikes follow each other while texts are written', (t) => {
  for (let seed = 0; seed < 50; seed++) {
    const points = planOf({ ...SETTINGS, seed }).map(({ at }) => at)
    t.deepEqual(
      points,
      points.toSorted((one, other) => one - other),
    )
    t.true(points.every((point) => point > 0 && point < SETTINGS.texts))
  }
})

test('gateways are killed beside some strikes on engines, and never beside another kill of a gateway', (t) => {
  const kinds = [...ENGINE_STRIKES, { what: 'gateway', frozenMs: null }] as const
  const plan = Array.from({ length: 20 }, (_, seed) => planOf({ ...SETTINGS, seed, kinds, strikes: 6 })).flat()
  const beside = plan.filter(({ isGatewayKilled }) => isGatewayKilled)
  t.true(beside.length > 0 && beside.length < plan.length)
  t.false(beside.some(({ what }) => what === 'gateway'))
})

test('a run without strikes has none', (t) => {
  t.deepEqual(planOf({ ...SETTINGS, strikes: 0 }), [])
})
