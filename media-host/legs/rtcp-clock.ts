/** NTP time as RTCP writes it (RFC 3550 section 4). */

const SECONDS_1900_TO_1970 = 2_208_988_800

/** 64-bit NTP timestamp of a wall-clock time in ms. */
export function ntpTimestamp(wallMs: number): bigint {
  const seconds = Math.floor(wallMs / 1_000)
  const fraction = Math.floor(((wallMs - seconds * 1_000) / 1_000) * 0x1_0000_0000)
  return (BigInt(seconds + SECONDS_1900_TO_1970) << 32n) | BigInt(fraction)
}

/** The middle 32 bits in units of 1/65,536 s, which reports echo. */
export function middleOfNtp(ntp: bigint): number {
  return Number((ntp >> 16n) & 0xffff_ffffn)
}

/**
 * Round trip in ms, from a report that came at `nowNtp` (middle 32 bits) and echoes our report `lastReport` after
 * `delay` (1/65,536 s): RFC 3550 section 6.4.1. Null when the peer had no report of ours, or the numbers are
 * impossible.
 */
export function roundTripMs(nowNtp: number, lastReport: number, delay: number): number | null {
  if (lastReport === 0) return null
  const units = (nowNtp - lastReport - delay) | 0
  return units >= 0 ? (units * 1_000) / 65_536 : null
}
