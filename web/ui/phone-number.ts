/** The peer's number as people write it; null when `from` is no number. */
export function numberOf(from: string | null): string | null {
  return from !== null && /^\d+$/.test(from) ? `+${from}` : null
}
