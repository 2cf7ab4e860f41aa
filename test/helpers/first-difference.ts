/**
 * The index of the first difference between two rows of numbers; null when there is none. It is for tens of thousands
 * of samples or bytes, which ava compares too slowly (measured: 480,000 samples take 1 s).
 */
export function firstDifference(one: ArrayLike<number>, other: ArrayLike<number>): number | null {
  const length = Math.max(one.length, other.length)
  for (let at = 0; at < length; at++) if (one[at] !== other[at]) return at
  return null
}
