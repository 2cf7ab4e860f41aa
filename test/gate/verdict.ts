/** The outcome of a part of the gate. Pure. */
import type { Red, Results } from './results.ts'

/** our choice: at most this many tests may pass only at their second try. */
export const MOST_FLAKES = 3

/** our choice: when more tests failed, the change is broken, not the machine busy, so nothing is tried again. */
const MOST_AGAIN = 20

/** our choice: below this part of their full counts ledgers have their small sizes, so that the gate ends in time. */
const LEAST_SHARE = 0.5
const DAY_MS = 86_400_000

/**
 * Which part of their full counts ledgers have (`counted` in test/helpers/size.ts) on a machine that took `ms` for what
 * takes `promisedMs` elsewhere: one of three quarters of the speed counts three quarters. 0 for small sizes.
 */
export function shareOf(ms: number, promisedMs: number): number {
  const share = Math.min(1, promisedMs / ms)
  return share < LEAST_SHARE ? 0 : share
}

/**
 * Which half of the gate's own stories (`leftOut` in patterns.ts) a machine runs that is so slow that ledgers have
 * their small sizes: one half today, the other tomorrow. Null for all of them.
 */
export function turnOf(share: number, nowMs: number): 0 | 1 | null {
  if (share > 0) return null
  return Math.floor(nowMs / DAY_MS) % 2 === 0 ? 0 : 1
}

export interface Outcome {
  readonly passed: number
  readonly skipped: number
  /** Tests that failed twice, or once when there is no second try. */
  readonly failed: readonly Red[]
  /** Tests that failed, then passed alone. */
  readonly flakes: readonly Red[]
}

/** What to run once more: nothing, the whole part (it was cut, so some files never began), or these files. */
export type Again = 'nothing' | 'whole' | readonly string[]

export function againOf(first: Results): Again {
  if (first.cut) return first.red.length > MOST_AGAIN ? 'nothing' : 'whole'
  const files = new Set(first.red.map(({ file }) => file))
  if (files.has(null) || first.red.length > MOST_AGAIN) return 'nothing'
  return files.size === 0 ? 'nothing' : [...files].filter((file) => file !== null)
}

/**
 * The outcome of a part. `exit` is the status of its command; a command that failed without a failed test (lint, types,
 * an installation) is a failure of its own. `second` is null when nothing was tried again.
 */
export function outcomeOf(name: string, exit: number, first: Results, second: Results | null): Outcome {
  const suspects = [...first.red, ...(first.cut ?? [])]
  if (exit !== 0 && suspects.length === 0 && !second)
    return { ...counts(first), failed: [{ file: null, title: name, reason: `ended with ${exit}` }], flakes: [] }
  if (!second) return { ...counts(first), failed: suspects, flakes: [] }
  // A second try that was cut itself proves nothing.
  if (second.cut)
    return {
      ...counts(first),
      failed: [...suspects, ...second.red.filter((red) => !suspects.some((one) => isSame(one, red)))],
      flakes: [],
    }
  const failed = second.red
  const flakes = suspects.filter((red) => !failed.some((one) => isSame(one, red)))
  const passed = first.cut ? second.passed : first.passed + flakes.length
  return { passed, skipped: first.cut ? second.skipped : first.skipped, failed, flakes }
}

function isSame(one: Red, other: Red): boolean {
  return one.file === other.file && one.title === other.title
}

function counts({ passed, skipped }: Results): { passed: number; skipped: number } {
  return { passed, skipped }
}

export function together(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    skipped: outcomes.reduce((sum, { skipped }) => sum + skipped, 0),
    failed: outcomes.flatMap(({ failed }) => failed),
    flakes: outcomes.flatMap(({ flakes }) => flakes),
  }
}

export function isGreen({ failed, flakes }: Outcome): boolean {
  return failed.length === 0 && flakes.length <= MOST_FLAKES
}
