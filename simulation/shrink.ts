import type { Fault } from './faults.ts'
import { simulate, type Outcome, type Plan, type Spoil } from './simulate.ts'

/** A run that breaks a promise, and what it was made of. */
export interface Broken {
  readonly plan: Plan
  readonly outcome: Outcome
}

/** Shorter busy times are tried in steps of this share. */
const SHORTER = 0.75
const LEAST_MS = 2_000

function promisesOf({ broken }: Outcome): ReadonlySet<string> {
  return new Set(broken.map((what) => what.slice(0, what.indexOf(':'))))
}

/**
 * Makes a broken run smaller: faults are left out one by one, then its busy time is cut, as long as one of the promises
 * that it broke is still broken.
 */
export async function shrink(found: Broken, spoil?: Spoil): Promise<Broken> {
  const promises = promisesOf(found.outcome)
  const retry = async (plan: Plan): Promise<Broken | null> => {
    const outcome = await simulate(plan, spoil)
    return [...promisesOf(outcome)].some((one) => promises.has(one)) ? { plan, outcome } : null
  }
  let smallest = found
  const without = (fault: Fault) => smallest.outcome.faults.filter((one) => one !== fault)
  for (const fault of found.outcome.faults)
    smallest = (await retry({ ...smallest.plan, faults: without(fault) })) ?? smallest
  for (let busyMs = smallest.plan.busyMs * SHORTER; busyMs >= LEAST_MS; busyMs *= SHORTER) {
    const shorter = await retry({ ...smallest.plan, faults: smallest.outcome.faults, busyMs: Math.round(busyMs) })
    if (!shorter) break
    smallest = shorter
  }
  return smallest
}
