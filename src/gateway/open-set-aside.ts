import { SET_ASIDE_LINES } from '../domain/set-aside.ts'
import type { SetAsideStore } from '../ports/stores/set-aside-store.ts'
import type { Core } from './core.ts'
import { PURGES } from './upkeep.ts'

/** Our choice: the greatest age in ms of what metrics and readiness say of items set aside. */
const LOOK_MS = 10_000

/** The part that readiness looks at. */
export interface OpenSetAside {
  /** How many items were set aside at the last look. */
  readonly setAside: { count(): number }
}

/** Measures how many items are set aside. */
export function openSetAside(
  { metrics, upkeep }: Pick<Core, 'metrics' | 'upkeep'>,
  store: Pick<SetAsideStore, 'counts' | 'purge'>,
): OpenSetAside {
  const gauge = metrics.gauge(
    'set_aside_items',
    'Items that could not be worked off for a reason of their own, by the line they stood in.',
    ['line'],
  )
  let count = 0
  upkeep.add({
    name: 'count-set-aside',
    everyMs: LOOK_MS,
    isDueAtStart: true,
    async run() {
      const counts = await store.counts()
      for (const line of SET_ASIDE_LINES) gauge.set(counts.get(line) ?? 0, { line })
      count = [...counts.values()].reduce((sum, of) => sum + of, 0)
    },
  })
  upkeep.add({ name: 'purge-set-aside', ...PURGES, run: () => store.purge() })
  return { setAside: { count: () => count } }
}
