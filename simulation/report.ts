import { toldFault } from './faults.ts'
import type { Broken } from './shrink.ts'

/** How many broken promises of one seed are shown, and how many lines of what led to the first. */
const MOST_SHOWN = 12
const MOST_LINES = 40

/** Messages, numbers and events that a sentence names. */
const NAMES = /\b(?:[mb]\d+|(?:evt|num|msg|bat)_\w+)\b/g

/**
 * What a person reads of a broken run: how to see it again, what befell the cluster, which promises it broke, and what
 * happened to what the first of them names.
 */
export function reportOf({ plan: { seed }, outcome: first }: Broken, { plan, outcome }: Broken): string[] {
  const [broken = ''] = outcome.broken
  const names = broken.match(NAMES) ?? []
  const isOfIt = (line: string) => / fault /.test(line) || names.some((name) => new RegExp(`\\b${name}\\b`).test(line))
  const lines = outcome.lines.filter(isOfIt)
  return [
    `seed ${seed} broke a promise; run it again with: npm run simulate -- --seed ${seed} --log`,
    ...first.broken.slice(0, MOST_SHOWN).map((what) => `  ${what}`),
    `the smallest run that breaks one of them: ${(plan.busyMs / 1_000).toFixed(1)} s, ${outcome.faults.length} of ${first.faults.length} faults`,
    ...outcome.faults.map((fault) => `  ${toldFault(fault)}`),
    `  ${broken}`,
    'what led to it (simulated ms, who, what):',
    ...lines.slice(0, MOST_LINES).map((line) => `  ${line}`),
  ]
}
