import { seededRandom } from '../../test/helpers/receiver-zoo.ts'

/** A way to strike a fleet; `gateway` kills a gateway alone. */
export interface StrikeKind {
  readonly what: 'kill' | 'freeze' | 'roll' | 'gateway'
  /** Of a freeze, in ms; null until every number is open elsewhere. */
  readonly frozenMs: number | null
}

export interface PlannedStrike extends StrikeKind {
  /** How many texts were written by then. */
  readonly at: number
  /** Whether a gateway is killed at the same time. */
  readonly isGatewayKilled: boolean
}

export interface PlanSettings {
  readonly seed: number
  readonly kinds: readonly StrikeKind[]
  readonly strikes: number
  /** Texts that are written in all. */
  readonly texts: number
}

/** What an engine is struck with: freezes within its lease, beyond its lease, and far beyond it. */
export const ENGINE_STRIKES: readonly StrikeKind[] = [
  { what: 'kill', frozenMs: null },
  { what: 'freeze', frozenMs: 5_000 },
  { what: 'freeze', frozenMs: 15_000 },
  { what: 'freeze', frozenMs: 60_000 },
  { what: 'roll', frozenMs: null },
]

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ one }) => one)
}

/**
 * Plans the strikes of a run: each kind once, in an order of its own, before any comes again; spread over the texts;
 * every second one, on average, with a gateway killed beside it. The same seed gives the same plan.
 */
export function planOf({ seed, kinds, strikes, texts }: PlanSettings): PlannedStrike[] {
  const random = seededRandom(seed)
  const order: StrikeKind[] = []
  while (order.length < strikes && kinds.length > 0) order.push(...shuffled(kinds, random))
  const share = texts / (strikes + 1)
  return order.slice(0, strikes).map((kind, index) => ({
    ...kind,
    at: Math.round(share * (index + 0.5 + random())),
    isGatewayKilled: random() < 0.5 && kind.what !== 'gateway',
  }))
}
