/** Cuts bytes at these offsets. */
export function piecesOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length]
  return places
    .slice(1)
    .map((to, at) => bytes.subarray(places[at], to))
    .filter((piece) => piece.length > 0)
}
