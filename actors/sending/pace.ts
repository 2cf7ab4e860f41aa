import type { Pace } from '../../src/domain/kinds/kind.ts'

/** What is left of a pace. */
export interface Bucket {
  readonly tokens: number
  readonly atMs: number
}

/** Sums of fractions miss a whole number by less than this. */
const ROUNDING = 1e-6

function isUnlimited({ atOnce, everyMs }: Pace): boolean {
  return !(atOnce > 0 && everyMs > 0 && Number.isFinite(atOnce) && Number.isFinite(everyMs))
}

function levelOf(pace: Pace, bucket: Bucket, nowMs: number): number {
  return Math.min(pace.atOnce, bucket.tokens + Math.max(0, nowMs - bucket.atMs) / pace.everyMs)
}

/** Ms until the next may go. `bucket` missing: nothing went yet. */
export function waitMs(pace: Pace, bucket: Bucket | undefined, nowMs: number): number {
  if (!bucket || isUnlimited(pace)) return 0
  const missing = 1 - levelOf(pace, bucket, nowMs)
  return missing <= ROUNDING ? 0 : Math.ceil(missing * pace.everyMs)
}

/** The bucket once one went. */
export function take(pace: Pace, bucket: Bucket | undefined, nowMs: number): Bucket {
  const level = bucket && !isUnlimited(pace) ? levelOf(pace, bucket, nowMs) : pace.atOnce
  return { tokens: level - 1, atMs: nowMs }
}

/** A full bucket need not be remembered. */
export function isFull(pace: Pace, bucket: Bucket, nowMs: number): boolean {
  return isUnlimited(pace) || levelOf(pace, bucket, nowMs) >= pace.atOnce - ROUNDING
}
