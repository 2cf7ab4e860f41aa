interface Bounds {
  readonly most: number
  readonly least: number
}

/**
 * Bits a second. Our choice: speech and music both sound right at 48 kb/s mono, variable; long files get less, down to
 * what speech needs.
 */
export const OPUS_BITS: Bounds = { most: 48_000, least: 12_000 }
/** Our choice: what a phone shows well; less where the ceiling asks for it, never less than a moving picture needs. */
export const X264_BITS: Bounds = { most: 2_500_000, least: 120_000 }
/** Our choice: part of the ceiling planned for; containers and variable rates need the rest. */
const PLANNED_SHARE = 0.9

/** Bits a second that make `seconds` fit into `maxBytes`, within bounds. */
export function bitsFor(seconds: number, maxBytes: number, { most, least }: Bounds): number {
  const fitting = seconds > 0 ? Math.floor((maxBytes * 8 * PLANNED_SHARE) / seconds) : most
  return Math.max(least, Math.min(most, fitting))
}
