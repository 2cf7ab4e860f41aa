/**
 * Cuts a list into pieces of at most `maxWeight`, in order; a heavier item goes alone. An empty list gives no pieces.
 */
export function inPieces<T>(items: readonly T[], maxWeight: number, weightOf: (item: T) => number = () => 1): T[][] {
  const pieces: T[][] = []
  let weight = 0
  for (const item of items) {
    const more = weightOf(item)
    const last = pieces.at(-1)
    if (last && weight + more <= maxWeight) {
      last.push(item)
      weight += more
    } else {
      pieces.push([item])
      weight = more
    }
  }
  return pieces
}
