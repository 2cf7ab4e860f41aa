/**
 * Draws two of `items` by chance and gives the better one, of equals the first; null when there is none. Many that all
 * took the best one would overrun it together, and two draws are nearly as even (Mitzenmacher, "The Power of Two
 * Choices", 2001). `random` gives 0 to 1, without 1.
 */
export function betterOfTwo<T>(
  items: readonly T[],
  isBetter: (one: T, than: T) => boolean,
  random: () => number,
): T | null {
  const first = Math.floor(random() * items.length)
  const second = (first + 1 + Math.floor(random() * (items.length - 1))) % items.length
  const [one, other] = [items[first], items[second]]
  if (one === undefined || other === undefined) return one ?? null
  return isBetter(other, one) ? other : one
}
