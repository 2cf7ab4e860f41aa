import type { Pace } from '../../src/domain/kinds/kind.ts'

/** The tokens that are left of a pace, and since when. */
export interface Bucket {
  readonly tokens: number
  readonly atMs: number
}

/** Rounding: sums of fractions miss a whole number by less than this. */
const ROUNDING = 1e-6

function isUnlimited({ atOnce, everyMs }: Pace): boolean {
  return !(atOnce > 0 && everyMs > 0 && Number.isFinite(atOnce) && Number.isFinite(everyMs))
}

function levelOf(pace: Pace, bucket: Bucket, nowMs: number): number {
  return Math.min(pace.atOnce, bucket.tokens + Math.max(0, nowMs - bucket.atMs) / pace.everyMs)
}

/** The ms until the next message may go. `bucket` is undefined when none went yet. */
export function waitMs(pace: Pace, bucket: Bucket | undefined, nowMs: number): number {
  if (!bucket || isUnlimited(pace)) return 0
  const missing = 1 - levelOf(pace, bucket, nowMs)
  return missing <= ROUNDING ? 0 : Math.ceil(missing * pace.everyMs)
}

/** The bucket after a message went. */
export function take(pace: Pace, bucket: Bucket | undefined, nowMs: number): Bucket {
  const level = bucket && !isUnlimited(pace) ? levelOf(pace, bucket, nowMs) : pace.atOnce
  return { tokens: level - 1, atMs: nowMs }
}

/** Whether a bucket is full again, so that it can be forgotten. */
export function isFull(pace: Pace, bucket: Bucket, nowMs: number): boolean {
  return isUnlimited(pace) || levelOf(pace, bucket, nowMs) >= pace.atOnce - ROUNDING
}
