import { usageOf, type Tally } from './usage.ts'

/** Groups tallies by day or by number, sorted by that; days and numbers that used nothing are left out. */
export function reportOf(tallies: readonly Tally[], key: 'day' | 'numberId') {
  const groups = Map.groupBy(tallies, (tally): string => tally[key])
  const items = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([of, own]) => ({ of, usage: usageOf(own) }))
  return { items, total: usageOf(tallies) }
}
