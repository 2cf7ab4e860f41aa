interface Bounds {
  readonly most: number
  readonly least: number
}

/**
 * Bits per second. Our choice: speech and music both sound right at 48 kb/s mono with a variable rate; a long file gets
 * less, down to what speech needs.
 */
export const OPUS_BITS: Bounds = { most: 48_000, least: 12_000 }
/**
 * Our choice, in bits per second: what a phone shows well; less when the ceiling requires it, but never less than a
 * moving picture needs.
 */
export const X264_BITS: Bounds = { most: 2_500_000, least: 120_000 }
/** Our choice: the share of the ceiling that is planned for; containers and variable rates take the rest. */
const PLANNED_SHARE = 0.9

/** The bit rate at which `seconds` fit into `maxBytes`, within bounds. */
export function bitsFor(seconds: number, maxBytes: number, { most, least }: Bounds): number {
  const fitting = seconds > 0 ? Math.floor((maxBytes * 8 * PLANNED_SHARE) / seconds) : most
  return Math.max(least, Math.min(most, fitting))
}
