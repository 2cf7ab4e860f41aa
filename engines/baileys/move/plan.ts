import type { Place } from './place.ts'
import { TABLES } from './tables.ts'

/** A number in the place that numbers come from. */
export interface Held {
  readonly numberId: string
  readonly isLinked: boolean
  /** Its rows in all tables. */
  readonly rows: number
  /** True when it has nothing but the last number of its events. */
  readonly isBare: boolean
}

/** What becomes of a number: it moves, it is deleted where it comes from, or it stays for a reason. */
export type Verdict = 'move' | 'drop' | 'linked there'

export interface Planned extends Held {
  readonly verdict: Verdict
}

/**
 * Decides on a number. `isLinkedThere` in the place that it goes to; `isDropped` when the operator said that its rows
 * in the place it comes from may go.
 */
export function verdictOf({ isBare }: Held, isLinkedThere: boolean, isDropped: boolean): Verdict {
  if (!isLinkedThere || isBare) return 'move'
  return isDropped ? 'drop' : 'linked there'
}

/** What becomes of each number of a place, in the order of their ids. */
export async function planOf(from: Place, to: Place, dropped: ReadonlySet<string>): Promise<readonly Planned[]> {
  const linked = new Set((await to.run('select number_id from sessions')).map((row) => row['number_id']))
  return (await heldBy(from)).map((held) => ({
    ...held,
    verdict: verdictOf(held, linked.has(held.numberId), dropped.has(held.numberId)),
  }))
}

async function heldBy(place: Place): Promise<readonly Held[]> {
  const counts = new Map<string, Record<string, number>>()
  for (const { name } of TABLES)
    for (const row of await place.run(`select number_id, count(*) as held from ${name} group by number_id`)) {
      const numberId = String(row['number_id'])
      counts.set(numberId, { ...counts.get(numberId), [name]: Number(row['held']) })
    }
  return [...counts]
    .toSorted(([one], [two]) => (one < two ? -1 : 1))
    .map(([numberId, tables]) => ({
      numberId,
      isLinked: 'sessions' in tables,
      rows: Object.values(tables).reduce((total, count) => total + count, 0),
      isBare: Object.keys(tables).every((name) => name === 'sequences'),
    }))
}
